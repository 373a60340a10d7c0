import JSONTree
import RecordModel
import ScenarioFormat

/// A scenario file whose responses another session can replace.
struct RecordedScenario {
  let scenario: Scenario
  /// The path of the file, as the user would type it.
  let path: String
  private let root: YAMLNode
  /// The values of the responses in the file, in their order.
  private let nodes: [YAMLNode]

  /// Creates the recorded scenario; nil if the values of its responses cannot be found in the file.
  init?(_ scenario: Scenario) {
    self.scenario = scenario
    path = scenario.file.path
    guard let root = YAMLParser.parse(scenario.file).root else { return nil }
    self.root = root
    nodes = (root["responses"]?.pairs ?? []).flatMap { $0.value.elements ?? [$0.value] }
    guard nodes.count == scenario.responses.reduce(0, { $0 + $1.responses.count }) else { return nil }
  }

  /// Returns the responses.
  ///
  /// - Parameter index: the position of the scenario among those that are updated.
  func responses(ofScenario index: Int) -> [RecordedResponse] {
    var nodes = nodes[...]
    return scenario.responses.flatMap { address in
      address.responses.compactMap { response in
        nodes.popFirst().map { RecordedResponse(response, $0, at: address, scenario: index, path: path) }
      }
    }
  }

  /// Returns the bytes of the file with other values of responses. Everything else stays as it is.
  ///
  /// - Parameter values: the new values, by the positions of the responses.
  /// - Returns: nil if the file cannot be changed in this way, because aliases or merge keys stand for responses.
  func bytes(with values: [Int: JSONValue]) -> [UInt8]? {
    if values.isEmpty { return scenario.file.bytes }
    var edit = YAMLEdit(scenario.file)
    for (index, value) in values.sorted(by: { $0.key < $1.key }) { edit.change(nodes[index], to: value) }
    guard let bytes = edit.bytes else { return nil }
    // The result is read again, so that no change is lost and no other value changes.
    let file = SourceFile(path: path, bytes: bytes)
    var problems: [AuthorDiagnostic] = []
    guard let written = YAMLParser.parse(file).root?.jsonValue(&problems),
      let expected = expected(values), written == expected
    else { return nil }
    return bytes
  }

  private func expected(_ values: [Int: JSONValue]) -> JSONValue? {
    var problems: [AuthorDiagnostic] = []
    guard case .object(var members)? = root.jsonValue(&problems),
      case .object(var responses)? = members["responses"]
    else { return nil }
    var index = 0
    for address in responses {
      if case .array(let elements) = address.value {
        responses[address.key] = .array(elements.enumerated().map { values[index + $0] ?? $1 })
        index += elements.count
      } else {
        if let value = values[index] { responses[address.key] = value }
        index += 1
      }
    }
    members["responses"] = .object(responses)
    return .object(members)
  }
}
