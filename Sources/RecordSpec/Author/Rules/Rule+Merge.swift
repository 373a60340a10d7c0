extension Rule {
  static let merge = [
    Rule(
      "merge.first-wins",
      """
      If a response contains several full dictionaries of one record, the first one is effective. The others set
      nothing, but the record is linked wherever it appears.
      """),
    Rule(
      "merge.stub-then-full",
      .differs(
        "It replaces only a dictionary of one member; any other key, such as a url, makes the dictionary full."
      ),
      """
      A record that first appears as a stub is populated from the first full dictionary that follows, including
      the items nested in it.
      """),
    Rule("merge.full-then-stub", "A stub after a full dictionary of the same record changes nothing."),
    Rule(
      "merge.inconsistent", .differs("It logs a message if the number of keys differs."),
      """
      If two full dictionaries of one record differ in a mapped property, the engine reports
      `inconsistent-duplicates` with both positions, and the request continues. Values are compared after
      conversion, and nested items by the records that they identify. A property that only one dictionary has is a
      difference.
      """),
    Rule(
      "merge.once",
      .differs("It follows them each time the record appears, which leaves unlinked children behind."),
      "Items nested in the effective dictionary become records once, however often the record appears."),
    Rule(
      "merge.strategy", .new,
      """
      An entity, or a request for all entities, selects how full dictionaries are merged: `first`, the default, or
      `deep`. A hook of the request runs first and returns which of two dictionaries is effective, or a merged
      one. `deep` takes for each property the first value that is not null, and for a to-many the members of all
      dictionaries. Children without identity come from the first dictionary that has the list.
      """),
    Rule(
      "merge.across",
      """
      Values in a response replace the values of a stored record. Properties that the response does not mention
      keep their values.
      """),
    Rule(
      "merge.unmodified", .new,
      """
      An entity may name the attribute that records when the server changed a record. An item that is not newer
      than the stored record sets no attributes, but still sets relationships. Strings are compared only for
      equality. A value that is missing, null or unreadable counts as newer.
      """),
    Rule(
      "merge.order-free", .differs("It iterates over sets and guarantees nothing."),
      """
      The order of items and of dictionary keys affects only the order of results and of ordered relationships.
      This holds if every item has a key and no diagnostic reports inconsistent positions.
      """),
  ]
}
