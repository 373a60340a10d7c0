extension Rule {
  static let response = [
    Rule(
      "response.source", .differs("It takes decoded objects alone."),
      """
      What a server answers may be bytes or a JSON value made in Swift, and both give the same records.
      Places in the latter have JSON pointers, but no lines.
      """),
    Rule(
      "response.array",
      "An array at the root is the list of items; the response key path is not applied to it."),
    Rule(
      "response.key-path", .differs("An array within the array is taken for a key."),
      """
      In an object the items are where the response key path leads: the request's, else the entity's;
      without one the object is the item. Arrays within arrays are flattened.
      """),
    Rule("response.single", "One object where a list could be is a list of one item."),
    Rule(
      "response.empty", .differs("An empty body fails the request."),
      """
      Nothing at the response key path, a null, an empty array or an empty body: no records, with the
      diagnostic `empty-result-set`. The request succeeds.
      """),
    Rule(
      "response.invalid", .differs("A scalar in place of an object raises an exception."),
      """
      Bytes that are no JSON, or a scalar in place of the items that cannot be a key, fail the request with
      `invalid-response-format`. Nothing is saved.
      """),
    Rule(
      "response.invalid-item", .differs("Whatever is in the array becomes a record, or raises an exception."),
      """
      A scalar among the items that cannot be a key is left out with the diagnostic `invalid-item`; the
      other items become records.
      """),
    Rule(
      "response.scalar-item", .differs("Booleans and empty strings are keys as well."),
      """
      A scalar among the items is the key of a record, if the entity has a single attribute as key and the
      scalar can become its type. A boolean and an empty string never are one.
      """),
    Rule(
      "response.metadata",
      """
      `keyPathForMetaData` says where the response has what is not about records, such as how many there are in all. It is
      handed over with the records, also with none. It is looked for in an object only.
      """
    ),
    Rule(
      "response.custom-object",
      .differs("A handler of the caller's picks a part, which is handed over instead."),
      """
      The whole response object is handed over with the records, for what is no record in it: also if there are
      no items, for each page by itself, and not after a failure or with what a fetch-first request has stored.
      """),
  ]
}
