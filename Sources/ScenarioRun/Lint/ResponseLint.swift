import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The comparison of the responses of a scenario with its model, in a run that has recorded their provenance.
struct ResponseLint {
  /// The differences of all responses from the model, without those whose items were not found.
  let drift: DriftReport
  let scenario: Scenario
  /// The responses whose items were found.
  let responses: [Received]
  /// The other responses.
  private let wrapped: [Wrapped]
  /// The sources of the canned bodies, by the mark of the response.
  private let sources: [BodySource?]
  private let positions = BodyPositions()

  /// A response and the index of the step that received it.
  struct Received {
    let step: Int
    let response: ResponseProvenance
  }

  /// A response that was taken for an item, although it wraps the items.
  private struct Wrapped {
    let received: Received
    let location: WrappedItems.Location
  }

  init(_ scenario: Scenario, _ provenance: ScenarioProvenance) {
    self.scenario = scenario
    sources = scenario.responses.flatMap { $0.responses.map(\.bodySource) }
    var responses: [Received] = []
    var wrapped: [Wrapped] = []
    for (step, received) in provenance.steps.enumerated() {
      for response in received {
        let received = Received(step: step, response: response)
        if let location = response.locationOfWrappedItems {
          wrapped.append(Wrapped(received: received, location: location))
        } else {
          responses.append(received)
        }
      }
    }
    (self.responses, self.wrapped) = (responses, wrapped)
    drift = responses.compactMap(\.response.drift).reduce(DriftReport()) { $0.merging($1) }
  }

  /// Returns the warnings about the keys and values of the items, without those that `drift` in `expect` states.
  func warnings() -> [AuthorDiagnostic] {
    let expected = scenario.expectedDrift
    return wrappedItems() + dictionaries() + misreadShapes() + implausibleDates()
      + drift.entities.flatMap { entity in
        let types = entity.changedTypes.filter { type in
          !expected.contains(of: entity.entity) { $0.types?.contains { $0.name == type.name } ?? false }
        }
        return unreadKeys(of: entity, expected) + types.compactMap { changingType($0, of: entity.entity) }
      }
  }

  // MARK: Wrapped items

  /// Returns a warning for each entity and address with responses that wrap their items.
  private func wrappedItems() -> [AuthorDiagnostic] {
    var addresses: Set<[String]> = []
    return wrapped.compactMap { wrapped in
      let (response, location) = (wrapped.received.response, wrapped.location)
      guard addresses.insert([response.entity.rawValue, response.request.urn]).inserted,
        let root = response.population?.document.root
      else { return nil }
      let span = span(of: root, at: JSONPointer(), in: wrapped.received)
      return AuthorDiagnostic(
        .wrappedItems, of: response.entity.rawValue, at: span.map { .span($0) } ?? .file(scenario.file.path),
        "the response has no primary key of '\(response.entity)'",
        advice:
          "the records are probably "
          + (location.path.components.isEmpty ? "its values" : "at '\(location.path)'")
          + ": write '\(location.declaration)' in '\(response.entity)'")
    }
  }

  /// Returns a warning for each entity and address with a dictionary of records that is read as one record, or of which
  /// only one record is read.
  private func dictionaries() -> [AuthorDiagnostic] {
    var known: Set<[String]> = []
    return responses.flatMap { received -> [AuthorDiagnostic] in
      guard let population = received.response.population else { return [] }
      return population.records.compactMap { record in
        guard let item = record.items.first?.node,
          let entity = population.schema.entity(record.entity),
          let found = dictionary(of: item, entity, record.key == .none, received.response),
          known.insert([entity.name.rawValue, received.response.request.urn]).inserted
        else { return nil }
        let span = span(of: item, at: item.pointer, in: received)
        return AuthorDiagnostic(
          .wrappedItems, of: entity.name.rawValue, at: span.map { .span($0) } ?? .file(scenario.file.path),
          found.message, advice: found.advice)
      }
    }
  }

  /// Returns the problem of an item that is a dictionary of records, or of one record in a dictionary; nil for another
  /// item.
  private func dictionary(
    of item: JSONNode, _ entity: SchemaEntity, _ isKeyless: Bool, _ response: ResponseProvenance
  ) -> (message: String, advice: String)? {
    let schema = scenario.model.schema
    if isKeyless, let attribute = WrappedItems.dictionaryAttribute(of: item, entity, schema),
      !item.pointer.tokens.isEmpty
    {
      return (
        "the object at '\(item.pointer)' has no primary key of '\(entity.name)'",
        "its values are probably the records: write 'keyedBy: \(attribute)' in the relationship to '\(entity.name)'"
      )
    }
    guard response.results.count == 1, entity.name == response.entity, entity.responseKeyedBy == nil,
      let path = entity.responseKeyPath, case let tokens = item.pointer.tokens, let name = tokens.last,
      path == MappingPath(keys: tokens),
      let parent = response.node(at: JSONPointer(tokens: Array(tokens.dropLast()))), parent.count > 1,
      let attribute = WrappedItems.dictionaryAttribute(of: parent, entity, schema)
    else { return nil }
    let rest = MappingPath(keys: Array(tokens.dropLast()))
    let declaration = WrappedItems.Location(path: rest, keyedBy: attribute).declaration
    return (
      "'responseKeyPath: \(path)' reads one of \(parent.count) records in a dictionary",
      "to read all of them, write '\(declaration)' in '\(entity.name)' in place of '\(name)'"
    )
  }

  // MARK: Unread keys

  /// Returns a warning for each unread key that is probably a property under another name. Most servers send keys that
  /// an app does not use, so other keys are no mistake.
  private func unreadKeys(of entity: EntityDrift, _ expected: [EntityDriftExpectation]) -> [AuthorDiagnostic]
  {
    guard let schemaEntity = scenario.model.schema.entity(entity.entity), !isCustomized(schemaEntity) else {
      return []
    }
    // A path leads to such a key, but cannot read its value, or reads another key of the same text.
    let keysOfOptions = scenario.keysOfOptions
    let texts = Set(schemaEntity.paths(in: scenario.model.schema).map { ScalarString($0.keyText) })
    return entity.unusedKeys.prefix(Self.comparedKeys).compactMap { key in
      let isExpected = expected.contains(of: entity.entity) {
        $0.unused?.lines.contains { $0.name == key.path.description } ?? false
      }
      guard !isExpected, !texts.contains(ScalarString(key.path.keyText)),
        !keysOfOptions.contains(key.path.firstKey),
        let property = property(near: key, among: entity.missingProperties, of: schemaEntity)
      else { return nil }
      return AuthorDiagnostic(
        .unreadKey, at: location(of: key.first), "no property of '\(entity.entity)' reads '\(key.path)'",
        advice:
          "did you mean '\(property)'? otherwise, list '\(key.path.keyText)' in 'ignores' of '\(entity.entity)'"
      )
    }
  }

  /// The maximum numbers of unread keys and of properties that are compared with each other.
  private static let (comparedKeys, comparedProperties) = (200, 100)

  /// Returns the name of a property that an item lacks and whose name is similar to an unread key of the item.
  private func property(
    near key: UnusedKey, among missing: [MissingProperty], of entity: SchemaEntity
  ) -> PropertyName? {
    if let property = missing.prefix(Self.comparedProperties).first(where: { $0.isNear(key) }) {
      return property.name
    }
    // Another item may have the property.
    guard key.path.components.count == 1, let item = item(with: key) else { return nil }
    return entity.attributes.prefix(Self.comparedProperties).first { attribute in
      attribute.paths.allSatisfy { $0.find(in: item) == nil }
        && attribute.paths.contains { nearestName(to: key.path.keyText, among: [$0.keyText]) != nil }
    }?.name
  }

  /// Returns a Boolean value that indicates whether the scenario changes how the items of an entity are read.
  private func isCustomized(_ entity: SchemaEntity) -> Bool {
    let schema = scenario.model.schema
    return scenario.customizations.keys.contains { schema.isKind(entity.name, of: $0) }
      || scenario.steps.contains { if case .tweak = $0.action { true } else { false } }
  }

  // MARK: Types

  /// Returns the warning about a property whose values have one type in a response, and another type in a later one.
  private func changingType(_ type: ChangedType, of entity: EntityName) -> AuthorDiagnostic? {
    // A reference and a nested object for the same record, and a decimal number as a string, are as intended.
    guard !type.expected.isEmpty, type.found.contains(where: { !type.expected.contains($0.kind) }),
      type.found.count > 1, responses.allSatisfy({ !$0.response.hasSeveralKinds(of: type, entity) }),
      let first = type.found.first
    else { return nil }
    let others = type.found.dropFirst().compactMap { kind -> AuthorDiagnostic.Note? in
      guard case .span(let span) = location(of: kind.first, kind: kind.kind) else { return nil }
      return .init(span, Self.article(kind.kind))
    }
    let kinds = Self.list(type.found.map { Self.article($0.kind) })
    return AuthorDiagnostic(
      .changingType, of: "\(entity).\(type.property)", at: location(of: first.first, kind: first.kind),
      "the value of '\(type.property)' of '\(entity)' is \(kinds), depending on the response",
      advice: "write values of one type, or allow the warning if the server sends both", notes: others)
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func article(_ kind: JSONKind) -> String {
    switch kind {
    case .array, .object: "an \(kind.rawValue)"
    case .null, .boolean, .number, .string: "a \(kind.rawValue)"
    }
  }

  // MARK: Locations

  /// Returns the location of a value in the files of the author; the scenario if there is none.
  ///
  /// - Parameter kind: the kind of the value; nil for any kind.
  private func location(of location: DriftLocation, kind: JSONKind? = nil) -> AuthorDiagnostic.Location {
    for received in responses where received.response.request.urn == location.response {
      if let node = received.response.node(at: location.pointer), kind == nil || node.kind == kind,
        let span = span(of: node, at: location.pointer, in: received)
      {
        return .span(span)
      }
    }
    return .file(scenario.file.path)
  }

  /// Returns the location of a value of a response in the files of the author; nil if there is none.
  func span(of node: JSONNode, at pointer: JSONPointer, in received: Received) -> SourceSpan? {
    source(of: received).map { positions.span(of: node, at: pointer, in: $0) }
  }

  /// Returns the item in which an unread key occurs first.
  private func item(with key: UnusedKey) -> JSONNode? {
    let parent = JSONPointer(tokens: Array(key.first.pointer.tokens.dropLast()))
    return responses.lazy.filter { $0.response.request.urn == key.first.response }
      .compactMap { received in
        received.response.node(at: key.first.pointer).flatMap { _ in received.response.node(at: parent) }
      }.first
  }

  private func source(of received: Received) -> BodySource? {
    if let mark = received.response.mark { return sources.indices.contains(mark) ? sources[mark] : nil }
    if case .serialize(let step) = scenario.steps[received.step].action { return step.bodySource }
    return nil
  }
}

extension Scenario {
  /// The drift that the expectations state.
  fileprivate var expectedDrift: [EntityDriftExpectation] {
    ([expectation] + steps.flatMap(\.expectations)).flatMap { $0.drift?.entities ?? [] }
  }

  /// The keys of items that the options of requests read, for keys that are computed.
  var keysOfOptions: Set<ScalarString> {
    let options = Array(defaults.values) + steps.flatMap(\.options)
    let paths = options.flatMap { options in
      options.injections.values.flatMap(\.paths)
        + options.prepopulation.values.joined().compactMap(\.path)
    }
    return Set(paths.map(\.firstKey))
  }
}

extension InjectedKey {
  fileprivate var paths: [MappingPath] {
    switch self {
    case .whole(.path(let path)): [path]
    case .whole: []
    case .parts(let parts): parts.compactMap(\.path)
    }
  }
}

extension ItemKeyAssignment {
  fileprivate var path: MappingPath? { if case .path(let path) = source { path } else { nil } }
}

extension MappingPath {
  /// The first key of the path; empty if there is none.
  var firstKey: ScalarString {
    if case .key(let key)? = components.first { ScalarString(key) } else { ScalarString("") }
  }
}

extension [EntityDriftExpectation] {
  fileprivate func contains(of entity: EntityName, where isMatch: (EntityDriftExpectation) -> Bool) -> Bool {
    contains { $0.entity == entity && isMatch($0) }
  }
}

extension ChangedType {
  /// The name of the property as `drift` in `expect` states it.
  fileprivate var name: String { property.rawValue + (isOfElements ? "[]" : "") }
}

extension MissingProperty {
  /// Returns a Boolean value that indicates whether an unread key is similar to one of the paths.
  func isNear(_ key: UnusedKey) -> Bool {
    let text = key.path.keyText
    return paths.contains { UnreadKeys.areNear($0.keyText, text) }
  }
}

extension ResponseProvenance {
  /// The location of the items, if the response as a whole was taken for an item without a key; nil otherwise.
  fileprivate var locationOfWrappedItems: WrappedItems.Location? {
    guard let population, let entity = population.schema.entity(entity),
      population.records.contains(where: { record in
        record.key == .none && record.items.contains { $0.node.index == population.document.root.index }
      })
    else { return nil }
    return WrappedItems.location(in: population.document.root, of: entity, population.schema)
  }

  func node(at pointer: JSONPointer) -> JSONNode? { population?.document.root.node(at: pointer) }

  fileprivate func hasSeveralKinds(of type: ChangedType, _ entity: EntityName) -> Bool {
    drift?.entities.first { $0.entity == entity }?.changedTypes.contains { other in
      other.property == type.property && other.isOfElements == type.isOfElements && other.found.count > 1
    } ?? false
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
