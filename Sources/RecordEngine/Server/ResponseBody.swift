import Foundation
import JSONTree
import RecordModel

/// The body of an answer: read already, or when somebody asks for it.
// Unchecked: `state` is read and written under `lock` alone.
final class ResponseBody: @unchecked Sendable {
  private enum State {
    /// Whoever has the bytes hands them over when this is called.
    case elsewhere(@Sendable (ResponseBody) -> Void)
    /// They are JSON, or none are there.
    case unread([UInt8])
    case read(JSONDocument)
  }

  private let lock = NSLock()
  private var state: State

  init(_ document: JSONDocument) { state = .read(document) }

  /// A body that somebody else has.
  ///
  /// - Parameter fetch: called when it is asked for, has to `take(_:)` it before it returns. Whoever has it may hand it over
  /// before.
  init(fetch: @escaping @Sendable (ResponseBody) -> Void) { state = .elsewhere(fetch) }

  private init() { state = .unread([]) }

  static let empty = ResponseBody()

  var isElsewhere: Bool { lock.withLock { if case .elsewhere = state { true } else { false } } }

  /// Takes the bytes, which are known to be JSON or none, of a body that is elsewhere.
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

  /// The response object; nil for an empty body.
  var root: JSONNode? {
    fetch()
    return lock.withLock {
      if case .unread(let bytes) = state, !bytes.isEmpty, let document = try? JSONDocument(parsing: bytes) {
        state = .read(document)
      }
      if case .read(let document) = state { return document.root }
      return nil
    }
  }

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
