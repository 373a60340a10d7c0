import Foundation
import JSONTree
import RecordModel

/// The body of an answer, which is fetched and parsed when it is first asked for.
// Unchecked: `state` is read and written under `lock` alone.
final class ResponseBody: @unchecked Sendable {
  private enum State {
    /// Whoever has the bytes hands them over when this is called.
    case elsewhere(@Sendable (ResponseBody) -> Void)
    case unread([UInt8])
    case read(JSONDocument)
  }

  private let lock = NSLock()
  private var state: State

  /// The body of a response.
  init(_ body: ServerResponse.Body) {
    switch body {
    case .bytes(let bytes): state = .unread(bytes)
    case .json(let value): state = .read(JSONDocument(value))
    }
  }

  /// A body that somebody else has.
  ///
  /// - Parameter fetch: called when it is asked for, has to `take(_:)` it before it returns. Whoever has it may hand it over
  /// before.
  init(fetch: @escaping @Sendable (ResponseBody) -> Void) { state = .elsewhere(fetch) }

  var isElsewhere: Bool { lock.withLock { if case .elsewhere = state { true } else { false } } }

  /// Takes the bytes of a body that is elsewhere.
  func take(_ bytes: [UInt8]) {
    lock.withLock {
      if case .elsewhere = state { state = .unread(bytes) }
    }
  }

  var bytes: [UInt8] {
    fetch()
    return lock.withLock {
      switch state {
      case .elsewhere: []
      case .unread(let bytes): bytes
      case .read(let document): document.bytes
      }
    }
  }

  /// The parsed body; nil for an empty one.
  ///
  /// - Throws: `JSONSyntaxError` if it is no JSON.
  var document: JSONDocument? {
    get throws(JSONSyntaxError) {
      fetch()
      lock.lock()
      defer { lock.unlock() }
      switch state {
      case .elsewhere: return nil
      case .unread(let bytes) where bytes.isEmpty: return nil
      case .unread(let bytes):
        let document = try JSONDocument(parsing: bytes)
        state = .read(document)
        return document
      case .read(let document): return document
      }
    }
  }

  /// The response object; nil for an empty body, and for one that is no JSON.
  var root: JSONNode? { (try? document)?.root }

  /// Not under the lock: whoever has the bytes takes this lock under its own.
  private func fetch() {
    guard case .elsewhere(let fetch) = lock.withLock({ state }) else { return }
    fetch(self)
  }
}

extension ResponseBody {
  /// What stands at a path of an object.
  func metaData(at path: MappingPath) -> PathFinding? {
    guard let root, root.kind == .object else { return nil }
    return path.find(in: root)
  }
}
