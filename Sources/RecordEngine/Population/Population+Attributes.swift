import Foundation
import JSONTree
import RecordModel

/// Attributes are set, the key first. Rules: `population.hook`, `population.attributes`, `values.*`, `mapping.null`.
extension Population {
  // MARK: The pre-population hook

  mutating func runPrePopulation() {
    prepopulate(protos.indices.filter { protos[$0].record != nil })
  }

  /// Asks the hook about protos, each of them once; attributes are then read from what it answers.
  mutating func prepopulate(_ indices: some Sequence<Int>) {
    guard let hook = options.prePopulation else { return }
    let parents = enclosingProtos()
    for index in indices where !protos[index].isTombstone && prepopulated.insert(index).inserted {
      let proto = protos[index]
      let entity = schema.entities[proto.entity]
      let item = PrePopulationItem(
        entity: entity.name, dictionary: proto.effective.item.dictionary(of: entity),
        parent: parents[index].flatMap(parentItem))
      guard let answer = hook(item), answer.kind == .object else { continue }
      let changed = Item(
        node: JSONDocument(answer).root, collectionKey: proto.effective.item.collectionKey)
      let findings = ItemFindings(changed, schema, entity: protos[index].entity, found: &foundKeys)
      protos[index].effective.findings = findings
      // What the hook adds makes a stub full, as if the server had sent it.
      if findings.isFull(schema, protos[index].entity) { protos[index].effective.isFull = true }
    }
  }

  /// For each proto, where its item is nested first.
  private func enclosingProtos() -> [Enclosing?] {
    var result = [Enclosing?](repeating: nil, count: protos.count)
    for (index, proto) in protos.enumerated() {
      for children in proto.effective.children {
        for child in children.protos + children.unlinked where result[child] == nil && child != index {
          result[child] = Enclosing(
            proto: index, item: proto.effective.item, relationship: children.relationship)
        }
      }
    }
    return result
  }

  // MARK: Setting

  mutating func setAttributes() throws(StoreError) {
    for index in protos.indices {
      let place = protos[index].place
      guard place >= 0, !graph.records[place].isDeleted, !protos[index].isTombstone else { continue }
      let marshaler = hasMarshalers ? options.customisation.marshaler(of: protos[index].entity) : nil
      if hasMarshalers, let marshaler { try tell(index, place) { marshaler.willPopulate($0) } }
      var values = ChangingValues(graph.takeValues(at: place))
      var isStub = graph.records[place].row.isStub
      setKey(of: index, &values)
      if protos[index].effective.isFull {
        isStub = false
        let findings = protos[index].effective.findings
        if !isUnmodified(index, findings, values, isStored: graph.records[place].stored != nil) {
          setAttributes(of: index, findings, &values, marshaler)
        }
      }
      graph.giveBack(values.values, at: place, isStub: isStub, areChanged: values.areChanged)
    }
  }

  /// The values of a record while they are set. What stays as it was is not written, so that a row that says nothing
  /// new is not even copied.
  struct ChangingValues {
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

  private mutating func setKey(of proto: Int, _ values: inout ChangingValues) {
    let entity = protos[proto].entity
    guard case .key(_, let key)? = protos[proto].identity,
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

  private mutating func setAttributes(
    of proto: Int, _ findings: ItemFindings, _ values: inout ChangingValues, _ marshaler: (any Marshaler)?
  ) {
    let entity = protos[proto].entity
    let key = schema.entities[entity].key
    var identifying: [AttributeIndex] = []
    if protos[proto].identity != nil, case .attributes(let positions) = key { identifying = positions }
    let attributes = schema.entities[entity].attributes
    if let position = schema.entities[entity].dictionaryAttribute {
      values[attributes[position].column] = .json(keptDictionary(of: protos[proto]))
    }
    // Asked here once: what may hold anything is copied each time that it is looked into.
    let isMarshaled = marshaler != nil
    for position in attributes.elementIndices {
      let effect: AttributeEffect
      if isMarshaled, let marshaler {
        if identifying.contains(position) { continue }
        let place = protos[proto].place
        let record = PopulatedRecord(
          graph.records[place].row, values: values.values, dictionary: dictionary(of: proto, findings),
          isNew: graph.records[place].stored == nil, schema: schema)
        effect = self.effect(on: position, of: proto, by: marshaler, findings, record)
      } else {
        if sets(attributes, position, findings, identifying, &values) { continue }
        if identifying.contains(position) { continue }
        effect = self.effect(of: findings.attribute(position), on: position, of: entity)
      }
      if case .set(let value) = effect {
        values[attributes[position].column] = value
      } else {
        reportProblem(effect, attributes[position], entity, findings)
      }
    }
  }

  /// Sets what is found nearly always: nothing, a null, or a value of the document that becomes one of the attribute's
  /// type.
  /// False: it is something else.
  private mutating func sets(
    _ attributes: [SchemaAttribute], _ position: AttributeIndex, _ findings: ItemFindings,
    _ identifying: [AttributeIndex],
    _ values: inout ChangingValues
  ) -> Bool {
    let place = findings.place(of: position)
    if place == -1 { return true }
    let type = attributes[position].type
    guard place >= 0, type != .transformable, !identifying.contains(position) else { return false }
    let column = attributes[position].column
    if findings.document.isNull(at: place), attributes[position].isOptional,
      attributes[position].null == .clear
    {
      values[column] = nil
      return true
    }
    if type == .string, case .string(let text)? = values[column],
      findings.document.string(at: place, equals: text)
    {
      return true
    }
    guard let value = plainValue(attributes, position, findings) else { return false }
    values[column] = value
    return true
  }

  /// What a value of the document becomes that neither a transformer nor a marshaler has a say in; nil if it is no such
  /// value, or becomes none.
  func plainValue(
    _ attributes: [SchemaAttribute], _ position: AttributeIndex, _ findings: ItemFindings
  ) -> AttributeValue? {
    let place = findings.place(of: position)
    let type = attributes[position].type
    guard place >= 0, type != .transformable else { return nil }
    return AttributeValue(
      converting: place, of: findings.document, to: type,
      dateFormat: type == .date ? attributes[position].dateFormat : nil)
  }

  private mutating func reportProblem(
    _ effect: AttributeEffect, _ attribute: SchemaAttribute, _ entity: EntityIndex, _ findings: ItemFindings
  ) {
    switch effect {
    case .none, .set: break
    case .nullForRequired(let finding):
      report(
        .nullRequired, entity: entity, property: attribute.name, at: place(of: finding),
        "the attribute is required and has no default, so a null leaves it as it was")
    case .unconvertible(let finding): reportValueType(finding, attribute, entity)
    case .wrongAnswer:
      report(
        .valueType, entity: entity, property: attribute.name, at: findings.node,
        "what the marshaler answered is no \(attribute.type.rawValue)")
    }
  }

  mutating func reportValueType(_ finding: PathFinding, _ attribute: SchemaAttribute, _ entity: EntityIndex) {
    let text = excerpt(finding.node.value.compactText())
    let advice =
      attribute.type == .date && attribute.dateFormat == nil && finding.node.kind == .string
      ? " without a date format" : ""
    report(
      .valueType, entity: entity, property: attribute.name, at: place(of: finding),
      "\(text) is no \(attribute.type.rawValue)\(advice)")
  }

  /// Values in messages are cut to what fits a line.
  func excerpt(_ text: String) -> String {
    text.count > 60 ? text.prefix(57) + "…" : text
  }

  // MARK: Values

  /// The value of a finding that is no null; nil if it cannot become one of the attribute's type.
  func value(of finding: PathFinding, _ attribute: SchemaAttribute, _ entity: EntityIndex) -> AttributeValue?
  {
    convert(finding.node, attribute, entity)
  }

  /// The value of an attribute that a value of the response becomes, by the entity's marshaler if it has one.
  /// Rule: `customise.value`.
  func convert(_ node: JSONNode, _ attribute: SchemaAttribute, _ entity: EntityIndex) -> AttributeValue? {
    if node.isNull { return nil }
    let transformer = attribute.transformer.flatMap { options.transformers[$0] }
    guard hasMarshalers, let marshaler = options.customisation.marshaler(of: entity) else {
      return AttributeValue(converting: node, to: attribute, transformer)
    }
    let conversion = ValueConversion(
      entity: schema.entities[entity].name, rawValue: node, description: attribute, transformer: transformer)
    return marshaler.value(conversion).flatMap { $0.storable(as: attribute.type) }
  }

  /// Whether the stored record is as new as the item or newer. Rule: `merge.unmodified`.
  private mutating func isUnmodified(
    _ proto: Int, _ findings: ItemFindings, _ values: ChangingValues, isStored: Bool
  ) -> Bool {
    let entity = protos[proto].entity
    guard isStored, let position = schema.entities[entity].modificationAttribute,
      let finding = findings.attribute(position), !finding.isNull,
      let new = value(of: finding, schema.entities[entity].attributes[position], entity),
      let stored = values[schema.entities[entity].attributes[position].column]
    else { return false }
    if case .string = stored { return new == stored }
    return !AttributeValue.areInIncreasingOrder(stored, new)
  }
}
