extension Rule {
  static let fetch = [
    Rule(
      "fetch.sort", .new,
      """
      Records are sorted by one or more attributes, the most significant first. An attribute can also belong to a
      record that a to-one leads to. Records without a value come first, or last in descending order. Records with
      equal values are sorted from the oldest to the newest.
      """),
    Rule(
      "fetch.page", .new,
      """
      The offset is the number of records to skip at the start of the sorted result. The limit is the maximum
      number of records returned after them.
      """),
    Rule(
      "fetch.unsaved", .new,
      """
      A fetch includes the context's unsaved changes: it sees inserted, changed, linked and deleted records as
      they are in the context.
      """),
  ]
}
