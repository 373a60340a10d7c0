extension Rule {
  static let diagnostics = [
    Rule(
      "diagnostics.all", .differs("The last diagnostic that fails the request is the primary one."),
      """
      A failed request names the first diagnostic that failed it and carries all diagnostics, in order. It also
      carries the response object, requested entity, dictionary at fault, record type, response key path and
      server, where they exist. A successful request carries its diagnostics in the result.
      """),
    Rule(
      "diagnostics.replace",
      """
      A request or a container may supply a debugger, which judges each diagnostic. A failure fails the request
      before anything is saved, a warning is reported, and an ignored diagnostic is dropped. The debugger does not
      judge diagnostics that always fail a request.
      """),
    Rule(
      "diagnostics.levels", .differs("It prints by itself and has its own levels."),
      provenBy: "RequestLogTests",
      """
      Nothing is printed by default. A container with a logger logs, at the logger's level and above, failures,
      diagnostics, requests, a summary of each response, and each record.
      """),
    Rule(
      "diagnostics.where", .differs("It does not name the position in the response."),
      """
      A diagnostic names its entity, its property, the address of the response and the position in it as a JSON
      pointer, where they exist. If two positions disagree, it names both.
      """),
    Rule(
      "diagnostics.drift", .new,
      """
      On request, a response is compared with the model. The report lists item keys that nothing reads, properties
      that no item of an entity has, and values of an unexpected or varying kind. Each entry has a count and its
      first position. Items are compared as the server sent them; items that become no record are not compared.
      """),
  ]
}
