extension Rule {
  static let customise = [
    Rule(
      "customise.representation",
      .differs("It queries the representation while items are read, and does not validate the answers."),
      """
      An entity or its record type may supply names, key paths, a response key path, a date format and a key,
      which override the model's. They are validated once, like the model. A property may have no path. A key may
      be computed from the item; without a result, the key's paths are used. Sub-entities without a representation
      share the nearest ancestor's.
      """),
    Rule(
      "customise.value",
      """
      A marshaler may convert single values wherever values of its entity are converted, including keys and
      duplicates that are compared. If it returns nothing, or a value that the attribute cannot hold, the value is
      skipped, with the diagnostic `value-type`.
      """),
    Rule(
      "customise.attribute",
      """
      A marshaler may decide the value of each attribute outside the key, from the whole item, whether or not the
      item mentions the attribute. It returns another value of the item, its own value, no value, or leaves the
      attribute unchanged. It is not called for stubs.
      """),
    Rule(
      "customise.relationship", .differs("It is called for each link, and not if the item has none."),
      """
      A marshaler may decide each relationship, whether or not the item mentions it. It leaves the relationship
      unchanged, drops links, empties it, or declares that the links are complete. It is not called for the key
      relationship. Records that it does not link are created nevertheless.
      """),
    Rule(
      "customise.relationship-key",
      """
      If an item's key is a stored parent with children, a marshaler may choose which child the item is, or that
      it is new.
      """),
    Rule(
      "customise.merge", .differs("It is called for stubs too."),
      """
      A marshaler may merge two full dictionaries of one record of its entity: it selects one or returns a new
      one. The engine then reports no differences between the two. Items nested in a new dictionary decide which
      records are linked; their values come from where they appear in the response. A strategy or a hook of the
      request takes precedence.
      """),
    Rule(
      "customise.around",
      """
      A marshaler may read and change a record before its attributes are set, and again after the relationships of
      all records are set. The response may overwrite the earlier changes. Both are reported with the record's
      changes.
      """),
  ]
}
