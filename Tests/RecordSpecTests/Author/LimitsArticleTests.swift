import JSONTree
import RecordEngine
import RecordModel
import Testing
import XcodeModel

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

/// Tests that the limits in the article match the code.
@Suite struct LimitsArticleTests {
  private static let rows: [(limit: String, value: String)] = [
    ("cached responses", "\(RecordCache.Limits().maximumSize >> 20) MiB, 30 days"),
    ("pages of a run", grouped(RequestOptions().maxPages)),
    ("columns of an entity and its sub-entities", grouped(Schema.maximumColumns)),
    ("inherited properties of all sub-entities", grouped(Schema.maximumInheritedProperties)),
    ("nesting of a YAML file", "\(YAMLParser.maximumDepth) levels"),
    ("values that the aliases of a YAML file expand to", grouped(YAMLParser.maximumAliasedNodes)),
    ("differences listed for a scenario", "\(DifferenceRenderer.limit)"),
    ("differences listed with `--verbose`", "\(ValueText.grouped(Differences.limit))"),
    (
      "length of a message about a file",
      "\(grouped(AuthorDiagnostic.maximumLength)) characters | the first \(AuthorDiagnostic.keptAtStart) and "
        + "the last \(AuthorDiagnostic.keptAtEnd) are shown"
    ),
  ]

  private static func grouped(_ number: Int) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  @Test func limitsAreThoseOfTheCode() throws {
    let text = try Article("RecordSpec/Limits").text
    for (limit, value) in Self.rows {
      #expect(text.contains("| \(limit) | \(value) |"), "the article has no row '| \(limit) | \(value) |'")
    }
    #expect(RecordCache.Limits().maximumAge == .seconds(30 * 24 * 60 * 60))
  }

  @Test(arguments: [(512, true), (513, false)]) func jsonNestsOnlySoDeep(depth: Int, isAccepted: Bool) throws
  {
    let bytes = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    #expect(((try? JSONDocument(parsing: bytes)) != nil) == isAccepted)
    try expectRow("nesting of a JSON document", "512 levels")
  }

  @Test(arguments: [(64, true), (65, false)]) func predicatesNestOnlySoDeep(depth: Int, isAccepted: Bool)
    throws
  {
    let text = String(repeating: "(", count: depth) + "id == 1" + String(repeating: ")", count: depth)
    #expect(((try? RecordPredicate(text)) != nil) == isAccepted)
    try expectRow("nesting of a predicate", "64 levels")
  }

  @Test(arguments: [
    ("nesting of groups in a regular expression", "62 levels", nested(62), nested(63)),
    (
      "opening square brackets in a regular expression", "100", String(repeating: "[a]", count: 100),
      String(repeating: "[a]", count: 101)
    ),
    ("compiled size of a regular expression", "10,000 instructions", "a{9000}", "a{10001}"),
  ])
  func regularExpressionsHaveLimits(limit: String, value: String, accepted: String, refused: String) throws {
    #expect((try? RecordPredicate("name MATCHES '\(accepted)'")) != nil)
    #expect((try? RecordPredicate("name MATCHES '\(refused)'")) == nil)
    try expectRow(limit, value)
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
  }

  @Test(arguments: [(64, true), (65, false)]) func xcodeModelsNestOnlySoDeep(depth: Int, isAccepted: Bool)
    throws
  {
    let inner = depth - 1
    let text =
      "<model>" + String(repeating: "<a>", count: inner) + String(repeating: "</a>", count: inner)
      + "</model>"
    let problems = XcodeDataModel(parsing: Array(text.utf8), file: "contents").problems
    #expect(problems.contains { "\($0)".contains("nest") } != isAccepted, "\(problems)")
    try expectRow("nesting of an Xcode model file", "64 elements")
  }

  private func expectRow(_ limit: String, _ value: String) throws {
    #expect(try Article("RecordSpec/Limits").text.contains("| \(limit) | \(value) |"))
  }
}
