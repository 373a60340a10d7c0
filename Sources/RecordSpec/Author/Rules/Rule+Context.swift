extension Rule {
  static let context = [
    Rule("context.identity-map", "In one context, a record is always the same object."),
    Rule(
      "context.refresh",
      "After a request has saved records, the objects that the caller holds have the new values."),
    Rule(
      "context.conflict",
      """
      If a response changes a record with unsaved changes of the caller, the properties that the caller has
      changed stay. The other properties are refreshed, whether or not the request saves. Of several responses,
      the latest one that mentions a property wins, even if its value equals the stored one. A response does not
      restore a record that the caller has deleted but not saved. The delete rules of that deletion apply to the
      relationships after the latest response.
      """),
    Rule(
      "context.conflict.deleted", .new,
      """
      If the caller links to a record that another context or request deletes before the save, the relationship
      returns to its stored value. A new record has none, so its save fails if the relationship is required,
      whatever the delete rule.
      """),
  ]
}
