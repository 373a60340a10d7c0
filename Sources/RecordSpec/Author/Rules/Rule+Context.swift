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
      If the caller links to a record that another context or request deletes before the save, the link has
      no effect. The relationship returns to the value of the latest response or, without one, to its stored value.
      If neither exists and the relationship is required, the save fails, whatever the delete rule.
      """),
    Rule(
      "context.conflict.population", .new,
      """
      Unsaved changes of the caller do not affect what a response changes and deletes: its hooks, scopes and delete
      rules see the records without them. A response that stays unsaved finds inserted records, and records with
      changed keys, by the key attributes that the caller has set. A response that is saved does not. If it saves a
      record with the key attributes of a record of the caller, the caller's save fails. For an unsaved response of a
      child context, the changes of the caller in its parents count as stored, except for deletions.
      """),
  ]
}
