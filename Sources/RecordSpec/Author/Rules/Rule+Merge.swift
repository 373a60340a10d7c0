extension Rule {
  static let merge = [
    Rule(
      "merge.first-wins",
      """
      If a response contains several full dictionaries of one record, the one with the most mapped properties is
      effective. If several have equally many properties, the first of them is effective. The others set nothing,
      but the record is linked wherever it appears.
      """),
    Rule(
      "merge.stub-then-full",
      .differs(
        "Only a dictionary with a single key is a stub; any other key, such as a url, makes the dictionary full."
      ),
      """
      If the first item of a record is a stub, the first full dictionary that follows populates the record. The
      items nested in that dictionary become records too.
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
      .differs("The nested items become records each time, which leaves unlinked children behind."),
      """
      However often a record appears, the items nested in its effective dictionary become records only once.
      """),
    Rule(
      "merge.strategy", .new,
      """
      An entity selects how its full dictionaries are merged: `first`, the default, or `deep`. A request can
      select the strategy for all entities. With `deep`, each property gets the first value that is not null, and
      each to-many gets the members of all dictionaries. Members without a key or parent are taken only from the
      first dictionary that has the list. If the request has a hook for merging, the hook is called first, and can
      return one of two dictionaries or a merged one.
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
      An entity may declare which attribute contains the time or version of the last change on the server. An item
      that is not newer than the stored record sets no attributes, but still sets relationships. A string counts
      as newer if it differs from the stored one. A value that is missing, null or unreadable also counts as
      newer.
      """),
    Rule(
      "merge.order-free", .differs("It iterates over sets and guarantees nothing."),
      """
      The order of items and of dictionary keys affects only the order of results and of ordered relationships.
      This holds if every item has a key and the engine reports no inconsistent duplicates, links or parents. If a
      parent can have several children, their items must also be of one entity and have the same attributes.
      Otherwise an item with fewer attributes may match the stored child that another item describes.
      """),
  ]
}
