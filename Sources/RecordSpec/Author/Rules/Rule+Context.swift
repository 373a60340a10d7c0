extension Rule {
  static let context = [
    Rule("context.identity-map", "In one context a record is one object, however often it is handed out."),
    Rule(
      "context.refresh", "An object that the caller holds has the new values once a request has saved them."),
    Rule(
      "context.conflict",
      """
      Where a response changes a record with unsaved changes of the caller's, the properties that the caller
      changed stay, and the others are refreshed, whether requests save or not. Of several responses the latest one
      that mentions a property counts, whether or not it changes it. A response does not restore a record whose
      deletion is unsaved, and delete rules apply to the records as the responses leave them.
      """),
    Rule(
      "context.conflict.deleted", .new,
      """
      Where the caller links to a record that others delete before the save, the relationship stays as it is stored.
      """),
  ]
}
