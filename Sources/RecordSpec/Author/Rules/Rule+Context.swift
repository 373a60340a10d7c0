extension Rule {
  static let context = [
    Rule("context.identity-map", "In one context, a record is always the same object."),
    Rule(
      "context.refresh", "Objects that the caller holds have the new values once a request has saved them."),
    Rule(
      "context.conflict",
      """
      If a response changes a record with unsaved changes of the caller, the properties that the caller changed
      stay. The other properties are refreshed, whether or not the request saves. Of several responses, the latest
      one that mentions a property wins, even if it does not change it. A response does not restore a record that
      the caller has deleted but not saved. The delete rules of that deletion apply to the records as the
      responses leave them.
      """),
    Rule(
      "context.conflict.deleted", .new,
      """
      If the caller links to a record that is deleted elsewhere before the save, the relationship keeps its stored
      value.
      """),
  ]
}
