package import RecordModel

/// A graph as a store hands it out: records tell each other apart by ids that mean nothing to a reader and
/// differ from run to run.
package struct UnlabelledGraph<ID: Hashable & Sendable>: Sendable {
  package var records: [UnlabelledRecord<ID>]
  package init(records: [UnlabelledRecord<ID>] = []) { self.records = records }
}

package struct UnlabelledRecord<ID: Hashable & Sendable>: Sendable {
  package enum Value: Sendable {
    case attribute(AttributeValue, AttributeType)
    /// `destination` names what a link is to when the graph has not got the record.
    case toOne(ID, destination: EntityName)
    case toMany([ID], destination: EntityName, isOrdered: Bool)
  }

  package var id: ID
  package var entity: EntityName
  /// The key as the model declares it: attributes, or one to-one relationship, or nothing.
  package var key: [PropertyName]
  /// Without nil values.
  package var properties: [PropertyName: Value]

  package init(
    id: ID, entity: EntityName, key: [PropertyName], properties: [PropertyName: Value] = [:]
  ) {
    self.id = id
    self.entity = entity
    self.key = key
    self.properties = properties
  }
}

/// A graph with names that mean the same in every run, and the way back from ids to names.
package struct LabelledGraph<ID: Hashable & Sendable>: Sendable {
  package var snapshot: GraphSnapshot
  package var labels: [ID: RecordLabel]
}
