import JSONTree
import RecordModel

/// What page managers read of a response. Nothing in it is trusted: what is not as it should be is not there.
extension PageResponse {
  /// The request for an address that the response names.
  func following(_ reference: String) -> ServerRequest {
    request.following(reference, from: address)
  }

  /// A cursor: a text that is not empty, or an integer.
  func text(at path: MappingPath) -> String? {
    guard let node = node(at: path) else { return nil }
    let text = node.string ?? (node.number.flatMap { $0.isInteger ? $0.digits : nil })
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// An address: a text that is not empty.
  func address(at path: MappingPath) -> String? { node(at: path)?.string.flatMap { $0.isEmpty ? nil : $0 } }

  func boolean(at path: MappingPath) -> Bool? { node(at: path)?.boolean }

  /// Whether nothing stands there, or null.
  func isAbsent(_ path: MappingPath) -> Bool { node(at: path)?.isNull ?? true }

  /// Whether nothing stands there, or null, or an empty text.
  func isBlank(_ path: MappingPath) -> Bool { isAbsent(path) || node(at: path)?.string == "" }

  /// How many of something there are: an integer from 0, written as a number or as a text.
  func count(at path: MappingPath) -> Count {
    guard let node = node(at: path), !node.isNull else { return .absent }
    let count = node.number?.int64Value.flatMap(Int.init(exactly:)) ?? node.string.flatMap(Int.init)
    return count.map { $0 < 0 ? .unusable : .known($0) } ?? .unusable
  }

  enum Count: Hashable {
    case known(Int)
    /// It does not say.
    case absent
    /// It says something that no count can be.
    case unusable

    var value: Int? { if case .known(let value) = self { value } else { nil } }
  }

  private func node(at path: MappingPath) -> JSONNode? {
    responseObject.flatMap { path.find(in: $0) }?.node
  }
}
