extension Rule {
  static let mapping = [
    Rule(
      "mapping.name",
      """
      Without alternate names, a property is read from the item's key of the same name. A property may declare
      that its own name is not used.
      """),
    Rule(
      "mapping.alternate-name", .differs("A property has at most one alternate name."),
      """
      The alternate names of a property are tried in their order, then its own name. An alternate name may be a
      key path.
      """),
    Rule(
      "mapping.key-path", .differs("A path through a scalar raises an exception."),
      """
      `a.b` follows keys through dictionaries. At an array, the path continues in each element, and the values
      form a list; `@unionOfObjects.name` spells the same lookup explicitly. `@count` is the number of elements of
      an array or of members of a dictionary. A path through any other value finds nothing.
      """),
    Rule(
      "mapping.path-syntax", .new,
      """
      A list such as `[user, "a.b"]` is a path of literal keys, in which dots and `@` have no special meaning.
      `items[0].url` selects one element of an array, counted from 0, and `items[-1].url` the last one.
      `links[rel = "next"].url` selects the first element in which a key has this value.
      """),
    Rule(
      "mapping.around", .new,
      """
      A path or a predicate can also read values outside its item. `@parent` is the object that contains the item
      or its list, and can be repeated; `@root` is the whole response. `@key` is the key of the item or its list
      in that object, and `@index` is the position of the item in its list, from 0. `@request` has the `method`,
      the segments of the `path` and the `query` of the request: `@request.path[-1]`, `@request.query.page`. Such
      a value counts as a property of the item.
      """),
    Rule(
      "mapping.first-match",
      .differs("For an attribute, the last path that finds a value wins; for a key, the first."),
      """
      The first path that finds a value decides, even if the value is null or of another type; later paths are not
      tried. A path that meets a null before its end finds nothing.
      """),
    Rule(
      "mapping.missing",
      "If no path finds a value, a stored record keeps its value, and a new record keeps its default."),
    Rule(
      "mapping.null", .differs("A null leaves the value unchanged."),
      """
      A null clears an attribute or a to-one, and is an empty list for a to-many. With `null: keep` on the
      property or its entity, or `nulls: keep` on the model, the attribute or to-one stays unchanged. A required
      attribute is set to its default rather than cleared; without a default it keeps its value, with the
      diagnostic `null-required`.
      """),
    Rule(
      "mapping.null-element", .differs("The null becomes a record without a key."),
      "A null in a list of items is skipped, with the diagnostic `null-element`."),
    Rule(
      "mapping.keyed-collection", .new,
      """
      The model can declare which attribute holds the keys of a dictionary of items, such as `{"7": {…}, "9":
      {…}}`. The dictionary is then read as a list, at the response key path or in a to-many. The key takes
      precedence over the item's own value for the attribute. If this attribute is the primary key, a scalar in
      the dictionary, as in `{"7": true}`, stands for a record with only the key. If the dictionary contains a
      list, each element of the list is an item with the key of the list.
      """),
    Rule(
      "mapping.convention", .new,
      """
      With `names: snake_case` on the model or an entity, the key of a property is its name in small letters, with
      underscores between words: `created_at` for `createdAt`. Alternate names are used as they are written.
      """),
    Rule(
      "mapping.null-values", .new,
      """
      A value in `nullValues` of the property, its entity or the model counts as a null: a string, number or Boolean,
      or an empty list or object. The nearest declaration counts.
      """),
    Rule(
      "mapping.inheritance",
      """
      An item of a sub-entity sets the properties of its ancestors as well as those that the sub-entity declares.
      """),
  ]
}
