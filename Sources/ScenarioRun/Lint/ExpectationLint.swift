import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The search for expectations of records that the inputs of a scenario cannot create.
///
/// A record is impossible if no step has it, and its key occurs neither in a response nor elsewhere outside of
/// `expect`. The expectation of its absence would always be met.
struct ExpectationLint {
  private let scenario: Scenario
  private let executed: ExecutedScenario
  private let sources: [YAMLNode]
  /// The keys of all records of the run, as in labels: `/7` or `@User/7`.
  private let existing: Set<ScalarString>
  private var inputs: Set<ScalarString>?
  private var found: FoundLabels?
  private var suggestions = NameSuggestions()

  /// Creates a search.
  ///
  /// - Parameter sources: the contents of the scenario file and of the model file.
  init(_ scenario: Scenario, _ executed: ExecutedScenario, sources: [YAMLNode]) {
    (self.scenario, self.executed, self.sources) = (scenario, executed, sources)
    var existing: Set<ScalarString> = []
    let steps = executed.snapshot.steps + executed.snapshot.steps.flatMap(\.batch)
    for step in steps {
      let labels = step.records + step.inserted + step.deleted + step.stored + step.unchanged
      existing.formUnion((labels + step.updated.keys).map { ScalarString($0.keyPart) })
    }
    for graph in executed.graphs { existing.formUnion(graph.records.keys.map { ScalarString($0.keyPart) }) }
    self.existing = existing
  }

  /// Returns a warning for each impossible record. Linear in the size of the inputs and of the expectations.
  mutating func warnings() -> [AuthorDiagnostic] {
    var warnings: [AuthorDiagnostic] = []
    for expectation in [scenario.expectation] + scenario.steps.flatMap(\.expectations) {
      for (label, span) in expectation.labels(scenario.model.schema)
      where !existing.contains(ScalarString(label.keyPart)) && isImpossible(label) {
        warnings.append(
          AuthorDiagnostic(
            .impossibleRecord, of: label.rawValue, at: span,
            "there is never a record '\(label)', because no response contains its key",
            advice: advice(for: label)))
      }
    }
    return warnings
  }

  private mutating func advice(for label: RecordLabel) -> String {
    let found = found ?? FoundLabels(executed.graphs)
    self.found = found
    if let near = suggestions.advice(for: label.rawValue, among: found.keyed) { return near }
    if let keyless = found.keyless[label.entity] {
      return "the key of '\(keyless)' was not found: see 'recordspec explain'"
    }
    return "correct the key, or remove the expectation"
  }

  private mutating func isImpossible(_ label: RecordLabel) -> Bool {
    guard let (entity, texts) = label.keyTexts, let keys = keys(of: entity), keys.count == texts.count else {
      return false
    }
    return zip(keys, texts).contains { key, text in
      switch key.type {
      case .string: !isInput(text)
      case .int16, .int32, .int64: Int64(text) != nil && !isInput(text)
      default: false
      }
    }
  }

  /// Returns the attributes of an entity's key; nil if keys are computed, injected or values of attributes.
  private func keys(of name: EntityName) -> [SchemaAttribute]? {
    let schema = scenario.model.schema
    guard let entity = schema.entity(name), case .attributes(let positions) = entity.key,
      schema.kinds(of: entity.index).allSatisfy({ kind in
        schema.entities[kind].keyComputation == nil
          && scenario.customizations[schema.entities[kind].name] == nil
      })
    else { return nil }
    return positions.map { entity.attributes[$0] }
  }

  // MARK: Inputs

  private mutating func isInput(_ text: String) -> Bool {
    let inputs = inputs ?? allInputs()
    self.inputs = inputs
    return inputs.contains(ScalarString(text))
  }

  /// The texts of all scalars and keys outside of `expect`, and the integers among them in their shortest form.
  private func allInputs() -> Set<ScalarString> {
    var inputs: Set<ScalarString> = []
    func add(_ text: String) {
      inputs.insert(ScalarString(text))
      if text.utf8.count <= 40, let number = Double(text), let integer = Int64(exactly: number) {
        inputs.insert(ScalarString(String(integer)))
      }
      if let integer = Int64(text) { inputs.insert(ScalarString(String(integer))) }
    }
    var rest = sources
    while let node = rest.popLast() {
      switch node.content {
      case .scalar(let scalar):
        add(scalar.text)
        if case .number(let digits, _) = scalar.value { add(digits) }
      case .sequence(let elements): rest += elements
      case .mapping(let pairs):
        for pair in pairs where pair.key != "expect" {
          add(pair.key)
          rest.append(pair.value)
        }
      }
    }
    for bytes in scenario.recordedBodies {
      guard let document = try? JSONDocument(parsing: bytes) else { continue }
      var rest = [document.root]
      while let node = rest.popLast() {
        switch node.kind {
        case .string: add(node.string ?? "")
        case .number: add(node.number?.digits ?? "")
        case .array: rest += node.elements
        case .object:
          for (key, value) in node.members {
            add(key)
            rest.append(value)
          }
        case .null, .boolean: break
        }
      }
    }
    return inputs
  }
}

/// The labels of all records of a run.
private struct FoundLabels {
  /// The labels of the records with a key, sorted.
  let keyed: [String]
  /// For each entity, the first label of a record without a key.
  private(set) var keyless: [EntityName: RecordLabel] = [:]

  init(_ graphs: [GraphSnapshot]) {
    let labels = Set(graphs.flatMap(\.records.keys)).sorted()
    keyed = labels.filter { !$0.keyPart.isEmpty }.map(\.rawValue)
    for label in labels.reversed() where label.keyPart.isEmpty { keyless[label.entity] = label }
  }
}

extension Scenario {
  /// The bodies that are not values of the scenario file.
  var recordedBodies: [[UInt8]] {
    let bodies =
      responses.flatMap { $0.responses.compactMap(\.body) }
      + steps.compactMap { step in
        if case .serialize(let response) = step.action { response.body } else { nil }
      }
    return bodies.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
  }
}

extension RecordLabel {
  /// The entity and the texts of the last key in the label; nil if it has none.
  fileprivate var keyTexts: (entity: EntityName, texts: [String])? {
    var label = base
    while let owner = label.owner { label = owner }
    let scalars = label.rawValue.unicodeScalars
    guard let slash = scalars.firstIndex(of: "/") else { return nil }
    let parts = scalars[scalars.index(after: slash)...].split(
      separator: ",", omittingEmptySubsequences: false)
    return (label.entity, parts.map { PercentEncoding.decoded(String($0)) })
  }
}

extension Expectation {
  /// The labels of all expected and all absent records that are identified by a key, with their locations.
  fileprivate func labels(_ schema: Schema) -> [(RecordLabel, SourceSpan)] {
    var found: [(RecordLabel, SourceSpan)] = []
    func add(_ member: MemberExpectation) {
      switch member {
      case .label(let label): found.append((label.value, label.span))
      case .match(let match): add(match)
      }
    }
    func add(_ match: RecordMatch) {
      let texts = schema.key(of: match.entity).compactMap { name -> String? in
        guard case .attribute(let value?)? = match.properties.first(where: { $0.name == name })?.value,
          let type = schema.attribute(name, of: match.entity)?.type
        else { return nil }
        let literal = value.literal(type: type)
        if case .string(let text) = literal { return text }
        return literal.compactText()
      }
      if !texts.isEmpty, texts.count == schema.key(of: match.entity).count {
        found.append((.keyed(match.entity, by: texts), match.span))
      }
    }
    for entity in graph {
      found += entity.absent.map { ($0.value, $0.span) }
      entity.records.forEach(add)
    }
    for list in [records, stored, unchanged, inserted, deleted].compactMap(\.self) {
      ((list.exactly ?? []) + (list.anyOrder ?? []) + (list.contains ?? [])).forEach(add)
    }
    found += (updated?.value ?? []).map { ($0.record.value, $0.record.span) }
    return found
  }
}
