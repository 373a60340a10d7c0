/// What a store keeps of one record: its attributes and its to-one relationships.
package struct Row: Hashable, Sendable {
  package let id: RecordID
  package var entity: EntityIndex
  /// Whether only its key is known yet. Rule: `save.validation`.
  package var isStub: Bool
  /// By `SchemaAttribute.column`.
  package var values: [AttributeValue?]
  /// By `SchemaRelationship.slot`.
  package var toOnes: [RecordID?]
}

extension Row {
  /// The slots and what the row has in them.
  var slots: some Sequence<(SlotIndex, RecordID?)> { toOnes.lazy.enumerated().map { (SlotIndex($0), $1) } }

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

extension Array where Element == RecordID? {
  /// What a row has in a slot.
  subscript(slot: SlotIndex) -> RecordID? {
    _read { yield self[slot.rawValue] }
    _modify { yield &self[slot.rawValue] }
  }
}
