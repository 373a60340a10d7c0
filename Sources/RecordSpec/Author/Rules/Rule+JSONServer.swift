extension Rule {
  static let jsonserver = [
    Rule(
      "jsonserver.match", .differs("Any matching fragment may be used."), provenBy: "JSONServerTests",
      """
      A file answers the requests whose address contains its fragment. If several fragments match, the longest
      wins; of two equally long fragments, the one that ends later in the address wins. The request must have the
      parameters that are part of the fragment.
      """),
    Rule(
      "jsonserver.delay", provenBy: "JSONServerTests",
      "Responses can be delayed, like those of a real server."),
    Rule(
      "jsonserver.malformed",
      .differs("It returns no records, as for an empty response."),
      provenBy: "JSONServerTests",
      """
      If a file is missing or not JSON, the request fails with an error that contains the file and the position in
      it. An address without a matching fragment fails the request too.
      """),
  ]
}
