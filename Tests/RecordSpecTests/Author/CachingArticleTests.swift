import Foundation
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the tables of the article on caching.
@Suite struct CachingArticleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let scenarios = root.appending(path: "Scenarios").path

  private let article: Article

  init() throws { article = try Article("RecordEngine/Caching") }

  /// Returns the cells of each table whose header ends with `columns`.
  private func tables(endingWith columns: String) throws -> [[[String]]] {
    let lines = article.text.split(separator: "\n", omittingEmptySubsequences: false)
    let headers = lines.indices.filter { lines[$0].hasPrefix("|") && lines[$0].hasSuffix(columns) }
    try #require(!headers.isEmpty)
    return headers.map { header in
      lines[header...].dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }
  }

  /// Returns the tables of response headers, of request headers, and of methods and statuses.
  private func headerTables() throws -> [[[String]]] {
    try tables(endingWith: " | what the cache does | specification | proof |")
  }

  private func headerRows() throws -> [[String]] { try headerTables().flatMap(\.self) }

  /// Returns the texts in backticks.
  private func names(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }

  private func file(_ name: String) -> ScenarioFile {
    ScenarioFile(path: "\(Self.scenarios)/\(name).yaml", name: name)
  }

  // MARK: Headers

  @Test func rowsAreWhole() throws {
    let rows = try headerRows()
    #expect(rows.count > 25)
    for row in rows {
      try #require(row.count == 4, "\(row)")
      #expect(!row[1].isEmpty)
      #expect(
        row[2].wholeMatch(of: /(RFC \d{4}( \d[\d.]*(, \d[\d.]*)*)?)(, RFC \d{4} \d[\d.]*)*/) != nil,
        "\(row[2])")
      let others = row[3].replacing(/`[^`]+`/, with: "").filter { $0 != "," && $0 != " " }
      #expect(!names(row[3]).isEmpty && others.isEmpty, "\(row[3])")
    }
    let tables = try headerTables()
    #expect(tables.count == 3)
    for headers in tables.map({ $0.map { $0[0] } }) { #expect(Set(headers).count == headers.count) }
  }

  @Test func whatIsNamedProvesARuleOfTheCacheAndPasses() async throws {
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: Self.root.appending(path: "Golden").path), today: "2030-01-01")
    for name in Set(try headerRows().flatMap { names($0[3]) }).sorted() {
      let scenario = try #require(Scenario.load(file(name)).scenario, "\(name)")
      #expect(scenario.covers.contains { $0.value.hasPrefix("cache.") }, "\(name)")
      let outcome = await judge.verdict(on: RunPlan.Entry(file: file(name))).outcome
      guard case .passed = outcome else {
        Issue.record("\(name): \(outcome)")
        continue
      }
    }
  }

  /// Each directive, header, method or status is mentioned in a scenario of its row.
  @Test func whatIsNamedIsAboutItsRow() throws {
    for row in try headerRows() {
      let texts = try names(row[3]).map { try String(contentsOfFile: file($0).path, encoding: .utf8) }
      for name in names(row[0]) {
        let word = name.split(separator: ": ").last.map(String.init) ?? name
        let isSaid = texts.contains {
          $0.range(of: word.replacing("*", with: ""), options: .caseInsensitive) != nil
        }
        #expect(isSaid, "no scenario of \(row[3]) contains '\(word)'")
      }
    }
  }

  // MARK: Rules

  /// The table lists the proofs of each rule: the test suite, then the scenarios, in the order of the rules.
  @Test func rulesHaveTheseProofs() throws {
    let files = ScenarioFiles(below: Self.scenarios).files.filter { $0.name.hasPrefix("cache/") }
    try #require(files.count > 50)
    let coverage = RuleCoverage(files.compactMap { Scenario.load($0).scenario })
    let rules = Rule.all.filter { $0.group == "cache" }
    let expected = rules.map { rule in
      let proofs = [rule.provenBy].compactMap { $0 } + coverage.scenarios(of: rule)
      return "| `\(rule.id)` | \(proofs.map { "`\($0)`" }.joined(separator: ", ")) |"
    }
    let actual = try tables(endingWith: "| rule | proof |").flatMap(\.self).map {
      "| \($0.joined(separator: " | ")) |"
    }
    let difference = expected.filter { !actual.contains($0) }
    #expect(actual == expected, "these rows differ: \(difference.joined(separator: "\n"))")
  }
}
