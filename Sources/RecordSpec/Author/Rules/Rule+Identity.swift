extension Rule {
  static let identity = [
    Rule(
      "identity.attribute-key",
      "Items with equal keys are one record, in one response and from one response to the next."),
    Rule(
      "identity.key-path", .differs("A null is taken for the key."),
      """
      A key is found by alternate names and key paths like any attribute, except that a null does not end
      the search: the next path is asked.
      """),
    Rule(
      "identity.key-type", .differs("It compares JSON values, so that `1` and `\"1\"` are two records."),
      """
      A key is converted to the type of its attribute before it is compared: for a string attribute `1` and
      `"1"` are one key.
      """),
    Rule(
      "identity.missing", .differs("Items whose key is null are one record."),
      """
      An item whose key is absent, null or of no use for its type is a record of its own, new each time,
      with the diagnostic `missing-primary-key`. If the keys of all items of an entity are of the wrong
      type, that is one diagnostic instead of one for each.
      """),
    Rule(
      "identity.default", .differs("The default stays, so that Xcode's 0 looks like a key."),
      "The default of a key attribute is never a key: a record made without one has no value there."),
    Rule(
      "identity.back-reference", .differs("A second record with the same key is made."),
      """
      A record is known before the items inside it are met, so that an item within that names it again is
      that record, and not another one.
      """),
    Rule(
      "identity.injected", .differs("Of two items that are given the same key the second is lost."),
      """
      The injection hook is asked for the key of an item that has none or a null, after its sub-entity was
      chosen; not where the key is a relationship or several attributes. It sees the entity, the dictionary
      and the item around it, and may answer nothing. Its answer is converted, identifies like a key of the
      response's own, and is stored.
      """),
    Rule(
      "identity.inherited",
      .differs("It looks for the key in the entity itself again and again, and finds none."),
      "A sub-entity that declares no key has that of its nearest ancestor that does."),
    Rule(
      "identity.sub-entity",
      .differs("Within a response one key can be two records, one of each entity."),
      """
      A key is unique among the entity that declares it and all its sub-entities. A stub takes the entity of
      the full item of the same record. A stored record of an entity above or beside the item's becomes of
      the item's entity, keeps its id and the links that both have, and is told with `entity-changed`. It
      leaves the relationships of other records that do not lead to that entity.
      """),
    Rule(
      "identity.sub-entity.stubs", .new,
      """
      Where a record has stubs alone, the lowest of their entities on one line of descent wins, else the
      first, with `inconsistent-duplicates`. A reference that makes no record does not decide the entity of
      one either.
      """),
    Rule(
      "identity.composite", .new,
      """
      A key may be several attributes; all of them must be there and of their types, else the item has no
      key, and those that are there are values like others. A relationship in such a key is a mistake of the
      model.
      """),
    Rule(
      "identity.relationship-key", .differs("The item around it is the only parent it knows."),
      """
      Where the key is a to-one, a record is the one of its parent: of the record around it, if nested
      through the inverse, else of the one that the item itself names. If the two disagree, the one around
      it counts, with `inconsistent-parents`, and the other becomes no record unless something else brings
      it. The child that the parent has is updated, or one is made. A key relationship without inverse
      identifies nothing.
      """),
    Rule(
      "identity.relationship-key.merge", .differs("Each appearance is another record."),
      """
      However often the one child of a parent appears in a response, it is one record, and its dictionaries
      are settled like those of any other.
      """),
    Rule(
      "identity.relationship-key.to-many",
      """
      Where the parent may have many such children, an item is the oldest stored child of its entity, or one
      below, whose attributes it leaves as they are; relationships are not compared. Items take their children
      in the order in which they are met, and `unmatched-child` tells where a parent has children and none fits.
      """),
    Rule(
      "identity.relationship-key.equal-items", .differs("Equal items of a new parent are several records."),
      """
      Items of one entity and one such parent are one record if their attributes are the same. A key that the
      model does not map says nothing about which child an item is, unless a hook or a marshaler may read it,
      or the record keeps the dictionary.
      """),
    Rule(
      "identity.relationship-key.nested", .differs("Whether a grandchild is found depends on chance."),
      "A parent may be keyed by a parent in turn: they are found from the outermost to the innermost."),
    Rule(
      "identity.relationship-key.root", .differs("It is created without a word."),
      """
      An item keyed by its parent that has no parent is a new record, with the diagnostic
      `missing-primary-key`. A parent that is gone, or is neither stored nor can be made, is none.
      """
    ),
  ]
}
