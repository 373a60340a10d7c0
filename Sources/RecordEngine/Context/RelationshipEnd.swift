/// One end of a relationship: the relationship as one record has it.
struct RelationshipEnd: Hashable {
  /// The index of the relationship in the schema.
  var relationship: Int
  var owner: RecordID
}
