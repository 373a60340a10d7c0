import JSONTree
package import RecordModel
package import ScenarioFormat

/// A graph as a store returns it. The ids of its records are meaningless to readers and differ between runs.
package struct UnlabeledGraph<ID: Hashable & Sendable>: Sendable {
  package var records: [UnlabeledRecord<ID>]
  package init(records: [UnlabeledRecord<ID>] = []) { self.records = records }
}

package struct UnlabeledRecord<ID: Hashable & Sendable>: Sendable {
  package enum Value: Sendable {
    case attribute(AttributeValue, AttributeType)
    /// A to-one relationship. `destination` is the entity of the link if the graph does not contain the record.
    case toOne(ID, destination: EntityName)
    case toMany([ID], destination: EntityName, isOrdered: Bool)
  }

  package var id: ID
  package var entity: EntityName
  /// The key as the model declares it: attributes, one to-one relationship, or empty.
  package var key: [PropertyName]
  /// The properties, without nil values.
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

/// A graph with labels that are the same in every run, and the label of each id.
package struct LabeledGraph<ID: Hashable & Sendable>: Sendable {
  package var snapshot: GraphSnapshot
  package var labels: [ID: RecordLabel]

  package init(snapshot: GraphSnapshot, labels: [ID: RecordLabel]) {
    (self.snapshot, self.labels) = (snapshot, labels)
  }
}

extension UnlabeledRecord {
  /// The label of a record whose key is one or more attributes; nil if it has no such key, or no value for a part of
  /// it.
  var keyLabel: RecordLabel? {
    var texts: [String] = []
    for name in key {
      guard case .attribute(let value, let type) = properties[name] else { return nil }
      let literal = value.literal(type: type)
      if case .string(let text) = literal { texts.append(text) } else { texts.append(literal.compactText()) }
    }
    return texts.isEmpty ? nil : .keyed(entity, by: texts)
  }

  /// The names and values of the attributes as text, sorted by name.
  package var content: [String] {
    var content: [String] = []
    for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
      guard case .attribute(let value, let type) = value else { continue }
      content.append(name.rawValue)
      content.append(value.literal(type: type).canonicalText())
    }
    return content
  }
}
