extension Rule {
  static let identity = [
    Rule(
      "identity.attribute-key",
      "Items with equal keys are one record, within a response and across responses."),
    Rule(
      "identity.key-path", .differs("A null is used as the key."),
      """
      A key is found by alternate names and key paths like any attribute. A null does not end the search: the next
      path is tried.
      """),
    Rule(
      "identity.key-type", .differs("It compares JSON values, so `1` and `\"1\"` are two records."),
      """
      A key is converted to the type of its attribute before it is compared: for a string attribute, `1` and `"1"`
      are one key.
      """),
    Rule(
      "identity.missing", .differs("Items whose key is null are one record."),
      """
      An item whose key is absent, null or not convertible becomes a new record each time, with the diagnostic
      `missing-primary-key`. If all items of an entity lack a key for the same reason, one diagnostic covers all
      of them.
      """),
    Rule(
      "identity.default", .differs("The default is kept, so Xcode's 0 looks like a key."),
      "The default of a key attribute is never a key. A record created without a key has no value for that attribute."
    ),
    Rule(
      "identity.back-reference", .differs("It creates a second record with the same key."),
      """
      A record is identified before the items nested in it are visited. A nested item that refers back to the
      record is therefore the same record.
      """),
    Rule(
      "identity.injected", .differs("Of two items that are given the same key, the second is lost."),
      """
      The injection hook supplies the key of an item whose key is absent or null, after its sub-entity is chosen. For
      a key of several attributes, it supplies the parts that the item lacks. It is not called for a relationship key.
      It receives the entity, the dictionary and the enclosing item, and may return nothing. The returned key is
      converted, identifies the record like a key in the response, and is stored.
      """),
    Rule(
      "identity.inherited", .differs("It repeatedly looks for the key in the entity itself and finds none."),
      "A sub-entity that declares no key uses the key of its nearest ancestor with one."),
    Rule(
      "identity.sub-entity", .differs("Within a response, one key can be two records, one of each entity."),
      """
      A key is unique within the entity that declares it and all its sub-entities. A stub takes the entity of the
      full item of the same record. If a stored record's entity is neither the item's entity nor one of its
      sub-entities, the record changes to the item's entity, with the diagnostic `entity-changed`. The record
      keeps its id and the properties that both entities have. It is removed from relationships that cannot lead
      to the new entity.
      """),
    Rule(
      "identity.sub-entity.stubs", .new,
      """
      If all items of a record are stubs, it gets the most specific of their entities. If the entities are in
      different branches of the hierarchy, the first one wins, with the diagnostic `inconsistent-duplicates`. A
      reference that creates no record does not affect the entity of a record.
      """),
    Rule(
      "identity.composite", .new,
      """
      A key may consist of several attributes. If one of them is missing or not convertible, the item has no key,
      and its other key attributes are set like any attribute. A model whose composite key contains a relationship
      is invalid.
      """),
    Rule(
      "identity.relationship-key", .differs("Only the enclosing item can be the parent."),
      """
      If the key is a to-one, the parent identifies the record. If the item is nested through the inverse, the
      parent is the enclosing record; otherwise it is the record that the item refers to. If both exist and
      differ, the enclosing record wins, with `inconsistent-parents`, and the other becomes a record only if
      another item mentions it. If the parent already has a child, it is updated; otherwise a child is created. A
      key relationship without an inverse identifies nothing.
      """),
    Rule(
      "identity.relationship-key.merge", .differs("Each appearance becomes a separate record."),
      """
      The only child of a parent is one record, however often it appears in a response. Its duplicates are merged
      like those of any other record.
      """),
    Rule(
      "identity.relationship-key.to-many",
      """
      If the key is a parent that can have several children, an item matches the oldest stored child whose
      attributes the item would leave unchanged. The child must be of the item's entity or one of its
      sub-entities; relationships are not compared. Items are matched in the order in which they are visited.
      References that create no record are matched last. If the parent has children and none matches, the engine
      reports `unmatched-child`, unless the item is in a complete list with `assignment: replace`.
      """),
    Rule(
      "identity.relationship-key.equal-items", .differs("Equal items of a new parent are several records."),
      """
      If the key is a parent that can have several children, items are identified by content. Items of one parent
      and one entity are one record if they contain the same attributes and the values are equal after conversion.
      Keys that the model does not map are compared only if a hook or marshaler may read them, or if the record
      stores the dictionary.
      """),
    Rule(
      "identity.relationship-key.nested", .differs("It finds a grandchild only by chance."),
      """
      A parent may itself be identified by a parent. Such parents are matched from the outermost to the innermost.
      """),
    Rule(
      "identity.relationship-key.root", .differs("It creates the record without a message."),
      """
      If the key of an entity is a parent, an item without a parent becomes a new record, with the diagnostic
      `missing-primary-key`. A parent does not count if it is a tombstone, or if it is not stored and cannot be
      created.
      """),
    Rule(
      "identity.key-pattern", .new,
      """
      A key pattern describes the text around the keys of an entity, in items and in references: `*` matches any
      text, and `{key}` the key. If several parts of the text can precede the key, the last one does: `*/{key}`
      reads `1` in `gid://shop/Product/1`. Several patterns are separated by ` | `, and the first that matches
      counts. A text that matches no pattern is the key itself. Sub-entities inherit the pattern.
      """),
    Rule(
      "identity.without-key", .new,
      """
      With `withoutKey: skip`, an item of the entity without a key is skipped, without a diagnostic. Like other skipped
      items, it prevents the deletion of orphans.
      """),
  ]
}
