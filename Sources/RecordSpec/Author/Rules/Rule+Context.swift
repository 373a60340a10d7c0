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
      has made them; of these, the later one counts. A record that a save deletes is gone, with its unsaved
      changes and links to it; the saved values show again. A saved response that mentions a record with an
      unsaved deletion lists it in its changes and does not return it.
      """),
    Rule(
      "context.conflict.key", .new,
      """
      An unsaved record with the key of a saved one becomes the saved one when the context merges or saves: the
      same object, with the other identifier. The values that were set stay; missing and default values do not
      count. If the key of an existing record was changed to that of another one, the save fails with `save-error`.
      These are the keys of the model, even if tweaks set others.
      """),
  ]
}
