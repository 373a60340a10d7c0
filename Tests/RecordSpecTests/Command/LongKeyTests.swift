import Testing

@testable import RecordSpec

/// A key of a megabyte is not told whole, wherever it stands.
struct LongKeyTests {
  private static let key = String(repeating: "k", count: 1_000_000)
  private static let model = "model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}"
  private static let rest = "responses: {posts: {body: []}}\nsteps: [{request: Post, urn: posts}]"

  static let texts: [(place: String, text: String)] = [
    ("scenario", "\(model)\n\(rest)\n? \(key)\n: 1\n"),
    (
      "step",
      "\(model)\nresponses: {posts: {body: []}}\nsteps:\n  - request: Post\n    urn: posts\n    ? \(key)\n    : 1\n"
    ),
    (
      "entity",
      "model:\n  entities:\n    Post:\n      primaryKey: id\n      attributes: {id: string}\n      ? \(key)\n      : 1\n\(rest)\n"
    ),
    ("type", "model: {entities: {Post: {primaryKey: id, attributes: {id: \(key)}}}}\n\(rest)\n"),
    (
      "name of an entity",
      "\(model)\nresponses: {posts: {body: []}}\nsteps: [{request: \(key), urn: posts}]\n"
    ),
    (
      "expectation",
      "\(model)\n\(rest)\nexpect:\n  graph:\n    Post:\n      only:\n        - id: \"1\"\n          ? \(key)\n          : 1\n"
    ),
    ("address", "\(model)\nresponses: {posts: {body: []}}\nsteps: [{request: Post, urn: \(key)}]\n"),
  ]

  @Test(arguments: texts.indices) func aLongKeyIsCut(index: Int) async throws {
    let suite = try CommandSuite(["a": "title: Long\n" + Self.texts[index].text])
    for command in ["check", "run"] {
      let outcome = await suite.recordspec(command)
      let output = outcome.output + outcome.errors
      #expect(output.utf8.count < 3000, "\(Self.texts[index].place): \(output.utf8.count) bytes")
      if command == "run" { #expect(outcome.status != 0 && output.contains("kkk…")) }
    }
  }
}
