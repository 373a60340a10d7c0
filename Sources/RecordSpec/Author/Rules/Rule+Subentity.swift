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
      A record is never of an abstract entity. A key, or a dictionary that contains only the key, refers to the
      record with this key. If there is none, it is skipped with the diagnostic `no-entity`, or `missing-reference`
      with `stubs: never`. Any other dictionary that no sub-entity claims is skipped with `no-entity`.
      """),
  ]
}
