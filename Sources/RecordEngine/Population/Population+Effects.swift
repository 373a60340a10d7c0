import JSONTree
import RecordModel

/// The effect that an item has on one attribute of its record, whatever the record has. Rules: `population.attributes`,
/// `mapping.null`.
enum AttributeEffect {
  /// The attribute stays as it is.
  case none
  /// Nil: it has no value.
  case set(AttributeValue?)
  /// It stays as it is: it is required and has no default.
  case nullForRequired(PathFinding)
  /// It stays as it is: the value is none of its type.
  case unconvertible(PathFinding)
  /// It stays as it is: what a marshaler has answered is no value of its type.
  case wrongAnswer
}

/// The values that an item leaves behind in its record: those of the attributes that it sets.
struct ItemOutcome {
  var columns: [ColumnIndex] = []
  var values: [AttributeValue?] = []
}

extension Population {
  /// The effect of what was found for an attribute.
  func effect(of finding: PathFinding?, on position: AttributeIndex, of entity: EntityIndex)
    -> AttributeEffect
  {
    guard let finding else { return .none }
    let attribute = schema.entities[entity].attributes[position]
    let value = finding.isNull ? nil : self.value(of: finding, attribute, entity)
    if let value, value != .json(.null) { return .set(value) }
    // A record without key stays without, default or not; it is reported as what it is, diagnostic 3.
    if isKey(position, schema.entities[entity].key) { return .set(nil) }
    if !finding.isNull, value == nil { return .unconvertible(finding) }
    if attribute.null == .keep { return .none }
    if attribute.isOptional { return .set(nil) }
    if let value = attribute.defaultValue { return .set(value) }
    return .nullForRequired(finding)
  }

  /// Asks what an attribute of a record becomes. Rule: `customise.attribute`.
  func effect(
    on position: AttributeIndex, of proto: Int, by marshaler: any Marshaler, _ findings: ItemFindings,
    _ record: PopulatedRecord
  ) -> AttributeEffect {
    let entity = protos[proto].entity
    let attribute = schema.entities[entity].attributes[position]
    switch marshaler.attribute(attribute.name, of: record) {
    case .standard: return effect(of: findings.attribute(position), on: position, of: entity)
    case .found(let json): return effect(of: .node(JSONDocument(json).root), on: position, of: entity)
    case .leave: return .none
    case .value(nil), .value(.json(.null)): return .set(nil)
    case .value(let value?):
      return value.storable(as: attribute.type).map(AttributeEffect.set) ?? .wrongAnswer
    }
  }

  /// The outcome of populating a new record with an item. Rule: `identity.relationship-key.to-many`.
  func outcome(of proto: Int) -> ItemOutcome {
    var outcome = ItemOutcome()
    let entity = protos[proto].entity
    let attributes = schema.entities[entity].attributes
    let findings = protos[proto].effective.findings
    let marshaler = hasMarshalers ? options.customisation.marshaler(of: entity) : nil
    var row = graph.newRow(RecordID(tree: schema.entities[entity].tree, serial: 0), entity)
    if let position = schema.entities[entity].dictionaryAttribute {
      row.values[attributes[position].column] = .json(keptDictionary(of: protos[proto]))
    }
    for position in attributes.elementIndices {
      var effect = AttributeEffect.none
      if let marshaler {
        let record = PopulatedRecord(
          row, dictionary: dictionary(of: proto, findings), isNew: true, schema: schema)
        effect = self.effect(on: position, of: proto, by: marshaler, findings, record)
      } else {
        effect = self.effect(of: findings.attribute(position), on: position, of: entity)
      }
      let column = attributes[position].column
      if case .set(let value) = effect {
        row.values[column] = value
      } else if position != schema.entities[entity].dictionaryAttribute {
        continue
      }
      outcome.columns.append(column)
      outcome.values.append(row.values[column])
    }
    return outcome
  }
}
