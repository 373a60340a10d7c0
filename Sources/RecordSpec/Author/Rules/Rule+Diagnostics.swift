extension Rule {
  static let diagnostics = [
    Rule(
      "diagnostics.all", .differs("The last one that fails the request is the primary one."),
      """
      A failed request says which diagnostic failed it, the first one that does, and carries all that were
      met, in order; with them the response object, the entity that was asked for, the dictionary of the record
      that is at fault, the record type, the response key path and the server, where there are such. A request
      that succeeds hands its diagnostics over with its result.
      """),
    Rule(
      "diagnostics.replace",
      """
      A request may bring a debugger of its own, or a container, which judges each diagnostic: a failure
      fails the request before anything is saved, a warning is told, and nobody is told of what it ignores.
      What fails a request by itself is not for it to judge.
      """),
    Rule(
      "diagnostics.levels", .differs("It prints by itself, and has levels of its own."),
      provenBy: "RequestLogTests",
      """
      Nothing is printed unasked. A container that is given a logger tells it, from its level on, of failures,
      diagnostics, requests, what responses came to, and each record.
      """),
    Rule(
      "diagnostics.where", .differs("It does not say where in the response."),
      """
      A diagnostic names the entity and the property it is about, the address of the response, and the place
      in it as a JSON pointer, or both places where two disagree; each where there is one to name.
      """),
    Rule(
      "diagnostics.drift", .new,
      """
      On request a response is compared with the model: keys of its items that nothing reads, properties that
      none of an entity's items has, and values of other kinds than their properties expect, or that differ from
      item to item; each with how often it is there, and where first. Items are judged as the server sent them,
      and what becomes no record is not.
      """),
  ]
}
