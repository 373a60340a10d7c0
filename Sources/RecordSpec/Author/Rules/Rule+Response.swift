extension Rule {
  static let response = [
    Rule(
      "response.source", .differs("It accepts only decoded objects."),
      """
      A server returns bytes or a JSON value made in Swift; both yield the same records. Positions in a JSON value
      have JSON pointers but no line numbers.
      """),
    Rule(
      "response.array",
      "An array at the root is the list of items. The response key path is not applied to it."),
    Rule(
      "response.key-path", .differs("It treats an array within the array as a key."),
      """
      If the response is an object, the response key path leads to the items. The request's key path takes
      precedence over the entity's; without either, the object is the item. Arrays within arrays are flattened.
      """),
    Rule("response.single", "A single object in place of a list counts as a list with one item."),
    Rule(
      "response.empty", .differs("An empty body fails the request."),
      """
      A response has no records if its body is empty, or if the response key path leads to nothing, a null or an
      empty array. The request succeeds and reports `empty-result-set`, unless no records are expected or the response
      lists deleted keys. In a run of pages, an empty array is reported on the first page only.
      """),
    Rule(
      "response.no-content", .differs("An empty body fails the request."),
      """
      No records are expected in response to `DELETE` or `HEAD`, or with status 204 or 205, whose body is ignored.
      If such a response has no items, the request succeeds without a diagnostic and without a record. An empty
      object in response to `DELETE` does not count as an item. Other items become records.
      """),
    Rule(
      "response.invalid", .differs("A scalar in place of an object raises an exception."),
      """
      Bytes that are not JSON fail the request with `invalid-response-format`. The same applies to a scalar in
      place of the list of items, if it cannot be a key. Nothing is saved. A byte order mark before JSON is ignored.
      """),
    Rule(
      "response.invalid-item", .differs("Each element of the array becomes a record or raises an exception."),
      """
      If a scalar in the list of items cannot be a key, it is skipped, with the diagnostic `invalid-item`. The
      other items become records.
      """),
    Rule(
      "response.scalar-item", .differs("Booleans and empty strings are keys too."),
      """
      A scalar in the list of items is a record's key if the entity's key is one attribute and the scalar converts
      to its type. A boolean or an empty string is never a key.
      """),
    Rule(
      "response.metadata",
      """
      `keyPathForMetaData` is the key path of the part of the response that describes the response itself, such as
      a total count. The result contains that part, even if there are no records. The path applies only if the
      response is an object.
      """),
    Rule(
      "response.custom-object",
      .differs(
        "A block of the caller selects a part of the response object, which the result block receives instead."
      ),
      """
      The result contains the whole response object, for data that does not become records. It is present even if
      there are no items, and each page has its own object. A failed request has no result, and the stored records
      of a fetch-first request have no response object.
      """),
    Rule(
      "response.sideloaded", .new,
      """
      With `sideloaded`, the requested entity declares other lists of the response, and the entities of their
      items. These items become records and complete references, but are not in the result. Of several entities,
      the first whose `usedWhen` matches an item is its entity. An item that matches no entity is ignored.
      """),
  ]
}
