import JSONTree
import RecordModel
import ScenarioFormat

/// A response of a recorded scenario, which another session can replace.
struct RecordedResponse {
  /// The scenario, by its position among those that are updated.
  var scenario: Int
  var address: RequestAddress
  /// The address as the author wrote it.
  var text: String
  /// The value in the scenario file.
  var node: YAMLNode
  var status: Int
  var failure: ServerFailure?
  var headers: [String: String]
  /// The body; nil for none.
  var json: JSONValue?
  /// The path of the file with the body, as the user would type it; nil for no file.
  var bodyPath: String?
  /// A Boolean value that indicates whether any number of requests receives the response.
  var isRepeated: Bool
  /// The reason why the response cannot be replaced, in words; nil if it can.
  var obstacle: String?

  /// - Parameter path: the path of the scenario file.
  init(
    _ canned: CannedResponse, _ node: YAMLNode, at address: CannedAddress, scenario: Int, path: String
  ) {
    self.scenario = scenario
    self.address = address.address
    text = address.text
    self.node = node
    status = canned.status
    failure = canned.failure
    headers = canned.headers
    isRepeated = canned.isRepeated
    switch canned.body {
    case .value(let value): json = value
    case .bytes(let bytes):
      json = (try? JSONDocument(parsing: bytes))?.root.value
      if json == nil, !bytes.isEmpty { obstacle = "its body is not JSON" }
    case nil: break
    }
    bodyPath = node["bodyFile"]?.scalar.map {
      FilePath.simplified(FileAccess.path(of: $0.text, namedIn: path))
    }
    let readsPart =
      node["at"] != nil || node["status"]?.pairs != nil
      || node["headers"]?.pairs?.contains { $0.value.pairs != nil } ?? false
    if readsPart { obstacle = "it is a part of another recording, by 'at'" }
    if node["bodyText"] != nil, json != nil { obstacle = "its body is text, by 'bodyText'" }
  }

  /// The last part of the address that names what the response contains.
  var noun: String {
    let parts = address.path.split(separator: "/").map { PercentEncoding.decoded($0) }
    return parts.last { !ItemLocation.isIdentifier($0) && !VaryingValue.isIdentifier(inAddress: $0) } ?? ""
  }
}
