internal import JSONTree
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

extension UnlabelledRecord {
  /// The label of a record whose key is one or more attributes; nil if it has no such key, or no value for a part of it.
  var keyLabel: RecordLabel? {
    var texts: [String] = []
    for name in key {
      guard case .attribute(let value, let type) = properties[name] else { return nil }
      let literal = value.literal(type: type)
      if case .string(let text) = literal { texts.append(text) } else { texts.append(literal.compactText()) }
    }
    return texts.isEmpty ? nil : .keyed(entity, by: texts)
  }

  /// The attributes as text, in the order of their names.
  var content: [String] {
    var content: [String] = []
    for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
      guard case .attribute(let value, let type) = value else { continue }
      content.append(name.rawValue)
      content.append(value.literal(type: type).canonicalText())
    }
    return content
  }
}
