import JSONTree
import RecordModel

/// The phase that sets the attributes of records, keys first. Rules: `population.attributes`, `values.*`,
/// `mapping.null`.
struct AttributeSetting: ~Copyable {
  private let population: Population
  private let report: PopulationReport
  private let schema: Schema
  private let access: GraphAccess?
  private var result: PopulatedGraph

  static func run(
    _ created: consuming PopulatedGraph, _ report: PopulationReport
  ) throws(StoreError) -> PopulatedGraph {
    try AttributeSetting(created, report).result
  }

  private init(_ created: consuming PopulatedGraph, _ report: PopulationReport) throws(StoreError) {
    population = report.population
    self.report = report
    schema = population.schema
    access = GraphAccess(population)
    result = created
    for index in result.protos.elementIndices { try set(index) }
    access?.noteChanges(in: &result)
    report.provenance?.hasSetAttributes = true
  }

  private mutating func set(_ index: ProtoIndex) throws(StoreError) {
    guard let recordIndex = result.protos[index].recordIndex, !result.protos[index].isTombstone else {
      return
    }
    let marshaler = population.marshaler(of: result.protos[index].entity)
    if let access, let marshaler {
      try access.lend(&result.graph, for: result.protos[index], at: recordIndex, report) {
        marshaler.willPopulate($0)
      }
    }
    var values = ChangingValues(result.graph.takeValues(at: recordIndex))
    var isStub = result.graph.records[recordIndex].row.isStub
    setKey(of: index, &values)
    if result.protos[index].effective.isFull {
      isStub = false
      let findings = result.protos[index].effective.findings
      if isUnmodified(index, findings, values, isStored: result.graph.records[recordIndex].stored != nil) {
        report.provenance?.noteUnmodified(index)
      } else {
        setAttributes(of: index, at: recordIndex, findings, &values, marshaler)
      }
    }
    result.graph.giveBack(values.values, at: recordIndex, isStub: isStub, areChanged: values.areChanged)
  }

  /// The values of a record while they are set. Equal values are not written, so a row without changes is not copied.
  private struct ChangingValues {
    private(set) var values: [AttributeValue?]
    private(set) var areChanged = false

    init(_ values: [AttributeValue?]) { self.values = values }

    subscript(column: ColumnIndex) -> AttributeValue? {
      get { values[column] }
      set {
        if let value = values[column] {
          if let newValue, value == newValue { return }
        } else if newValue == nil {
          return
        }
        values[column] = newValue
        areChanged = true
      }
    }
  }

  private func setKey(of index: ProtoIndex, _ values: inout ChangingValues) {
    let entity = result.protos[index].entity
    guard case .key(_, let key)? = result.protos[index].identity,
      case .attributes(let positions) = schema.entities[entity].key
    else { return }
    if case .single(let value) = key {
      values[schema.entities[entity].attributes[positions[0]].column] = value
      return
    }
    for (position, value) in zip(positions, key.values) {
      values[schema.entities[entity].attributes[position].column] = value
    }
  }

  private func setAttributes(
    of index: ProtoIndex, at recordIndex: WorkingRecordIndex, _ findings: ItemFindings,
    _ values: inout ChangingValues,
    _ marshaler: (any Marshaler)?
  ) {
    let entity = result.protos[index].entity
    var identifying: [AttributeIndex] = []
    if result.protos[index].identity != nil, case .attributes(let positions) = schema.entities[entity].key {
      identifying = positions
    }
    let attributes = schema.entities[entity].attributes
    if let position = schema.entities[entity].dictionaryAttribute {
      values[attributes[position].column] = .json(result.protos[index].keptDictionary(schema))
    }
    // Check once, before the loop: every access to an existential copies it.
    let isMarshaled = marshaler != nil
    for position in attributes.elementIndices {
      let effect: AttributeEffect
      if isMarshaled, let marshaler {
        if identifying.contains(position) { continue }
        let working = result.graph.records[recordIndex]
        let record = PopulatedRecord(
          working.row, values: values.values, dictionary: result.protos[index].dictionary(schema),
          isNew: working.stored == nil, schema: schema)
        let decision = marshaler.attribute(attributes[position].name, of: record)
        report.provenance?.note(decision, about: position, of: index)
        effect = AttributeEffect(decision, on: position, findings, of: schema.entities[entity], population)
      } else {
        if sets(attributes, position, findings, identifying, &values) { continue }
        if identifying.contains(position) { continue }
        effect = AttributeEffect(
          of: findings.attribute(position), on: position, of: schema.entities[entity], population)
      }
      if case .set(let value) = effect {
        values[attributes[position].column] = value
      } else {
        reportProblem(effect, attributes[position], entity, findings)
      }
    }
  }

  /// Sets an attribute in the most common cases: the item has nothing, a null, or a value of the document that can be
  /// converted to the type of the attribute.
  ///
  /// - Returns: false in all other cases.
  private func sets(
    _ attributes: [SchemaAttribute], _ position: AttributeIndex, _ findings: ItemFindings,
    _ identifying: [AttributeIndex], _ values: inout ChangingValues
  ) -> Bool {
    let tapeIndex = findings.tapeIndex(of: position)
    if tapeIndex == -1 { return true }
    let type = attributes[position].type
    guard tapeIndex >= 0, !identifying.contains(position) else { return false }
    let column = attributes[position].column
    if findings.document.isNull(at: tapeIndex), attributes[position].isOptional,
      attributes[position].null == .clear
    {
      values[column] = nil
      return true
    }
    if type == .string, case .string(let text)? = values[column],
      findings.document.string(at: tapeIndex, equals: text)
    {
      return true
    }
    guard let value = population.plainValue(of: position, among: attributes, in: findings) else {
      return false
    }
    values[column] = value
    return true
  }

  /// Returns a Boolean value that indicates whether the stored record is at least as new as the item.
  /// Rule: `merge.unmodified`.
  private func isUnmodified(
    _ index: ProtoIndex, _ findings: ItemFindings, _ values: ChangingValues, isStored: Bool
  ) -> Bool {
    let entity = result.protos[index].entity
    guard isStored, let position = schema.entities[entity].modificationAttribute,
      let finding = findings.attribute(position),
      let new = population.convert(
        finding.node, to: schema.entities[entity].attributes[position], of: entity),
      let stored = values[schema.entities[entity].attributes[position].column]
    else { return false }
    if case .string = stored { return new == stored }
    return !AttributeValue.areInIncreasingOrder(stored, new)
  }

  // MARK: Problems

  private func reportProblem(
    _ effect: AttributeEffect, _ attribute: SchemaAttribute, _ entity: EntityIndex, _ findings: ItemFindings
  ) {
    switch effect {
    case .none, .set: break
    case .nullForRequired(let finding):
      report.add(
        .nullRequired, entity: entity, property: attribute.name, at: finding.standingNode,
        "the attribute is required and has no default, so the null is ignored")
    case .unconvertible(let finding):
      let advice =
        attribute.type == .date && finding.node.kind == .string
        ? attribute.dateFormat.map { " with the date format '\($0.pattern)'" }
          ?? " without a date format, such as 'iso8601' or 'unix'"
        : ""
      report.add(
        .valueType, entity: entity, property: attribute.name, at: finding.standingNode,
        "cannot convert \(finding.excerpt) to \(attribute.type.rawValue)\(advice)")
    case .wrongAnswer:
      report.add(
        .valueType, entity: entity, property: attribute.name, at: findings.node,
        "cannot convert the value from the marshaler to \(attribute.type.rawValue)")
    }
  }
}
