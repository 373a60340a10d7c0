extension Rule {
  static let save = [
    Rule(
      "save.persist",
      """
      When the result of a request arrives, its changes are already in the store, and remain there when the store
      is reopened. They are also in the caller's context, except where unsaved changes win.
      """),
    Rule(
      "save.child",
      """
      With `automaticallyPersistsRecords: false`, a response is populated on top of what the context shows. Its
      changes become unsaved changes, as if the caller had made them, and the caller saves them or rolls them
      back. If the response contains or refers to a record with an unsaved deletion, the record exists again, with
      only the values of the response. If there are no other unsaved changes and all items have keys, the records
      are the same whether responses are saved one by one or all at the end.
      """),
    Rule("save.atomic", "All changes of a response are saved, or none."),
    Rule(
      "save.validation", .differs("The error does not always reach the caller."),
      """
      The request fails with `save-error` if a required property has no value, or a to-many has too few or too
      many members. Each violation has its own diagnostic, and nothing is saved. Records that change their entity
      and records that were linked to a deleted record are validated too. A stub may lack everything but its key,
      because it is validated by the save that fills it. A record without a key does not count as a stub.
      """),
    Rule(
      "save.delete-rules",
      """
      A delete rule deletes the records related to a deleted record (`cascade`), unlinks them (`nullify`,
      `noAction`) or prevents the deletion (`deny`), even in cycles. The rules apply once, when the record is
      deleted, but the save evaluates `deny` against the records related at that time. With `noAction`, the
      related records can be saved later although they require the deleted record. A relationship without an
      inverse that leads to the deleted record loses it, whatever the rules. If the relationship requires it, the
      save fails.
      """),
    Rule("save.concurrent", "Two in-flight requests with the same new key lead to one record."),
  ]
}
