extension Rule {
  static let population = [
    Rule(
      "population.items",
      """
      The response becomes a list of items, by the rules of the group `response`. Nothing else of the
      response is looked at.
      """),
    Rule(
      "population.protos",
      .differs("It walks dictionaries and sets, so that the order changes from run to run."),
      """
      Items are met in the order of the response. Each one is known as its record from the moment it is met;
      then the items nested in it are met, relationship by relationship in the model's order, down to the
      innermost.
      """),
    Rule(
      "population.effective", .differs("It settles duplicates while it is still meeting items."),
      """
      Once all items are met, each record ends with the one dictionary that counts for it, by the rules of
      the group `merge`. What only the other dictionaries speak of becomes no record.
      """),
    Rule(
      "population.fetch",
      """
      The store is asked once for each entity that declares a key, for all keys of the response together;
      sub-entities share the look-up of the entity whose key they have. It is never asked record by record.
      """),
    Rule(
      "population.associate",
      """
      Items keyed by their parent are tied to what the stored parent has already, parents before their
      children. This comes after all fetches.
      """),
    Rule(
      "population.create",
      .differs(
        """
        It fetches, ties and creates entity by entity, so that a parent may not be there yet when its
        children are tied.
        """),
      """
      Every item that found no stored record gets a new one, after all entities were fetched and all
      children tied to their parents.
      """),
    Rule(
      "population.hook",
      """
      The pre-population hook is asked once per record, with the dictionary that counts or the one that a
      scalar stands for, and may answer another one for the attributes to be read from. It is asked about the
      children of a stored to-many parent before they are looked for, and about all others after. Which record it is,
      its entity and its links stay as they are; a stub becomes full by what the hook adds. A record without
      a key can get the attribute in this way; it identifies the record from the next response on.
      """),
    Rule(
      "population.attributes",
      """
      The key is set first, then each attribute that the dictionary has, in the model's order. Of a stub the
      key alone is set.
      """),
    Rule(
      "population.relationships", .differs("It links record by record in no fixed order."),
      """
      After all attributes, the links of all records are set together: nulls first, then what lists that
      replace leave out is taken out, then lists add their members, then what records say of their own to-ones
      is set, and then ordered lists that replace are put in order. What is later in this order has the last
      word; of one kind, what is later in the response.
      """),
    Rule(
      "population.orphans",
      """
      Stored records that the response did not bring are offered for deletion, by the rules of the group
      `orphans`.
      """
    ),
    Rule(
      "population.save",
      """
      All that came of one response is saved together, after everything else and before the caller gets
      anything.
      """
    ),
    Rule(
      "population.results",
      """
      The caller gets a record for each item, in the order of the response, and the same record again for an
      item that repeats it. Items that were left out have no place in the list, and nested records are not
      in it.
      """),
  ]
}
