import JSONTree
import ScenarioFormat

/// A finder of the positions of drifting values in the bodies of a scenario.
// A class, because it parses each body only once.
final class DriftPositions {
  private let scenario: Scenario
  private lazy var responses = scenario.responses.flatMap(\.responses)
  private let positions = BodyPositions()
  /// The parsed bodies by the indices of their responses; nil for bodies that are not JSON.
  private var documents: [Int: JSONDocument?] = [:]

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// Returns the position of a value; nil if it is unknown.
  ///
  /// - Parameters:
  ///   - text: the JSON pointer of the value.
  ///   - index: the index of the response with the value, among all canned responses.
  func position(of text: String, inAnswer index: Int) -> SourcePosition? {
    guard let pointer = JSONPointer(text), responses.indices.contains(index),
      let source = responses[index].bodySource
    else { return nil }
    switch responses[index].body {
    case .value:
      if case .value(let body) = source { return positions.position(at: pointer, in: body) }
      return nil
    case .bytes(let bytes):
      let document = documents[index] ?? (try? JSONDocument(parsing: bytes))
      documents[index] = .some(document)
      return document?.root.value(at: pointer).map { positions.position(of: $0, at: pointer, in: source) }
    case nil: return nil
    }
  }
}
