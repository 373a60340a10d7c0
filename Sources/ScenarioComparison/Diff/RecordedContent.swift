package import JSONTree
package import RecordModel
package import ScenarioFormat

/// The contents of a golden file by label. The values have only the types of JSON.
package struct RecordedContent: Sendable {
  package struct Record: Hashable, Sendable {
    package var entity: EntityName
    package var properties: [PropertyName: JSONValue]

    package init(entity: EntityName, properties: [PropertyName: JSONValue]) {
      self.entity = entity
      self.properties = properties
    }

    /// Creates the record as its golden file would contain it.
    package init(_ snapshot: RecordSnapshot) {
      self.init(entity: snapshot.entity, properties: snapshot.properties.mapValues(\.goldenForm))
    }
  }

  package var records: [RecordLabel: Record]
  /// The fields of each step.
  package var steps: [JSONObject]

  package init(
    records: [RecordLabel: Record] = [:], steps: [JSONObject] = []
  ) {
    self.records = records
    self.steps = steps
  }

  /// Creates the contents that the golden file of a snapshot would have.
  package init(_ snapshot: ScenarioSnapshot) {
    records = snapshot.graph.records.mapValues(Record.init)
    steps = snapshot.steps.map { if case .object(let members) = $0.goldenForm { members } else { [:] } }
  }

  /// Returns the label that a record would have without a number. The number at the end of `Counts@Tag~1` is its
  /// owner's.
  package func base(of label: RecordLabel) -> RecordLabel {
    if let owner = label.owner, records[owner] != nil { return label }
    return label.base
  }

  /// Returns the owner that is the key of a record; nil for all other records.
  package func owner(of label: RecordLabel) -> RecordLabel? { base(of: label).owner }
}
