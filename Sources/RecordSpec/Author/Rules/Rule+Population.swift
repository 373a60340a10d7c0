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
      The engine visits the items in the order of the response. It determines the record of an item before it
      visits the items nested in it. Nested items are visited depth first, relationship by relationship in the
      model's order.
      """),
    Rule(
      "population.effective", .differs("It merges duplicates while it is still visiting items."),
      """
      After all items are visited, each record gets one effective dictionary, by the rules of the group `merge`.
      An item that is nested only in superseded dictionaries does not become a record.
      """),
    Rule(
      "population.fetch",
      """
      The engine makes one fetch for each entity that declares a key, with all keys of the response. Sub-entities
      share the fetch of the entity that declares their key. Records are never fetched one by one.
      """),
    Rule(
      "population.associate",
      """
      After all fetches, the engine matches items that are identified by their parent with the stored children of
      that parent. Parents are matched before their children.
      """),
    Rule(
      "population.create",
      .differs(
        "It fetches, matches and creates entity by entity, so a parent may not exist yet when its children are matched."
      ),
      """
      After the fetches for all entities and the matching of all children, the engine creates the records that are
      not stored.
      """),
    Rule(
      "population.hook",
      .differs("A key that the hook sets identifies the record only from the next response on."),
      """
      The pre-population hook is called once per record with the effective dictionary, or, for a scalar, with a
      dictionary that has only the key. It can replace the dictionary from which attributes are read, but does not
      change a record's identity, entity or links; a property that it adds makes a stub full. It is called after
      new records are created. If a stored parent can have several children, it is called earlier for these, before
      they are matched. If an item has no key, the hook is also called before the item is identified, and a key in
      its result identifies the item.
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
      After all attributes, the engine sets the relationships of all records together, in five steps. It first
      sets nulls, then removes the members missing from lists with `assignment: replace`, then adds the members of
      lists, and then sets to-ones. The last step orders the ordered lists with `assignment: replace`. A later
      step overrides an earlier one, and within a step, the later statement in the response wins.
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
      The result contains one record for each item of the list, in the order of the response. An item that repeats
      a record yields the same record again. Skipped items and nested items have no entry in the result.
      """),
  ]
}
