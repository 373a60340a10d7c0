extension Rule {
  static let merge = [
    Rule(
      "merge.first-wins",
      """
      Of several full dictionaries of one record in a response the first one counts. The others set nothing,
      but wherever they stand, the record is linked.
      """),
    Rule(
      "merge.stub-then-full",
      .differs("Only a dictionary of one member is replaced: any other key, such as a url, makes it count."),
      """
      A record that is met as a stub first takes the first full dictionary that follows, with what is nested
      in it.
      """
    ),
    Rule("merge.full-then-stub", "A stub after a full dictionary of the same record changes nothing."),
    Rule(
      "merge.inconsistent", .differs("It logs where the number of keys differs."),
      """
      Two full dictionaries of one record that disagree in a mapped property are told with
      `inconsistent-duplicates` and both places; the request goes on. Values are compared after conversion,
      nested items by the records they are, and a property that one has and the other lacks is a
      disagreement.
      """),
    Rule(
      "merge.once",
      .differs(
        "They are followed each time the record is met, which leaves children behind that nobody links."),
      "What is nested in the dictionary that counts becomes records once, however often the record appears."),
    Rule(
      "merge.strategy", .new,
      """
      An entity, or a request for all entities, says how full dictionaries become one: `first`, the default,
      or `deep`; or a hook of the request, asked first, answers which of two counts, or a dictionary in their
      place. `deep` takes for each property the first value that is not null, and for a to-many the
      members of all; children without identity come from the first dictionary that has the list.
      """),
    Rule(
      "merge.across",
      """
      What a response has for a stored record replaces what the record had; what the response does not
      mention stays.
      """
    ),
    Rule(
      "merge.unmodified", .new,
      """
      An entity may name the attribute that says when the server changed a record. An item that is as old as
      the stored record, or older, sets no attributes; its relationships are set all the same. Strings are
      only as old if they are equal, and a value that is missing, null or not to be read counts as newer.
      """),
    Rule(
      "merge.order-free", .differs("It walks sets, and promises nothing."),
      """
      Where every item has a key and no diagnostic says that two places are inconsistent, the order of the
      items and of the keys in dictionaries changes nothing but the order of results and of ordered
      relationships.
      """),
  ]
}
