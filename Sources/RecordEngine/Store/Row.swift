/// The stored attributes and to-one relationships of one record.
package struct Row: Hashable, Sendable {
  package let id: RecordID
  package var entity: EntityIndex
  /// A Boolean value that indicates whether only the key of the record is known. Rule: `save.validation`.
  package var isStub: Bool
  /// The values of the attributes, indexed by `SchemaAttribute.column`.
  package var values: [AttributeValue?]
  /// The targets of the to-one relationships, indexed by `SchemaRelationship.slot`.
  package var toOnes: [RecordID?]
}

extension Row {
  /// The slots with their targets.
  var slots: some Sequence<(SlotIndex, RecordID?)> { toOnes.lazy.enumerated().map { (SlotIndex($0), $1) } }

  /// Returns the key of the row; nil if the key is not complete.
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
  /// Accesses the target in a slot.
  subscript(slot: SlotIndex) -> RecordID? {
    _read { yield self[slot.rawValue] }
    _modify { yield &self[slot.rawValue] }
  }
}
