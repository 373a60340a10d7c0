extension Rule {
  static let orphans = [
    Rule(
      "orphans.default",
      "Nothing is deleted unless the request asks for it; its own option beats the default of its type."),
    Rule(
      "orphans.scope",
      .differs(
        """
        Records that the response has only nested in others are offered as well, even new ones.
        """),
      """
      Orphans are the stored records of the requested entity and its sub-entities that the response does not mention
      anywhere, not even nested, by key, unmodified or in a superseded dictionary. A predicate narrows that; it holds
      for what was stored before the response came. What the caller has not saved yet is no orphan, nor what anybody
      has saved since the request was sent. Without a key in the model all items are new, and all former records orphans.
      """),
    Rule(
      "orphans.decide",
      .differs("The order is by chance, and each record is deleted before the hook is asked about the next."),
      """
      A hook is asked about each orphan in the order of keys, before anything is deleted, with the populated records
      and the response at hand. It answers whether to delete it and whether to stop asking; who is not asked about
      stays. Delete rules take nothing that the response brings. What a `deny` rule protects, or a record that stays
      requires, with an inverse or without, stays, with the diagnostic `denied-deletion` or `required-owner`; orphans that
      go together are not in each other's way, and of several that a to-many needs, the oldest stay.
      """),
    Rule(
      "orphans.pages",
      .differs("Each page is taken by itself, so that it deletes what the other pages have."),
      """
      A paged run is taken as a whole: orphans are what none of its pages has, after the last page of a run
      that began with the first, and what others have saved since that was asked for is none. Where a run cannot come
      to that, `orphans-not-evaluated` tells so once: on the page from which on it is known. A page that has more behind
      it says nothing, and a run that fails or is stopped before its last page deletes nothing. A scope that is made of
      the response, and so says what one page speaks for, makes each page count by itself.
      """),
    Rule(
      "orphans.partial",
      .differs("Whatever is not populated is offered: after an invalid response, all records."),
      """
      There are none after a failure. Nor are there if an item of the entity, nested or not, was left out or could not be
      identified: then the diagnostic `orphans-not-evaluated` tells so.
      """),
    Rule(
      "orphans.empty", .differs("A list that is missing or null counts as an empty one."),
      """
      An empty array makes all records in scope orphans. A list that is missing or null, or gathered from several places
      and empty, makes none, and the diagnostic `orphans-not-evaluated` tells so.
      """),
    Rule(
      "orphans.guard", .new,
      """
      If more deletions are approved than a limit allows, none is done, and the diagnostic `orphan-limit` tells so. The
      limit is a number, or a share of the records that are stored in the scope.
      """),
    Rule(
      "orphans.tombstone", .new,
      """
      An item for which the entity's deletion predicate, or its ancestor's, holds deletes its record, wherever it
      stands and whatever other items say. It makes no record, is no result, and nothing else of it is read. Without a
      key it is left out with `missing-primary-key`. Delete rules are those of `orphans.decide`.
      """),
    Rule(
      "orphans.tombstone.child", .new,
      """
      Of the parent that is the key of such an item the key alone is read. Of several stored children of one parent the
      item deletes all whose attributes it leaves as they are, and that no other item is.
      """),
  ]
}
