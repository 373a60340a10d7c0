extension Rule {
  static let subentity = [
    Rule(
      "subentity.choose",
      """
      The sub-entities of the expected entity are tested in the order of their declaration, and the first whose
      condition holds is chosen. Its own sub-entities are then tested in turn. If no condition holds, the item is
      of the entity itself. A sub-entity without a condition is never chosen.
      """),
    Rule(
      "subentity.abstract", .differs("It creates a record of the abstract entity."),
      """
      A record is never of an abstract entity. A dictionary that none of its sub-entities claims is skipped, with
      the diagnostic `no-entity`. A key, and a dictionary that contains nothing but the key, refer to the record
      with this key. If it does not exist, they are skipped with the same diagnostic.
      """),
  ]
}
