extension Rule {
  static let subentity = [
    Rule(
      "subentity.choose",
      """
      The sub-entities of the expected entity are asked in the order of their declaration whether the item
      is theirs, and the first that says yes is taken and asks its own in turn. If none does, the item is of
      the entity itself. One that declares no condition never says yes.
      """),
    Rule(
      "subentity.abstract", .differs("A record of the abstract entity is made."),
      """
      No record is ever of an abstract entity: a dictionary that none of its sub-entities claims is left out
      with the diagnostic `no-entity`, and so is a key in the list of items that leads to no record.
      """),
  ]
}
