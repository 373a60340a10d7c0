import JSONTree
package import RecordModel
package import ScenarioComparison
package import ScenarioFormat
package import ScenarioRun

/// The explanations of all records of a kept result. They answer like the run that they come from.
package struct KeptExplanations: Sendable {
  /// The indices of the facts about a record.
  private struct Record: Sendable {
    /// The fact about the origin or the deletion of the record.
    var origin: Int?
    /// The facts about the record as a whole.
    var facts: [Int]
    /// The facts about each property, in the order of the model.
    var properties: [[Int]]
  }

  /// The facts, each of which is stored once. The paths of their files are relative to the folder of scenarios.
  private var facts: [Explanation.Fact] = []
  private var records: [RecordLabel: Record] = [:]
  /// The labels of the records that were deleted.
  private var former: [RecordLabel] = []
  private let graphs: [GraphSnapshot]
  package let schema: Schema
}

// MARK: Creating

extension KeptExplanations {
  /// Creates the explanations of all labels that the graphs of a run contain.
  ///
  /// - Parameter scenarios: the folder of scenarios.
  /// - Complexity: linear in the number of facts.
  package init(_ explainer: Explainer, below scenarios: String) {
    graphs = explainer.graphs
    schema = explainer.schema
    former = explainer.labels.former
    var table = FactTable(below: scenarios)
    for graph in graphs.reversed() {
      for label in graph.records.keys.filter({ records[$0] == nil }).sorted() {
        records[label] = Record(
          origin: explainer.origin(of: label).map { table.index(of: $0) },
          facts: (explainer.facts(on: label) ?? []).map { table.index(of: $0) },
          properties: explainer.properties(of: label).map { name in
            (explainer.property(name, of: label)?.facts ?? []).map { table.index(of: $0) }
          })
      }
    }
    facts = table.facts
  }

  /// A table that contains equal facts once.
  private struct FactTable {
    private struct Key: Hashable {
      let name: String
      let text: ScalarString
      let rules: [String]
      let step: Int?
      let pointer: JSONPointer?
      let path: ScalarString?
      let line: Int?
      let column: Int?
    }

    private(set) var facts: [Explanation.Fact] = []
    private var indices: [Key: Int] = [:]
    private let folder: String
    /// The relative paths of files, by the paths in facts.
    private var paths: [ScalarString: String] = [:]

    init(below scenarios: String) { folder = FileAccess.resolved(scenarios) }

    mutating func index(of fact: Explanation.Fact) -> Int {
      var fact = fact
      if let path = fact.position?.path { fact.position?.path = relativePath(path) }
      let key = Key(
        name: fact.name, text: ScalarString(fact.text), rules: fact.rules, step: fact.step,
        pointer: fact.pointer, path: (fact.position?.path).map { ScalarString($0) },
        line: fact.position?.line, column: fact.position?.column)
      if let index = indices[key] { return index }
      indices[key] = facts.count
      facts.append(fact)
      return facts.count - 1
    }

    private mutating func relativePath(_ path: String) -> String {
      if let known = paths[ScalarString(path)] { return known }
      let relative = InputFile.path(from: folder, to: FileAccess.resolved(path))
      paths[ScalarString(path)] = relative
      return relative
    }
  }

  /// Returns the explanations with paths as the user would type them.
  package func located(below scenarios: String) -> KeptExplanations {
    var located = self
    var paths: [ScalarString: String] = [:]
    for index in facts.indices {
      guard let path = facts[index].position?.path else { continue }
      let displayed = paths[ScalarString(path)] ?? InputFile.displayedPath(of: path, below: scenarios)
      paths[ScalarString(path)] = displayed
      located.facts[index].position?.path = displayed
    }
    return located
  }
}

// MARK: Answering

extension KeptExplanations: ExplanationSource {
  package var labels: (current: [RecordLabel], former: [RecordLabel]) {
    (graphs.last?.readableLabels ?? [], former)
  }

  package func origin(of label: RecordLabel) -> Explanation.Fact? {
    records[label]?.origin.map { facts[$0] }
  }

  package func facts(on label: RecordLabel) -> [Explanation.Fact]? {
    records[label]?.facts.map { facts[$0] }
  }

  package func properties(of label: RecordLabel) -> [PropertyName] {
    snapshot(of: label).map { schema.propertyNames(of: $0.entity) } ?? []
  }

  package func property(_ name: PropertyName, of label: RecordLabel) -> Explanation? {
    guard let record = records[label], let index = properties(of: label).firstIndex(of: name),
      record.properties.indices.contains(index)
    else { return nil }
    return Explanation(
      record: label, property: name, value: snapshot(of: label)?.properties[name]?.goldenForm,
      facts: record.properties[index].map { facts[$0] })
  }

  /// Returns the last state of a record.
  private func snapshot(of label: RecordLabel) -> RecordSnapshot? {
    graphs.last { $0[label] != nil }?[label]
  }
}

// MARK: Form

extension KeptExplanations {
  var keptForm: JSONValue {
    var names = Table()
    var rules = Table()
    var files = Table()
    let facts = facts.map { fact -> JSONValue in
      var elements: [JSONValue] = [
        names.index(of: .string(fact.name)), .string(fact.text),
        rules.index(of: .array(fact.rules.map { .string($0) })), fact.step.map(JSONValue.count) ?? .null,
      ]
      if fact.pointer != nil || fact.position != nil {
        elements.append(fact.pointer.map { .string($0.description) } ?? .null)
      }
      if let position = fact.position {
        elements += [
          files.index(of: .string(position.path)), .count(position.line), .count(position.column),
        ]
      }
      return .array(elements)
    }
    var object = JSONFormObject()
    object.add("names", list: names.values)
    object.add("rules", list: rules.values)
    object.add("files", list: files.values)
    object.add("facts", list: facts)
    object.add("former", names: former)
    object.add(
      "records",
      sorted: records.map { label, record in
        (
          label.rawValue,
          [
            record.origin.map(JSONValue.count) ?? .null, .counts(record.facts),
            .array(record.properties.map(JSONValue.counts)),
          ]
        )
      })
    return object.form
  }

  /// A table of values that occur often.
  private struct Table {
    private(set) var values: [JSONValue] = []
    private var indices: [JSONValue: Int] = [:]

    mutating func index(of value: JSONValue) -> JSONValue {
      if let index = indices[value] { return .count(index) }
      indices[value] = values.count
      values.append(value)
      return .count(values.count - 1)
    }
  }

  /// Reads the explanations of a result with these graphs and this model.
  package init(kept form: JSONForm, graphs: [GraphSnapshot], model: Schema) throws(JSONForm.Damaged) {
    self.graphs = graphs
    schema = model
    func strings(_ form: JSONForm) throws(JSONForm.Damaged) -> [String] {
      try form.elements { form throws(JSONForm.Damaged) in try form.string() }
    }
    let names = try form.optional("names").map(strings) ?? []
    let rules = try form.optional("rules")?.elements(strings) ?? []
    let files = try form.optional("files").map(strings) ?? []
    facts =
      try form.optional("facts")?.elements { form throws(JSONForm.Damaged) in
        try Explanation.Fact(kept: form, names, rules, files)
      } ?? []
    former = try form.optional("former")?.names() ?? []
    let count = facts.count
    func indices(_ form: JSONForm) throws(JSONForm.Damaged) -> [Int] {
      try form.elements { form throws(JSONForm.Damaged) in try form.index(below: count) }
    }
    for (label, form) in try form.optional("records")?.members() ?? [] {
      let parts = try form.elements { $0 }
      guard parts.count == 3 else { throw form.damaged("an array of three elements") }
      records[RecordLabel(label)] = Record(
        origin: parts[0].value.kind == .null ? nil : try parts[0].index(below: count),
        facts: try indices(parts[1]), properties: try parts[2].elements(indices))
    }
    // Each record of the result has an explanation of each property.
    for label in Set(graphs.flatMap(\.records.keys)) {
      guard let record = records[label], record.properties.count == properties(of: label).count else {
        throw form.damaged("an explanation of the record '\(label)'")
      }
    }
  }
}

extension Explanation.Fact {
  fileprivate init(
    kept form: JSONForm, _ names: [String], _ rules: [[String]], _ files: [String]
  ) throws(JSONForm.Damaged) {
    let parts = try form.elements { $0 }
    guard [4, 5, 8].contains(parts.count) else { throw form.damaged("an array of 4, 5 or 8 elements") }
    self.init(
      name: names[try parts[0].index(below: names.count)], text: try parts[1].string(),
      rules: rules[try parts[2].index(below: rules.count)],
      step: parts[3].value.kind == .null ? nil : try parts[3].count())
    if parts.count > 4, parts[4].value.kind != .null {
      guard let pointer = JSONPointer(try parts[4].string()) else { throw parts[4].damaged("a JSON pointer") }
      self.pointer = pointer
    }
    if parts.count > 5 {
      position = SourcePosition(
        path: files[try parts[5].index(below: files.count)], line: try parts[6].count(),
        column: try parts[7].count())
    }
  }
}

extension JSONForm {
  /// Returns a number that is the index of an element.
  fileprivate func index(below count: Int) throws(Damaged) -> Int {
    let index = try self.count()
    guard (0..<count).contains(index) else { throw damaged("a number below \(count)") }
    return index
  }
}

extension JSONValue {
  fileprivate static func count(_ count: Int) -> JSONValue { .number(JSONNumber(Int64(count))) }

  fileprivate static func counts(_ counts: [Int]) -> JSONValue { .array(counts.map(JSONValue.count)) }
}
