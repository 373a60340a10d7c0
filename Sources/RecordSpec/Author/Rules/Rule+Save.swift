extension Rule {
  static let save = [
    Rule(
      "save.persist",
      """
      When the result of a request arrives, its changes are in the store, also after it is reopened. Except where
      unsaved changes win, they are also in the caller's context.
      """),
    Rule(
      "save.child",
      """
      With `automaticallyPersistsRecords: false`, a response is populated over what the context shows, and its
      changes become unsaved changes, as if the caller had made them. The caller saves them or rolls them back. A
      record with an unsaved deletion that the response contains or refers to exists again, with only the values of
      the response. Without other unsaved changes, and if all items have keys, responses lead to the same records,
      whether each is saved at once or all of them at the end.
      """),
    Rule("save.atomic", "All changes of a response are saved, or none."),
    Rule(
      "save.validation", .differs("The error does not always reach the caller."),
      """
      A required property without a value, or a to-many with too few or too many members, fails the request with
      `save-error`. Each violation has its own diagnostic, and nothing is saved. Records that change their entity
      and records that were linked to a deleted record are validated too. A stub may lack everything but its key;
      the save that fills it validates it. A record without a key does not count as a stub.
      """),
    Rule(
      "save.delete-rules",
      """
      A deletion also deletes related records (`cascade`), unlinks them (`nullify`) or is refused because of them
      (`deny`), even in cycles. These rules apply once, when the record is deleted, except for `deny`: the save
      evaluates it against the records related at that time. `noAction` also unlinks related records; they can be
      saved later although they require the deleted record. A relationship without an inverse that leads to the
      deleted record loses it, whatever the rules. If the relationship requires it, the save is refused.
      """),
    Rule("save.concurrent", "Two in-flight requests with the same new key lead to one record."),
  ]
}
