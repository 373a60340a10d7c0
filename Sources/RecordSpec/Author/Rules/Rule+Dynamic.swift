extension Rule {
  static let dynamic = [
    Rule(
      "dynamic.store",
      .differs(
        """
        It stores the dictionary in every transformable attribute of the entity, and an item with only the key is a
        stub.
        """),
      """
      An entity may name a transformable attribute that stores the effective dictionary of each record, as a hook
      or a merge has made it. The attribute itself is not looked up in items. A dictionary is then never a stub; a
      scalar still is, and leaves the attribute unchanged.
      """),
    Rule(
      "dynamic.relationships", .differs("A relationship found by key path stays in it."),
      """
      The stored dictionary omits the values at the paths of the entity's relationships, including key paths and
      paths through arrays. An element that is removed from an array leaves a null in its position.
      """),
  ]
}
