extension Rule {
  static let jsonserver = [
    Rule(
      "jsonserver.match", .differs("Any fragment that fits may answer."), provenBy: "JSONServerTests",
      """
      A local file answers the requests whose address has its fragment. The longest one counts; of two as
      long, the one that ends later. The parameters that a fragment names must be among the request's.
      """),
    Rule(
      "jsonserver.delay", provenBy: "JSONServerTests",
      "The answers can be delayed, as those of a real server are."),
    Rule(
      "jsonserver.malformed", .differs("It answers with nothing, as an empty response does."),
      provenBy: "JSONServerTests",
      """
      A file that is missing, or is no JSON, fails the request with an error that names the file and the
      place in it; so does an address for which there is no fragment.
      """),
  ]
}
