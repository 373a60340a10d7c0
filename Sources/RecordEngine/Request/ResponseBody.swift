import Foundation
import JSONTree
import RecordModel

/// The body of an answer: read already, or when somebody asks for it.
// Unchecked: `document` is read and written under `lock` alone.
final class ResponseBody: @unchecked Sendable {
  let bytes: [UInt8]
  private let lock = NSLock()
  private var document: JSONDocument?

  init(_ document: JSONDocument) {
    bytes = document.bytes
    self.document = document
  }

  /// A body that is known to be JSON, or empty.
  init(unread bytes: [UInt8]) { self.bytes = bytes }

  static let empty = ResponseBody(unread: [])

  /// The response object; nil for an empty body.
  var root: JSONNode? {
    lock.withLock {
      if document == nil, !bytes.isEmpty { document = try? JSONDocument(parsing: bytes) }
      return document?.root
    }
  }
}

extension ResponseBody {
  /// What stands at a path of an object.
  func metaData(at path: MappingPath) -> JSONNode? {
    guard let root, root.kind == .object else { return nil }
    return path.find(in: root)?.node
  }
}
