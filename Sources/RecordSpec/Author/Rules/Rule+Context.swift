extension Rule {
  static let context = [
    Rule("context.identity-map", "In one context, a record is always the same object."),
    Rule(
      "context.refresh",
      "After a request has saved records, the objects that the caller holds have the new values."),
    Rule(
      "context.conflict",
      """
      Unsaved changes of a context win over a save of a request or of another context, property by property and
      member by member; everything else shows the store. It makes no difference whether the caller or a response
      made the unsaved changes; if both did, the later change counts. A record that a save deletes is gone, with
      its unsaved changes, and relationships with an unsaved link to it show their saved values again. If a saved
      response mentions a record with an unsaved deletion, the response lists the record in its changes but does
      not return it.
      """),
    Rule(
      "context.conflict.key", .new,
      """
      An unsaved record may have the same key as a saved one. When the context merges or saves, it becomes the
      saved record: the object stays the same, but gets the saved record's identifier. It keeps the values that
      were set; missing and default values do not count. If the key of an existing record was changed to another
      record's key, the save fails with `save-error`. The rule applies to the keys of the model, even if tweaks
      set others.
      """),
  ]
}
