extension Rule {
  static let mapping = [
    Rule(
      "mapping.name",
      """
      Without alternate names a property is read from the item's key of its own name. It may say that its own
      name is not asked.
      """),
    Rule(
      "mapping.alternate-name", .differs("A property has one alternate name at most."),
      """
      The alternate names of a property are tried in their order, and its own name after them. Each of them
      may be a key path.
      """),
    Rule(
      "mapping.key-path", .differs("A path through a scalar raises an exception."),
      """
      `a.b` walks into dictionaries. Where the walk meets an array, it goes on in each of its elements, and
      what they have becomes a list; `@count` is the number of elements, or of a dictionary's members, and `@unionOfObjects.name` says the
      same walk in words. Where there is nothing to walk into, nothing is found.
      """),
    Rule(
      "mapping.path-syntax", .new,
      """
      A list of keys, `[user, "a.b"]`, is a path whose keys are taken as they stand, dots and `@` included.
      `items[0].url` takes one element of an array, counted from 0.
      """),
    Rule(
      "mapping.first-match",
      .differs("For an attribute the last path that finds something wins, for a key the first."),
      """
      The first path that finds something decides, even if it finds a null or a value of another type: later
      paths are not asked. A path that meets a null before its end has found nothing.
      """),
    Rule(
      "mapping.missing",
      "If no path finds anything, a stored record keeps the value that it has, and a new one its default."),
    Rule(
      "mapping.null", .differs("A null keeps what is there."),
      """
      A null clears an attribute or a to-one, and is an empty list for a to-many. Where `null: keep` is
      declared, for the property, its entity or the model, it changes nothing. A required attribute takes
      its default instead, or keeps its value with the diagnostic `null-required` if it has none.
      """),
    Rule(
      "mapping.null-element", .differs("It becomes a record without a key."),
      "A null in a list of items is left out with the diagnostic `null-element`."),
    Rule(
      "mapping.keyed-collection", .new,
      """
      Where the model says which attribute the keys are, a dictionary of items such as `{"7": {…}, "9":
      {…}}` is read as a list, at the response key path or in a to-many. The key counts even if the item has
      another value for the attribute.
      """),
    Rule(
      "mapping.inheritance",
      "An item of a sub-entity is read for the properties of its ancestors as for its own."),
  ]
}
