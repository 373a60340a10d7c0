extension Rule {
  static let customize = [
    Rule(
      "customize.representation",
      .differs("It calls the representation while items are read, and does not validate the results."),
      """
      A representation of an entity or a record type may supply names, key paths, a response key path, a date
      format and a key. They override the model's, and are validated once, like the model. A property without a
      path is not read. A key may be computed from the item; if there is no result, the key's paths are used. A
      sub-entity without a representation uses the one of its nearest ancestor.
      """),
    Rule(
      "customize.value",
      """
      A marshaler may convert single values of its entity. It is called wherever such values are converted, even
      for keys, and for duplicates that are compared. If it returns nothing, or a value that the attribute cannot
      hold, the value is skipped, with the diagnostic `value-type`.
      """),
    Rule(
      "customize.attribute",
      """
      A marshaler may decide the value of each attribute that is not part of the key, from the whole item, even if
      the item does not contain the attribute. It returns another value of the item, a value of its choice or no
      value, or leaves the attribute unchanged. It is not called for stubs.
      """),
    Rule(
      "customize.relationship",
      .differs("Its marshaler is called for each link, and not if the item has none."),
      """
      A marshaler may decide the content of each relationship, even if the item does not contain it. It can leave
      the relationship unchanged, drop links, empty the relationship, or declare that the links are complete. It
      is not called for the key relationship. Records that it does not link are created nevertheless.
      """),
    Rule(
      "customize.relationship-key",
      """
      If an item is identified by a stored parent that has children, a marshaler may choose which of them the item
      is, or decide that it is a new child.
      """),
    Rule(
      "customize.merge", .differs("Its marshaler is called for stubs too."),
      """
      A marshaler may merge two full dictionaries of one record of its entity: it selects one or returns a new
      one. The engine then reports no differences between the two. The items nested in a new dictionary determine
      which records are linked, but these records get their values from their items in the response. A merge
      strategy or hook of the request takes precedence over the marshaler.
      """),
    Rule(
      "customize.around",
      """
      A marshaler may read and change a record before its attributes are set, and again after the relationships of
      all records are set. The response may overwrite the changes made before. The changes of both calls are
      reported with the record's changes.
      """),
  ]
}
