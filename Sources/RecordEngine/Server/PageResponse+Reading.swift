import JSONTree
import RecordModel

/// The values of a response that page managers read. The response is not trusted: an invalid value is never used.
extension PageResponse {
  /// Returns the request for an address that the response contains.
  func following(_ reference: String) -> ServerRequest {
    request.following(reference, from: address)
  }

  /// Returns the cursor at a path: a string, a list or an object that is not empty, or an integer.
  func cursor(at path: MappingPath) -> ParameterValue? {
    node(at: path).flatMap { ParameterValue($0.value) }
  }

  /// Returns the address at a path, which is a nonempty string.
  func address(at path: MappingPath) -> String? { node(at: path)?.string.flatMap { $0.isEmpty ? nil : $0 } }

  func boolean(at path: MappingPath) -> Bool? { node(at: path)?.boolean }

  /// Returns a Boolean value that indicates whether the value at a path is missing or null.
  func isAbsent(_ path: MappingPath) -> Bool { node(at: path)?.isNull ?? true }

  /// Returns a Boolean value that indicates whether the value at a path is missing, null or an empty string.
  func isBlank(_ path: MappingPath) -> Bool { isAbsent(path) || node(at: path)?.string == "" }

  /// Returns a Boolean value that indicates whether the value at the path of a cursor is missing, null or empty.
  func hasNoCursor(at path: MappingPath) -> Bool {
    guard let node = node(at: path), [.array, .object].contains(node.kind) else { return isBlank(path) }
    return node.count == 0
  }

  /// Returns the count at a path, which is an integer from 0, written as a number or as a string.
  func count(at path: MappingPath) -> Count {
    guard let node = node(at: path), !node.isNull else { return .absent }
    let count = node.number?.int64Value.flatMap(Int.init(exactly:)) ?? node.string.flatMap(Int.init)
    return count.map { $0 < 0 ? .unusable : .known($0) } ?? .unusable
  }

  enum Count: Hashable {
    case known(Int)
    /// The value is missing or null.
    case absent
    /// The value is not a valid count.
    case unusable

    var value: Int? { if case .known(let value) = self { value } else { nil } }
  }

  private func node(at path: MappingPath) -> JSONNode? {
    responseObject.flatMap { path.find(in: $0) }?.node
  }
}
