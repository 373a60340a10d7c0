extension Rule {
  static let dynamic = [
    Rule(
      "dynamic.store",
      .differs(
        "Every transformable attribute of the entity is set to it, and an item of the key alone is a stub."),
      """
      An entity may name a transformable attribute that keeps the dictionary of each item: the one that counts
      for the record, as a hook or a merge has made it. The attribute is looked up nowhere itself, and no
      dictionary is a stub then; a scalar still is, and leaves it alone.
      """),
    Rule(
      "dynamic.relationships", .differs("One that is found by key path stays in it."),
      """
      The dictionary is kept without what the paths of the entity's relationships lead to, those found by key
      path or below arrays included. An element of an array that is taken out leaves a null in its place.
      """),
  ]
}
