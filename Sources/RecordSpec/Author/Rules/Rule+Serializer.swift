extension Rule {
  static let serializer = [
    Rule(
      "serializer.entity", .differs("Of several fragments in the URL, any may be used."),
      """
      The bytes of a response become records of the entity that is registered for a fragment of its URL, including
      the query; the longest fragment wins. If the URL contains no fragment, the call fails with diagnostic 4,
      `invalid-entity`.
      """),
    Rule(
      "serializer.invalid",
      .differs("It reports the code 6 in place of a transport error, without the text of the response."),
      """
      Bytes that cannot be decoded or cannot become records fail with diagnostic 6, `invalid-response-format`, and
      the failure contains their text. A transport error is passed through unchanged.
      """),
    Rule(
      "serializer.save",
      """
      The records are saved, or left unsaved in the context, in the same way as the records of a request.
      """),
  ]
}
