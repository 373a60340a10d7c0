extension Rule {
  static let orphans = [
    Rule(
      "orphans.default",
      """
      Orphans are deleted only if the options of the request, or the default options, ask for it. The options of
      the request take precedence.
      """),
    Rule(
      "orphans.scope",
      .differs("Records that are only nested in other items are passed to the hook too, even new ones."),
      """
      Orphans are the stored records of the requested entity and its sub-entities that the response does not
      mention. If the entity has no key, all records that were stored before are orphans. Nested items, keys,
      unmodified items and superseded dictionaries all mention a record. A predicate can narrow the scope, and is
      evaluated on the records as they were before the response. Records that were never saved, or were saved only
      after the request was sent, are not orphans.
      """),
    Rule(
      "orphans.decide",
      .differs("The order is arbitrary, and each record is deleted before the hook decides on the next."),
      """
      Before anything is deleted, a hook receives the populated records and the response, and decides about each
      orphan, in the order of their keys. It returns whether to delete the orphan, and can stop, so that the
      remaining orphans stay. Delete rules never delete records that the response mentions. An orphan stays, with
      `denied-deletion` or `required-owner`, if a `deny` rule protects it or a record that stays requires it, even
      without an inverse. Orphans that are deleted together do not protect each other, but all stay if a to-many
      would otherwise have too few members.
      """),
    Rule(
      "orphans.pages",
      .differs("Each page is evaluated separately, so records of the other pages are deleted."),
      """
      If a run began with the first page, its pages are evaluated together, after the last one. Orphans are the
      records that no page mentions and that were saved before the first page was requested. If a run cannot be
      evaluated, `orphans-not-evaluated` is reported once, on the first page where this is known; a valid page
      before the last one reports nothing. A run that fails or stops before its last page deletes nothing. If the
      scope is derived from the response, each page is evaluated separately.
      """),
    Rule(
      "orphans.partial",
      .differs(
        "Every record that was not populated is passed to the hook; after an invalid response, these are all records."
      ),
      """
      A failed request deletes no orphans. A request also deletes none if an item of the entity, nested or not,
      was skipped or could not be identified; the engine then reports `orphans-not-evaluated`.
      """),
    Rule(
      "orphans.empty", .differs("A list that is missing or null counts as an empty one."),
      """
      After an empty array, all records in scope are orphans. If the list is missing or null, or a key path
      through arrays gathers no items, no orphans are deleted. The engine then reports `orphans-not-evaluated`.
      """),
    Rule(
      "orphans.guard", .new,
      """
      If there are more orphans to delete than the limit allows, nothing is deleted, and the engine reports
      `orphan-limit`. Orphans that a delete rule or a required relationship protects count, too. The limit is a
      count, or a percentage of the stored records in the scope.
      """),
    Rule(
      "orphans.tombstone", .new,
      """
      An item that satisfies the deletion predicate of its entity, or of an ancestor, deletes its record, wherever
      it appears and whatever other items contain. Only its key and the keys of its nested items are read; it
      creates no record and is not in the result. Items that are nested only in a superseded dictionary of the
      record do not become records either. An item without a key is skipped, with the diagnostic
      `missing-primary-key`. Delete rules apply as in `orphans.decide`, and also to links in the response, so an
      item that refers to the record can protect it.
      """),
    Rule(
      "orphans.tombstone.child", .new,
      """
      If a tombstone is identified by its parent, only the parent's key is read from the parent's dictionary. If
      the parent can have several children, the tombstone deletes every stored child whose attributes it would
      leave unchanged, unless another item matches that child. A tombstone without attributes deletes no child,
      and the engine reports `unmatched-child`. An item with the same attributes as the tombstone is the same
      record.
      """),
    Rule(
      "orphans.deleted-keys", .new,
      """
      With `deletedKeyPath`, an entity declares which list of a response contains the keys of deleted records. The
      list contains the keys themselves, or dictionaries with them. Each of its elements is a tombstone.
      """),
  ]
}
