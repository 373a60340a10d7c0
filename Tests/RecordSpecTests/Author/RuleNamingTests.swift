import Foundation
import RecordSpec
import Testing

/// Tests that each rule is named at the code that implements it, so that a search for its id finds both.
@Suite struct RuleNamingTests {
  private static let modules = [
    "JSONTree", "RecordModel", "XcodeModel", "RecordEngine", "RecordEngineHTTP", "RecordSpec",
  ]

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources").standardizedFileURL

  /// A rule id in a comment, as in "Rule: `merge.once`." or "(rule `merge.once`)".
  private struct Reference {
    let id: String
    let file: String
  }

  @Test func everyRuleIsNamedAtItsCode() throws {
    let named = Set(try references().map(\.id))
    #expect(Rule.all.filter { !$0.isPlanned && !named.contains($0.id) }.map(\.id) == [])
  }

  @Test func everyIDThatCodeNamesIsARule() throws {
    let stale = try references().filter { !Self.isKnown($0.id) }
    #expect(stale.map { "\($0.file): \($0.id)" } == [])
  }

  @Test(arguments: [
    ("/// Merges. Rule: `merge.once`.", ["merge.once"]),
    ("/// Merges. Rules: `merge.once`,\n  /// `merge.across`.\nlet x = 0", ["merge.once", "merge.across"]),
    ("// Merged once (rule `merge.once`).", ["merge.once"]),
    ("/// Rules: `merge.*`.", ["merge.*"]),
    ("/// Rule:\n/// `merge.once`.", ["merge.once"]),
    ("let id = \"Rule: `merge.once`\"", []),
    ("/// An id such as `merge.once`.", []),
  ])
  func referencesAreFoundInComments(source: String, ids: [String]) {
    #expect(Self.ids(in: source) == ids)
  }

  /// Returns a Boolean value that indicates whether the rule exists. An id that ends with `.*` matches all rules with
  /// this prefix.
  private static func isKnown(_ id: String) -> Bool {
    guard id.hasSuffix(".*") else { return Rule.rule(id) != nil }
    return Rule.all.contains { $0.id.hasPrefix(id.dropLast()) }
  }

  private func references() throws -> [Reference] {
    var references: [Reference] = []
    for module in Self.modules {
      let folder = Self.sources.appendingPathComponent(module)
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in files
      where file.pathExtension == "swift" && !file.path.contains("/Author/Rules/") {
        let source = try String(contentsOf: file, encoding: .utf8)
        references += Self.ids(in: source).map { Reference(id: $0, file: file.lastPathComponent) }
      }
    }
    try #require(references.count > Rule.all.count)
    return references
  }

  private static func ids(in source: String) -> [String] {
    comments(of: source).flatMap { comment in
      comment.matches(of: /[Rr]ules?:? ((?:`[^`]+`(?:, | and )?)+)/).flatMap { match in
        match.1.matches(of: /`([^`]+)`/).map { String($0.1) }
      }
    }
  }

  /// Returns the comments of a source file, with the lines of each comment joined.
  private static func comments(of source: String) -> [String] {
    var comments: [String] = []
    var lines: [Substring] = []
    for line in (source + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("//") {
        lines.append(text.drop { $0 == "/" }.drop { $0 == " " })
      } else if !lines.isEmpty {
        comments.append(lines.joined(separator: " "))
        lines = []
      }
    }
    return comments
  }
}
