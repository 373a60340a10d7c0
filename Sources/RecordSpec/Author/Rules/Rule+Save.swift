extension Rule {
  static let save = [
    Rule(
      "save.persist",
      """
      What a request brought is in the store and in the caller's context when its result arrives, and is there
      when the store is opened again.
      """),
    Rule(
      "save.child",
      """
      With `automaticallyPersistsRecords: false` what a request brings or deletes is an unsaved change of
      the caller's context; saving it or rolling it back is up to the caller.
      """),
    Rule(
      "save.child.order", .new,
      """
      Responses whose items all have keys lead to the same records whether each is saved at once or left unsaved and
      saved later. A response that is saved deletes no unsaved record as an orphan, and links one with `stubs: never`
      in the context only, until that is saved. An unsaved record becomes the one that a later response saves.
      """),
    Rule(
      "save.child.deletion", .new,
      """
      A later item brings back a record that an unsaved response has deleted. Delete rules are applied when a
      response is populated and not again when it is saved, so what the response brings is spared then too.
      """),
    Rule("save.atomic", "Everything that a response brought is saved, or nothing of it."),
    Rule(
      "save.validation", .differs("The error can get lost."),
      """
      A required property without a value, or a to-many with too few or too many members, fails the request
      with `save-error`, one diagnostic for each violation, and nothing is saved. That holds for records that
      change their entity, and for those that lose what is deleted, too. A stub may lack everything but its
      key; it is checked by the save that fills it. A record without key is no stub.
      """),
    Rule(
      "save.delete-rules",
      """
      A deletion takes with it (`cascade`), unlinks (`nullify`), or is refused by what is related (`deny`), through
      cycles. A denial is judged when it is saved, by what is still related then. With `noAction` nobody asks whether
      what is related needs the record; the link goes all the same, since none leads to a record that is gone. A
      relationship without inverse has no delete rule on the other side: it loses the record, and the save is refused if
      it requires it.
      """
    ),
    Rule("save.concurrent", "Two requests under way that bring the same new key end in one record."),
  ]
}
