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

  /// The effect of what was found for an attribute. Rules: `mapping.missing`, `merge.across`.
  init(
    of finding: PathFinding?, on position: AttributeIndex, of entity: SchemaEntity, _ population: Population
  ) {
    guard let finding else {
      self = .none
      return
    }
    let attribute = entity.attributes[position]
    let value = population.convert(finding.node, to: attribute, of: entity.index)
    if let value, value != .json(.null) {
      self = .set(value)
    } else if entity.key.contains(position) {
      // A record without key stays without, default or not; it is reported as what it is, diagnostic 3.
      self = .set(nil)
    } else if !finding.isNull, value == nil {
      self = .unconvertible(finding)
    } else if attribute.null == .keep {
      self = .none
    } else if attribute.isOptional {
      self = .set(nil)
    } else {
      self = attribute.defaultValue.map { .set($0) } ?? .nullForRequired(finding)
    }
  }

  /// The effect that a marshaler decides on. Rule: `customise.attribute`.
  init(
    on position: AttributeIndex, of record: PopulatedRecord, by marshaler: any Marshaler,
    _ findings: ItemFindings, of entity: SchemaEntity, _ population: Population
  ) {
    let attribute = entity.attributes[position]
    switch marshaler.attribute(attribute.name, of: record) {
    case .standard: self.init(of: findings.attribute(position), on: position, of: entity, population)
    case .found(let json): self.init(of: .node(JSONDocument(json).root), on: position, of: entity, population)
    case .leave: self = .none
    case .value(nil), .value(.json(.null)): self = .set(nil)
    case .value(let value?): self = value.storable(as: attribute.type).map { .set($0) } ?? .wrongAnswer
    }
  }
}

/// The values that an item leaves behind in its record: those of the attributes that it sets.
struct ItemOutcome {
  private(set) var columns: [ColumnIndex] = []
  private(set) var values: [AttributeValue?] = []

  /// The outcome of populating a new record with an item. Rule: `identity.relationship-key.to-many`.
  init(of proto: ProtoRecord, _ graph: WorkingGraph, _ population: Population) {
    let entity = population.schema.entities[proto.entity]
    let findings = proto.effective.findings
    let marshaler = population.marshaler(of: entity.index)
    var row = graph.newRow(RecordID(tree: entity.tree, serial: 0), entity.index)
    if let position = entity.dictionaryAttribute {
      row.values[entity.attributes[position].column] = .json(proto.keptDictionary(population.schema))
    }
    for position in entity.attributes.elementIndices {
      let effect: AttributeEffect
      if let marshaler {
        let record = PopulatedRecord(
          row, dictionary: proto.dictionary(population.schema), isNew: true, schema: population.schema)
        effect = AttributeEffect(on: position, of: record, by: marshaler, findings, of: entity, population)
      } else {
        effect = AttributeEffect(of: findings.attribute(position), on: position, of: entity, population)
      }
      let column = entity.attributes[position].column
      if case .set(let value) = effect {
        row.values[column] = value
      } else if position != entity.dictionaryAttribute {
        continue
      }
      columns.append(column)
      values.append(row.values[column])
    }
  }
}

extension SchemaKey {
  func contains(_ attribute: AttributeIndex) -> Bool {
    if case .attributes(let positions) = self { positions.contains(attribute) } else { false }
  }
}
