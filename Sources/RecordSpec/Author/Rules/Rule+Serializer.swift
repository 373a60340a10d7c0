extension Rule {
  static let serializer = [
    Rule(
      "serializer.entity", .differs("Of several fragments that stand in the URL, any may count."),
      """
      The bytes of a response become records of the entity that is registered for the longest fragment of
      its URL, the query included. If none stands in it, that fails with diagnostic 4.
      """
    ),
    Rule(
      "serializer.invalid", .differs("It reports 6 in place of a transport error, and without the text."),
      """
      Bytes that cannot be decoded, or can be no records, fail with diagnostic 6 and the text they are; a
      transport error passes through.
      """),
    Rule("serializer.save", "The records are saved, or handed to the context, as those of a request are."),
  ]
}
