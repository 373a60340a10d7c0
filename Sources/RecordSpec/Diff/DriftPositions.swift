internal import JSONTree

/// A finder of the positions of drifting values in the bodies of a scenario.
// A class, because it parses each body only once.
final class DriftPositions {
  private let scenario: Scenario
  private let positions = BodyPositions()
  /// The parsed bodies by the locations of their responses; nil for bodies that are not JSON.
  private var documents: [SourcePosition: JSONDocument?] = [:]

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// Returns the position of a value in the first response of an address that has it; nil if there is none.
  func position(of text: String, in response: String) -> SourcePosition? {
    guard let pointer = JSONPointer(text) else { return nil }
    // The address of a response in a report has no method.
    for method in Set(scenario.responses.map(\.address.method)).sorted() {
      guard let asked = try? RequestAddress(method: method, urn: response, baseURL: scenario.baseURL),
        let canned = scenario.responses.answering(asked)
      else { continue }
      for response in canned.responses {
        if let position = position(at: pointer, of: response) { return position }
      }
    }
    return nil
  }

  private func position(at pointer: JSONPointer, of response: CannedResponse) -> SourcePosition? {
    guard let source = response.bodySource else { return nil }
    switch response.body {
    case .value:
      if case .value(let body) = source { return positions.position(at: pointer, in: body) }
      return nil
    case .bytes(let bytes):
      let key = SourcePosition(response.span)
      let document = documents[key] ?? (try? JSONDocument(parsing: bytes))
      documents[key] = .some(document)
      return document?.root.value(at: pointer).map { positions.position(of: $0, at: pointer, in: source) }
    case nil: return nil
    }
  }
}
