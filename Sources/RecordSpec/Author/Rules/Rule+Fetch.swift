extension Rule {
  static let fetch = [
    Rule(
      "fetch.sort", .new,
      """
      Records are sorted by attributes in the order of weight, also by those of what to-ones lead to; without a value they come
      first, descending last. Equal ones stand oldest first.
      """),
    Rule(
      "fetch.page", .new,
      "The offset leaves out the first records of the sorted answer, the limit those behind."),
    Rule(
      "fetch.unsaved", .new,
      "A context's unsaved changes count: what is inserted, changed, linked or deleted in it is fetched as it is there."
    ),
  ]
}
