import Foundation
import Testing

@testable import RecordSpec

/// What the README shows is what is there and what comes out.
struct ReadmeTests {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func theScenarioIsTheSuitesOwn() throws {
    #expect(try block("yaml") == file("Scenarios/identity/attribute-key.yaml"))
    #expect(try block("json") == file("Golden/identity/attribute-key.json"))
  }

  @Test func theScenarioFailsAsShown() async throws {
    let name = "identity/attribute-key"
    let changed = try block("yaml").replacing(
      "text: Again, user: {id: \"7\"", with: "text: Again, user: {id: \"8\"")
    let suite = try CommandSuite([name: changed])
    try suite.folder.write(block("json"), to: "Golden/\(name).json")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(outcome.output == (try block("text")))
  }

  @Test func theScenarioIsBlessedAsShown() async throws {
    let name = "identity/attribute-key"
    let suite = try CommandSuite([name: try block("yaml")])
    #expect(await suite.recordspec("bless", name).status == 0)
    #expect(try suite.folder.read("Golden/\(name).json") == block("json"))
    #expect(await suite.recordspec("run").status == 0)
  }

  private func file(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The first block of a kind in the README.
  private func block(_ kind: String) throws -> String {
    let readme = try file("README.md")
    let start = try #require(readme.range(of: "\n```\(kind)\n"), "the README has no block of \(kind)")
    let end = try #require(readme.range(of: "\n```\n", range: start.upperBound..<readme.endIndex))
    return String(readme[start.upperBound..<end.lowerBound]) + "\n"
  }
}
