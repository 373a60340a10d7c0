extension Rule {
  static let customize = [
    Rule(
      "customize.representation",
      .differs("It calls the representation while items are read, and does not validate the results."),
      """
      A representation of an entity or a record type may supply names, key paths, a response key path, a date
      format and a key, which override the model's. They are validated once, like the model. A property without a
      path is not read. A key may be computed from the item; without a result, the key's paths are used.
      Sub-entities without a representation share that of the nearest ancestor.
      """),
    Rule(
      "customize.value",
      """
      A marshaler may convert single values wherever values of its entity are converted, including keys and
      duplicates that are compared. If it returns nothing, or a value that the attribute cannot hold, the value is
      skipped, with the diagnostic `value-type`.
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
      A marshaler may decide the content of each relationship, even if the item does not contain it. It leaves the
      relationship unchanged, drops links, empties it, or declares that the links are complete. It is not called
      for the key relationship. Records that it does not link are created nevertheless.
      """),
    Rule(
      "customize.relationship-key",
      """
      If a stored parent with children identifies an item, a marshaler may choose which child the item is, or that
      it is a new one.
      """),
    Rule(
      "customize.merge", .differs("Its marshaler is called for stubs too."),
      """
      A marshaler may merge two full dictionaries of one record of its entity: it selects one or returns a new
      one. The engine then reports no differences between the two. Items nested in a new dictionary determine
      which records are linked; the values of these records come from their items in the response. A strategy or a
      hook of the request takes precedence.
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
