/// What a store keeps of one record: its attributes and its to-one relationships.
package struct Row: Hashable, Sendable {
  package let id: RecordID
  /// The index of the entity in the schema.
  package var entity: Int
  /// Whether only its key is known yet. Rule: `save.validation`.
  package var isStub: Bool
  /// By `SchemaAttribute.column`.
  package var values: [AttributeValue?]
  /// By `SchemaRelationship.slot`.
  package var toOnes: [RecordID?]
}

extension Row {
  /// The row's key, if all of it is there.
  package func key(in schema: Schema) -> RecordKey? {
    guard case .attributes(let positions) = schema.entities[entity].key else { return nil }
    var values: [AttributeValue] = []
    for position in positions {
      guard let value = self.values[schema.entities[entity].attributes[position].column] else { return nil }
      values.append(value)
    }
    return RecordKey(values)
  }
}
