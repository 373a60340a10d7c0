extension Rule {
  static let dynamic = [
    Rule(
      "dynamic.store",
      .differs(
        """
        It stores the dictionary in every transformable attribute of the entity, and an item with only the
        key is a stub.
        """),
      """
      An entity may declare a transformable attribute that stores the effective dictionary of each record, after
      merges and hooks. The attribute itself is not looked up in items. A dictionary of such an entity is never a
      stub. A scalar is still a stub, and leaves the attribute unchanged.
      """),
    Rule(
      "dynamic.relationships",
      .differs("The value of a relationship that is found by key path stays in the dictionary."),
      """
      The stored dictionary omits the values at the paths of the entity's relationships, including key paths and
      paths through arrays. If an element of an array is omitted, a null takes its position.
      """),
  ]
}
