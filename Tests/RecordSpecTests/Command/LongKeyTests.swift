import TestSupport
import Testing

@testable import ScenarioFormat

/// Tests that messages shorten a key of 100 kilobytes in every part of a scenario.
struct LongKeyTests {
  private static let key = String(repeating: "k", count: 100_000)
  private static let model = "model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}"
  private static let rest = "responses: {posts: {body: []}}\nsteps: [{request: Post, urn: posts}]"

  private static let longHanKey = String(repeating: "万", count: 30_000)

  static let texts: [(location: String, text: String)] = [
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
    ("scenario in Chinese", "\(model)\n\(rest)\n? \(longHanKey)\n: 1\n"),
    ("address", "\(model)\nresponses: {posts: {body: []}}\nsteps: [{request: Post, urn: \(key)}]\n"),
  ]

  @Test(arguments: sampled(Array(texts.indices))) func aLongKeyIsCut(index: Int) async throws {
    let suite = try CommandSuite(["a": "title: Long\n" + Self.texts[index].text])
    for command in ["check", "run"] {
      let outcome = await suite.recordspec(command)
      let output = outcome.output + outcome.errors
      #expect(output.count < 3000, "\(Self.texts[index].location): \(output.count) characters")
      if command == "run" { #expect(outcome.status != 0 && output.contains(/(kkk|万万万)…/)) }
    }
  }

  @Test func aShortKeyOfManyBytesIsToldWhole() async throws {
    let key = String(String.UnicodeScalarView((0x4E00..<0x4E00 + 350).compactMap(Unicode.Scalar.init)))
    let suite = try CommandSuite(["a": "title: Short\n\(Self.model)\n\(Self.rest)\n\(key): 1\n"])
    #expect(await suite.recordspec("check").output.contains("'\(key)'"))
  }

  @Test(arguments: ["k", "万", "👩‍🚀"]) func onlyLongMessagesAreCut(letter: String) {
    func message(_ count: Int) -> String {
      let scalars = String(repeating: letter, count: count).unicodeScalars.prefix(count)
      return AuthorDiagnostic(.unreadableFile, at: .file("a"), String(scalars)).message
    }
    let limit = AuthorDiagnostic.maximumLength
    #expect(message(limit).unicodeScalars.count == limit)
    #expect(!message(limit).contains("…"))
    let cut = message(limit + 1).unicodeScalars
    #expect(cut.count == AuthorDiagnostic.keptAtStart + 1 + AuthorDiagnostic.keptAtEnd)
  }
}
