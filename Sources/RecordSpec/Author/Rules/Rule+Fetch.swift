extension Rule {
  static let fetch = [
    Rule(
      "fetch.sort", .new,
      """
      Records are sorted by attributes, the most significant first, including attributes of the records that
      to-ones lead to. Records without a value come first, or last in descending order. Equal records are sorted
      from the oldest to the newest.
      """),
    Rule(
      "fetch.page", .new,
      """
      The offset skips the first records of the sorted result. The limit is the largest number of records returned
      after them.
      """),
    Rule(
      "fetch.unsaved", .new,
      """
      A fetch includes the context's unsaved changes: it sees inserted, changed, linked and deleted records as
      they are in the context.
      """),
  ]
}
