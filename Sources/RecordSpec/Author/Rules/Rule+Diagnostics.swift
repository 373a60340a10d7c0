extension Rule {
  static let diagnostics = [
    Rule(
      "diagnostics.all", .differs("The last diagnostic that fails the request is the primary one."),
      """
      A failure contains all diagnostics in their order; the first one that failed the request is the primary one.
      It also contains the response object, requested entity, dictionary at fault, record type, response key path
      and server, where they exist. The diagnostics of a successful request are in its result.
      """),
    Rule(
      "diagnostics.replace",
      """
      A request or a container may have a debugger, which returns the severity of each diagnostic. A failure fails
      the request before anything is saved, a warning is reported, and an ignored diagnostic is dropped. The
      debugger is not called for diagnostics that always fail a request.
      """),
    Rule(
      "diagnostics.levels",
      .differs("It prints by itself and has its own levels."),
      provenBy: "RequestLogTests",
      """
      Nothing is printed by default. A container with a logger logs failures, diagnostics, requests, a summary of
      each response and each changed record, each at its own level.
      """),
    Rule(
      "diagnostics.where", .differs("It does not name the position in the response."),
      """
      A diagnostic contains its entity, its property, the address of the response and the position in it as a JSON
      pointer, where they exist. If two positions disagree, it contains both.
      """),
    Rule(
      "diagnostics.drift", .new,
      """
      On request, a response is compared with the model. The report lists item keys that nothing reads, properties
      that no item of an entity has, and values of an unexpected or varying kind. Each entry has a count and its
      first position. Items are compared as the server sent them; items that do not become records are not
      compared.
      """),
    Rule(
      "diagnostics.drift-ignored", .new,
      """
      A drift report leaves out unused keys that match a pattern in 'ignores' of the entity or of an ancestor. In a
      pattern, '*' matches any text; keys of nested objects are joined with dots.
      """),
    Rule(
      "diagnostics.drift-inverse", .new,
      """
      A relationship is not missing if its inverse is present. In a scenario, the inverse of a to-many may also be
      present in another step, if the to-many itself is present in no step. The to-many side of a to-one is never
      missing, unless the model declares that items contain it. The model does so with 'from', 'keyedBy' or
      'assignment: replace', or if the members have the inverse as their key.
      """),
  ]
}
