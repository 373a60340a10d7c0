internal import JSONTree
internal import RecordEngine
internal import RecordModel

/// The comparison of the responses of a scenario with its model, in a run that has recorded their provenance.
struct ResponseLint {
  /// The differences of all responses from the model.
  let drift: DriftReport
  private let scenario: Scenario
  private let responses: [(mark: Int?, step: Int, response: ResponseProvenance)]
  private let positions = BodyPositions()

  init(_ scenario: Scenario, _ provenance: ScenarioProvenance) {
    self.scenario = scenario
    var drift = DriftReport()
    var responses: [(Int?, Int, ResponseProvenance)] = []
    for (step, received) in provenance.steps.enumerated() {
      for response in received {
        guard let differences = response.drift else { continue }
        drift = drift.merging(differences)
        responses.append((response.mark, step, response))
      }
    }
    (self.drift, self.responses) = (drift, responses)
  }

  /// Returns the warnings about the keys and values of the items. The unread keys that are similar to the name of a
  /// missing property have a warning of their own. The others of an entity share one.
  func warnings() -> [AuthorDiagnostic] {
    drift.entities.flatMap { entity in
      unreadKeys(of: entity) + entity.changedTypes.compactMap { changingType($0, of: entity.entity) }
    }
  }

  // MARK: Unread keys

  private func unreadKeys(of entity: EntityDrift) -> [AuthorDiagnostic] {
    var others: [UnusedKey] = []
    var warnings: [AuthorDiagnostic] = []
    for key in entity.unusedKeys {
      guard let property = Self.property(near: key, among: entity.missingProperties) else {
        others.append(key)
        continue
      }
      warnings.append(
        AuthorDiagnostic(
          .unreadKey, at: location(of: key.first, of: entity.entity),
          "no property of '\(entity.entity)' reads '\(key.path)'",
          advice: "no item has '\(property.name)'; correct the key, or write 'from: \(key.path)' in '\(property.name)'"
        ))
    }
    guard let first = others.first else { return warnings }
    let names = others.prefix(Self.shownKeys).map { "'\($0.path)'" }
    let rest = others.count - names.count
    let list = rest > 0 ? "\(names.joined(separator: ", ")) and \(rest) more keys" : Self.all(names)
    return warnings + [
      AuthorDiagnostic(
        .unreadKey, at: location(of: first.first, of: entity.entity),
        "no property of '\(entity.entity)' reads \(list)",
        advice: "declare properties, or list the keys in 'ignores' of '\(entity.entity)'")
    ]
  }

  /// The maximum number of keys that a warning lists.
  private static let shownKeys = 20

  private static func all(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns the first missing property with a name that is similar to an unread key.
  static func property(near key: UnusedKey, among missing: [MissingProperty]) -> MissingProperty? {
    let text = key.path.keyText
    return missing.prefix(comparedProperties).first { property in
      property.paths.contains { UnreadKeys.areNear($0.keyText, text) }
    }
  }

  /// The maximum number of missing properties that are compared with each unread key.
  private static let comparedProperties = 50

  // MARK: Types

  private func changingType(_ type: ChangedType, of entity: EntityName) -> AuthorDiagnostic? {
    // An attribute of any type, a reference and a nested object for the same record, and a decimal number as a string
    // are as intended.
    guard type.found.count > 1, type.found.contains(where: { !type.expected.contains($0.kind) }),
      !type.expected.isEmpty, let first = type.found.first
    else { return nil }
    let kinds = type.found.map { "\($0.count) \(Self.plural($0.kind, $0.count))" }
    let span = location(of: first.first, of: entity)
    let notes = type.found.dropFirst().compactMap { kind -> AuthorDiagnostic.Note? in
      guard case .span(let span) = location(of: kind.first, of: entity) else { return nil }
      return .init(span, Self.article(kind.kind))
    }
    return AuthorDiagnostic(
      .changingType, of: "\(entity).\(type.property)", at: span,
      "the values of '\(type.property)' of '\(entity)' change their type: \(Self.all(kinds))",
      advice: "write values of the same type, or allow the warning if the server sends both", notes: notes)
  }

  private static func article(_ kind: JSONKind) -> String {
    switch kind {
    case .array, .object: "an \(kind.rawValue) here"
    case .null, .boolean, .number, .string: "a \(kind.rawValue) here"
    }
  }

  private static func plural(_ kind: JSONKind, _ count: Int) -> String {
    count == 1 ? kind.rawValue : kind.rawValue + "s"
  }

  // MARK: Locations

  /// Returns the location of a value in the files of the author; the scenario if there is none.
  private func location(of location: DriftLocation, of entity: EntityName) -> AuthorDiagnostic.Location {
    for (mark, step, response) in responses where response.request.urn == location.response {
      guard let node = response.population?.document.root.node(at: location.pointer),
        let source = source(mark, step)
      else { continue }
      return .span(positions.span(of: node, at: location.pointer, in: source))
    }
    return .file(scenario.file.path)
  }

  private func source(_ mark: Int?, _ step: Int) -> BodySource? {
    if let mark {
      let sources = scenario.responses.flatMap { $0.responses.map(\.bodySource) }
      return sources.indices.contains(mark) ? sources[mark] : nil
    }
    if case .serialize(let step) = scenario.steps[step].action { return step.bodySource }
    return nil
  }
}

extension JSONNode {
  /// Returns the value at a path; nil if there is none.
  fileprivate func node(at pointer: JSONPointer) -> JSONNode? {
    var node = self
    for token in pointer.tokens {
      let child =
        switch node.kind {
        case .object: node[token]
        case .array: Int(token).flatMap { node[$0] }
        case .null, .boolean, .number, .string: JSONNode?.none
        }
      guard let child else { return nil }
      node = child
    }
    return node
  }
}
