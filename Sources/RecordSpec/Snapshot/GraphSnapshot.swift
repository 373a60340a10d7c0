public import RecordModel

/// All records of a store or a context at one moment, named by their labels: a pure value.
public struct GraphSnapshot: Hashable, Sendable {
  public var records: [RecordLabel: RecordSnapshot]

  public init(records: [RecordLabel: RecordSnapshot] = [:]) { self.records = records }

  public init(_ records: some Sequence<RecordSnapshot>) {
    self.records = [:]
    for record in records { self.records[record.label] = record }
  }

  public subscript(label: RecordLabel) -> RecordSnapshot? { records[label] }

  /// The labels in order.
  public var labels: [RecordLabel] { records.keys.sorted() }
}

/// What one record holds.
public struct RecordSnapshot: Hashable, Sendable {
  public var label: RecordLabel
  /// The record's own entity, never an ancestor of it.
  public var entity: EntityName
  /// Nil values and empty to-manys are not in here.
  public var properties: [PropertyName: PropertySnapshot]

  public init(label: RecordLabel, entity: EntityName, properties: [PropertyName: PropertySnapshot] = [:]) {
    self.label = label
    self.entity = entity
    self.properties = properties
  }
}

/// What one property of a record holds.
public enum PropertySnapshot: Hashable, Sendable {
  case attribute(AttributeValue, AttributeType)
  case toOne(RecordLabel)
  /// Members of an unordered relationship are sorted by label.
  case toMany([RecordLabel], isOrdered: Bool)

  /// The labels that the property links to; empty for an attribute.
  public var links: [RecordLabel] {
    switch self {
    case .attribute: []
    case .toOne(let label): [label]
    case .toMany(let labels, _): labels
    }
  }
}
