extension Rule {
  static let population = [
    Rule(
      "population.items",
      """
      The engine reads a list of items from the response, by the rules of the group `response`. Nothing outside
      these items becomes a record.
      """),
    Rule(
      "population.protos",
      .differs("It iterates over dictionaries and sets, so the order changes from run to run."),
      """
      The engine visits the items in the order of the response. It identifies each item as a record before it
      visits the items nested in it. Nested items are visited depth first, relationship by relationship in the
      model's order.
      """),
    Rule(
      "population.effective", .differs("It merges duplicates while it is still visiting items."),
      """
      After all items are visited, each record gets one effective dictionary, by the rules of the group `merge`.
      An item that only superseded dictionaries contain becomes no record.
      """),
    Rule(
      "population.fetch",
      """
      The engine makes one fetch for each entity that declares a key, with all keys of the response. Sub-entities
      share the fetch of the entity that declares their key. The engine never fetches record by record.
      """),
    Rule(
      "population.associate",
      """
      After all fetches, the engine matches items keyed by their parent with the stored children of that parent.
      Parents are matched before their children.
      """),
    Rule(
      "population.create",
      .differs(
        "It fetches, matches and creates entity by entity, so a parent may not exist yet when its children are matched."
      ),
      "After all entities are fetched and all children are matched, each item without a stored record gets a new one."
    ),
    Rule(
      "population.hook",
      """
      The pre-population hook runs once per record and may replace the dictionary from which attributes are read.
      It receives the effective dictionary, or the one that a scalar represents. For children of a stored to-many
      parent it runs before they are matched, for all other records after new ones are created. The hook does not
      change a record's identity, entity or links; a property that it adds makes a stub full. A key attribute that
      it gives to a record without a key identifies the record from the next response on.
      """),
    Rule(
      "population.attributes",
      """
      The engine sets the key first, then each attribute that the dictionary contains, in the model's order. For a
      stub it sets only the key.
      """),
    Rule(
      "population.relationships", .differs("It sets relationships record by record, in no fixed order."),
      """
      After all attributes, the engine sets the relationships of all records together, in five steps. The steps
      are: nulls, removals by lists that replace, additions by lists, to-ones stated by records, and the order of
      ordered lists that replace. A later step overrides an earlier one. Within a step, the later statement in the
      response wins.
      """),
    Rule(
      "population.orphans",
      """
      Stored records that the response does not mention become candidates for deletion, by the rules of the group
      `orphans`.
      """),
    Rule(
      "population.save",
      """
      All changes of one response are saved together, after every other step and before the caller receives the
      result.
      """),
    Rule(
      "population.results",
      """
      The result contains one record per item, in the order of the response. An item that repeats a record yields
      the same record again. Skipped items and nested records are not in the result.
      """),
  ]
}
