package import RecordModel
package import ScenarioFormat

/// A snapshot of all records in a store or context, by their labels.
package struct GraphSnapshot: Hashable, Sendable {
  /// The records by their labels.
  package var records: [RecordLabel: RecordSnapshot]

  /// Creates a snapshot, which is empty by default.
  package init(records: [RecordLabel: RecordSnapshot] = [:]) { self.records = records }

  /// Creates a snapshot of records with different labels.
  package init(_ records: some Sequence<RecordSnapshot>) {
    self.records = [:]
    for record in records { self.records[record.label] = record }
  }

  /// The record with a label; nil if there is none.
  package subscript(label: RecordLabel) -> RecordSnapshot? { records[label] }

  /// The sorted labels.
  package var labels: [RecordLabel] { records.keys.sorted() }
}

/// The contents of one record.
package struct RecordSnapshot: Hashable, Sendable {
  package var label: RecordLabel
  /// The record's concrete entity, which is never an ancestor.
  package var entity: EntityName
  /// The properties. Nil values and empty to-many relationships are omitted.
  package var properties: [PropertyName: PropertySnapshot]

  /// Creates a snapshot of one record, without properties by default.
  package init(label: RecordLabel, entity: EntityName, properties: [PropertyName: PropertySnapshot] = [:]) {
    self.label = label
    self.entity = entity
    self.properties = properties
  }
}

/// The value of one property.
package enum PropertySnapshot: Hashable, Sendable {
  case attribute(AttributeValue, AttributeType)
  case toOne(RecordLabel)
  /// A to-many relationship. The members of an unordered one are sorted by label.
  case toMany([RecordLabel], isOrdered: Bool)

  /// The labels of the linked records; empty for an attribute.
  package var links: [RecordLabel] {
    switch self {
    case .attribute: []
    case .toOne(let label): [label]
    case .toMany(let labels, _): labels
    }
  }
}
