import Foundation
import JSONTree
import RecordModel

/// The body of a response, which is fetched and parsed on first access.
// Unchecked: `state` is accessed only under `lock`.
final class ResponseBody: @unchecked Sendable {
  private enum State {
    /// The bytes have not been fetched yet. The closure fetches them and calls `take(_:)`.
    case elsewhere(@Sendable (ResponseBody) -> Void)
    case unread([UInt8])
    case read(JSONDocument)
  }

  private let lock = NSLock()
  private var state: State

  /// Creates the body of a server's response.
  init(_ body: ServerResponse.Body) {
    switch body {
    case .bytes(let bytes): state = .unread(bytes)
    case .json(let value): state = .read(JSONDocument(value))
    }
  }

  /// Creates a body that is fetched on first access.
  ///
  /// - Parameter fetch: a closure that is called on first access and must call `take(_:)` before it returns. The owner
  ///   of the bytes can also call `take(_:)` earlier.
  init(fetch: @escaping @Sendable (ResponseBody) -> Void) { state = .elsewhere(fetch) }

  var isElsewhere: Bool { lock.withLock { if case .elsewhere = state { true } else { false } } }

  /// Sets the bytes of a body that has not been fetched yet.
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

  /// The parsed body, or nil if the body is empty.
  ///
  /// - Throws: `JSONSyntaxError` if the body is not JSON.
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

  /// The response object, or nil if the body is empty or not JSON.
  var root: JSONNode? { (try? document)?.root }

  /// Fetches the bytes. The lock is not held, because the owner of the bytes acquires it while holding its own lock.
  private func fetch() {
    guard case .elsewhere(let fetch) = lock.withLock({ state }) else { return }
    fetch(self)
  }
}

extension ResponseBody {
  /// Returns the value at a path of the response object, or nil if the response object is not an object.
  func metaData(at path: MappingPath) -> PathFinding? {
    guard let root, root.kind == .object else { return nil }
    return path.find(in: root)
  }
}
