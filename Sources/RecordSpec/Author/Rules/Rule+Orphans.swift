extension Rule {
  static let orphans = [
    Rule(
      "orphans.default",
      """
      Nothing is deleted unless the request asks for it. The request's own option takes precedence over the
      default of its type.
      """),
    Rule(
      "orphans.scope",
      .differs("Records that are only nested in other items are offered too, even new ones."),
      """
      Orphans are the stored records of the requested entity and its sub-entities that the response does not
      mention anywhere. Nested items, keys, unmodified items and superseded dictionaries all mention a record. A
      predicate narrows the scope; it is evaluated on the records as stored before the response. Unsaved records
      of the caller, and records saved since the request was sent, are not orphans. If the entity has no key, all
      items are new and all former records are orphans.
      """),
    Rule(
      "orphans.decide",
      .differs("The order is arbitrary, and each record is deleted before the hook decides on the next."),
      """
      A hook decides on each orphan in the order of keys, before anything is deleted, and receives the populated
      records and the response. It returns whether to delete the orphan and whether to stop; the orphans after
      that stay. Delete rules never delete records that the response mentions. An orphan stays, with
      `denied-deletion` or `required-owner`, if a `deny` rule protects it or a record that stays requires it, even
      without an inverse. Orphans that are deleted together do not block each other; of several that a to-many
      needs, the oldest stay.
      """),
    Rule(
      "orphans.pages",
      .differs("Each page is evaluated separately, so records of the other pages are deleted."),
      """
      The pages of a run are evaluated together, after the last page, if the run began with the first. Orphans are
      the records that no page mentions and that were not saved elsewhere since the first page was requested. If a
      run cannot be evaluated, `orphans-not-evaluated` is reported once, on the first page where this is known. A
      page with a next page reports nothing, and a run that fails or stops before its last page deletes nothing.
      If the scope is derived from the response, each page is evaluated separately.
      """),
    Rule(
      "orphans.partial",
      .differs("Every record that is not populated is offered; after an invalid response, all records."),
      """
      After a failure there are no orphans. The same holds if an item of the entity, nested or not, was skipped or
      could not be identified; the engine then reports `orphans-not-evaluated`.
      """),
    Rule(
      "orphans.empty", .differs("A list that is missing or null counts as an empty one."),
      """
      After an empty array, all records in scope are orphans. A list that is missing or null, or an empty one
      gathered from several places, makes no orphans, and the engine reports `orphans-not-evaluated`.
      """),
    Rule(
      "orphans.guard", .new,
      """
      If more deletions are approved than the limit allows, nothing is deleted, and the engine reports
      `orphan-limit`. The limit is a count, or a percentage of the records stored in the scope.
      """),
    Rule(
      "orphans.tombstone", .new,
      """
      An item that satisfies the deletion predicate of its entity, or its ancestor's, deletes its record, wherever
      it appears and whatever other items say. It creates no record, is not in the result, and nothing else in it
      is read. Without a key it is skipped, with the diagnostic `missing-primary-key`. Delete rules apply as in
      `orphans.decide`.
      """),
    Rule(
      "orphans.tombstone.child", .new,
      """
      If the key of a tombstone is its parent, only the parent's key is read. If the parent has several stored
      children, the tombstone deletes all that its attributes would leave unchanged and that no other item
      matches.
      """),
  ]
}
