import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The use of a model by all scenarios that share its file.
struct ModelUse {
  private let model: ManagedObjectModel
  private let locations: ModelSourceMap
  private var drift = DriftReport()
  /// The properties that have values from elsewhere, and those that are expected to be missing.
  private var excused: Set<Property> = []
  /// The keys of items that the options of requests read.
  private var keysOfOptions: Set<ScalarString> = []
  /// The keys of responses whose items are unknown.
  private var unclearKeys: Set<ScalarString> = []

  private struct Property: Hashable {
    let entity: EntityName
    let name: PropertyName
  }

  /// Creates the use of a model by no scenarios.
  ///
  /// - Parameter locations: the locations of the parts of the model, first those in its file.
  init(_ model: ManagedObjectModel, _ locations: ModelSourceMap) {
    self.model = model
    self.locations = ModelSourceMap(Array(locations.layers.prefix(1)))
  }

  /// Adds a scenario that has been run.
  ///
  /// - Parameter drift: the differences of its responses from the model.
  mutating func add(_ scenario: Scenario, _ executed: ExecutedScenario, _ drift: DriftReport) {
    self.drift = self.drift.merging(drift)
    excuse(in: scenario)
    let steps = executed.snapshot.steps + executed.snapshot.steps.flatMap(\.batch)
    let isDry = (Array(scenario.defaults.values) + scenario.steps.flatMap(\.options)).contains {
      $0.isDryRun ?? false
    }
    if isDry || steps.contains(where: { $0.failure != nil }) { addKeys(of: scenario) }
  }

  /// Adds a scenario that cannot be run here. Each key of its responses may be read.
  mutating func addUnrun(_ scenario: Scenario) {
    excuse(in: scenario)
    addKeys(of: scenario)
  }

  // MARK: Warnings

  /// Returns a warning for each property that no item has.
  ///
  /// - Parameter isFile: a Boolean value that indicates whether the model is a file. A model in a scenario may declare
  ///   more than the scenario needs. It has warnings only about entities whose items have further keys.
  func warnings(isFile: Bool) -> [AuthorDiagnostic] {
    let schema = model.schema
    let found = Dictionary(
      drift.allEntities.map { ($0.entity, $0) }, uniquingKeysWith: { first, _ in first })
    return schema.entities.flatMap { entity -> [AuthorDiagnostic] in
      let names =
        entity.declaredAttributes(in: schema).filter { $0.defaultValue == nil }.map(\.name)
        + entity.relationships.map { schema.relationships[$0] }.filter { $0.entity == entity.index }.map(
          \.name)
      // Most of the entities of a deep hierarchy may declare nothing.
      if names.isEmpty { return [] }
      let kinds = schema.kinds(of: entity.index).compactMap { found[schema.entities[$0].name] }
      let unread = kinds.flatMap(\.unusedKeys).filter { !keysOfOptions.contains($0.path.firstKey) }
      guard !kinds.isEmpty, isFile || !unread.isEmpty else { return [] }
      let missing = kinds.map { Set($0.missingProperties.map(\.name)) }
      return names.compactMap { name in
        guard missing.allSatisfy({ $0.contains(name) }), !isExcused(name, of: entity),
          let property = kinds.first?.missingProperties.first(where: { $0.name == name })
        else { return nil }
        return warning(property, of: entity, unread: unread)
      }
    }
  }

  private func isExcused(_ name: PropertyName, of entity: SchemaEntity) -> Bool {
    let schema = model.schema
    var isSet = schema.kinds(of: entity.index).contains {
      excused.contains(Property(entity: schema.entities[$0].name, name: name))
    }
    if let inverse = schema.relationship(name, of: entity.name)?.inverse {
      let other = schema.relationships[inverse]
      isSet =
        isSet || excused.contains(Property(entity: schema.entities[other.entity].name, name: other.name))
    }
    if isSet || entity.dictionaryAttribute.map({ entity.attributes[$0].name }) == name { return true }
    let paths =
      schema.attribute(name, of: entity.name)?.paths ?? schema.relationship(name, of: entity.name)?.paths
      ?? []
    return paths.contains { path in
      path.components.contains {
        if case .key(let key) = $0 { unclearKeys.contains(ScalarString(key)) } else { false }
      }
    }
  }

  private func warning(
    _ property: MissingProperty, of entity: SchemaEntity, unread: [UnusedKey]
  ) -> AuthorDiagnostic? {
    let kind = entity.attributeIndices[property.name] == nil ? "relationships" : "attributes"
    guard
      let location = locations.location(
        of: JSONPointer(tokens: ["entities", entity.name.rawValue, kind, property.name.rawValue]))
    else { return nil }
    let paths = property.paths.map { "'\($0)'" }.joined(separator: " or ")
    let near = unread.prefix(200).first { property.isNear($0) }
    let names = unread.prefix(10).map { "'\($0.path)'" } + (unread.count > 10 ? ["…"] : [])
    return AuthorDiagnostic(
      .missingProperty, of: "\(entity.name).\(property.name)", at: location,
      paths == "'\(property.name)'"
        ? "no response has '\(property.name)' of '\(entity.name)'"
        : "no response has '\(property.name)' of '\(entity.name)', read from \(paths)",
      advice: near.map { "did you mean 'from: \($0.path)'?" }
        ?? (names.isEmpty
          ? "correct the name, or remove the property"
          : "correct the name, or remove the property; no property reads \(names.joined(separator: ", "))"))
  }

  // MARK: Other sources of values

  private mutating func excuse(in scenario: Scenario) {
    keysOfOptions.formUnion(scenario.keysOfOptions)
    for seed in scenario.seeds { excuse(seed.properties, of: seed.entity) }
    for step in scenario.steps {
      guard case .change(let change) = step.action else { continue }
      for insert in change.inserts { excuse(insert.properties, of: insert.entity) }
      for update in change.updates { excuse(update.properties, of: update.record.value.entity) }
    }
    for (entity, customization) in scenario.customizations {
      guard let marshaling = customization.marshaling else { continue }
      let names =
        Array(marshaling.attributes.keys) + Array(marshaling.values.keys)
        + Array(marshaling.relationships.keys)
        + [marshaling.childBy].compactMap(\.self) + (marshaling.before + marshaling.after).map(\.attribute)
      for name in names { excused.insert(Property(entity: entity, name: name)) }
    }
    for options in Array(scenario.defaults.values) + scenario.steps.flatMap(\.options) {
      for assignment in options.prepopulation.values.joined() {
        unclearKeys.insert(ScalarString(assignment.key))
      }
    }
    for expectation in [scenario.expectation] + scenario.steps.flatMap(\.expectations) {
      excuse(in: expectation)
    }
  }

  private mutating func excuse(_ properties: [PropertyAssignment], of entity: EntityName) {
    for property in properties { excuse(property.name, of: entity) }
  }

  private mutating func excuse(_ name: PropertyName, of entity: EntityName) {
    excused.insert(Property(entity: entity, name: name))
    // A property of a sub-entity may be declared by an ancestor.
    guard var ancestor = model.schema.entity(entity) else { return }
    while let parent = ancestor.parent {
      ancestor = model.schema.entities[parent]
      excused.insert(Property(entity: ancestor.name, name: name))
    }
  }

  /// Excuses the properties that an author expects to be empty or missing.
  private mutating func excuse(in expectation: Expectation) {
    for entity in expectation.drift?.entities ?? [] {
      for line in entity.missing?.lines ?? [] { excuse(PropertyName(line.name), of: entity.entity) }
    }
    var rest = expectation.graph.flatMap(\.records)
    while let match = rest.popLast() {
      for property in match.properties {
        switch property.value {
        case .attribute(nil), .noRecord, .count(0): excuse(property.name, of: match.entity)
        case .exactly(let members) where members.isEmpty: excuse(property.name, of: match.entity)
        case .record(.match(let inner)): rest.append(inner)
        case .exactly(let members), .contains(let members):
          rest += members.compactMap { if case .match(let inner) = $0 { inner } else { nil } }
        case .attribute, .record, .count: break
        }
      }
    }
  }

  private mutating func addKeys(of scenario: Scenario) {
    var values = scenario.responses.flatMap { $0.responses.compactMap(\.body) }.compactMap { body in
      if case .value(let value) = body { value } else { nil }
    }
    values += scenario.recordedBodies.compactMap { try? JSONDocument(parsing: $0).root.value }
    while let value = values.popLast() {
      switch value {
      case .array(let elements): values += elements
      case .object(let members):
        for (key, value) in members {
          unclearKeys.insert(ScalarString(key))
          values.append(value)
        }
      case .null, .boolean, .number, .string: break
      }
    }
  }
}
