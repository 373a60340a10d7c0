import JSONTree
import RecordModel

/// The effect of an item on one attribute of its record. It does not depend on the current value.
/// Rules: `population.attributes`, `mapping.null`.
enum AttributeEffect {
  /// The attribute is left unchanged.
  case none
  /// The attribute gets this value; nil clears it.
  case set(AttributeValue?)
  /// The attribute is left unchanged: the item has a null, and the attribute is required and has no default.
  case nullForRequired(PathFinding)
  /// The attribute is left unchanged: the value cannot be converted to its type.
  case unconvertible(PathFinding)
  /// The attribute is left unchanged: a marshaler has returned a value that is not of its type.
  case wrongAnswer

  /// Creates the effect of a finding. Rules: `mapping.missing`, `merge.across`.
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
      // A record without a key has no value for it, not even the default. ``DiagnosticCode/missingPrimaryKey`` reports
      // this.
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

  /// Creates the effect of the decision of a marshaler. Rule: `customize.attribute`.
  init(
    _ decision: AttributeDecision, on position: AttributeIndex, _ findings: ItemFindings,
    of entity: SchemaEntity, _ population: Population
  ) {
    let attribute = entity.attributes[position]
    switch decision {
    case .standard: self.init(of: findings.attribute(position), on: position, of: entity, population)
    case .found(let json): self.init(of: .node(JSONDocument(json).root), on: position, of: entity, population)
    case .leave: self = .none
    case .value(nil), .value(.json(.null)): self = .set(nil)
    case .value(let value?): self = value.storable(as: attribute.type).map { .set($0) } ?? .wrongAnswer
    }
  }
}

/// The values of the attributes that an item sets in its record.
struct ItemOutcome {
  private(set) var columns: [ColumnIndex] = []
  private(set) var values: [AttributeValue?] = []

  /// Creates the outcome of populating a new record with an item. Rule: `identity.relationship-key.to-many`.
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
        effect = AttributeEffect(
          marshaler.attribute(entity.attributes[position].name, of: record), on: position, findings,
          of: entity, population)
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
