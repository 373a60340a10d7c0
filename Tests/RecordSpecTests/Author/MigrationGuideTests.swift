import Foundation
import Testing

@testable import ScenarioReport

/// Tests for the rows of the guide for users of MMRecord.
@Suite struct MigrationGuideTests {
  private struct Row {
    let line: Int
    let cells: [String]

    var name: String { cells[0] }
    var answer: String { cells[1] }
    /// The texts in backticks.
    var proofs: [String] { cells[2].matches(of: /`([^`]+)`/).map { String($0.1) } }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private let text: String
  private let rows: [Row]

  init() throws {
    text = try Article("RecordEngine/MigratingFromMMRecord").text
    rows = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      guard line.hasPrefix("|"), !line.hasPrefix("|---"), !line.hasPrefix("| MMRecord | RecordEngine |")
      else {
        return nil
      }
      return Row(
        line: index + 1,
        cells: line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) })
    }
  }

  @Test func rowsAreWhole() {
    #expect(rows.count > 100)
    for row in rows {
      #expect(row.cells.count == 3 && !row.cells.contains(""), "line \(row.line)")
      guard row.cells.count == 3 else { continue }
      let ifNothingIsNeeded = row.answer.hasPrefix("none: ") && row.answer.count > 12
      #expect(
        row.answer != "none" && (ifNothingIsNeeded || !row.answer.hasPrefix("none")), "line \(row.line)")
    }
  }

  /// Each part of MMRecord has exactly one row.
  @Test func nothingStandsTwice() {
    let names = rows.map(\.name)
    #expect(names.count == Set(names).count, "\(names.filter { name in names.count { $0 == name } > 1 })")
  }

  @Test func everyRowIsProven() {
    for row in rows {
      let others = row.cells[2].replacing(/`[^`]+`/, with: "").filter { $0 != "," && $0 != " " }
      #expect(!row.proofs.isEmpty && others.isEmpty, "line \(row.line)")
    }
  }

  @Test func scenariosThatAreNamedExist() throws {
    for row in rows {
      for proof in row.proofs where proof.contains("/") {
        let file = Self.root.appending(path: "Scenarios/\(proof).yaml")
        #expect(FileManager.default.fileExists(atPath: file.path), "line \(row.line): \(proof)")
      }
    }
  }

  @Test func testsThatAreNamedExist() throws {
    let sources = try Self.testSources()
    for row in rows {
      for proof in row.proofs where !proof.contains("/") {
        let parts = proof.split(separator: ".")
        try #require(parts.count == 2, "line \(row.line): \(proof)")
        let suite = sources.first { $0.contains("struct \(parts[0]) {") }
        let source = try #require(suite, "line \(row.line): no suite \(parts[0])")
        let isThere = source.contains("func \(parts[1])(")
        #expect(isThere, "line \(row.line): \(parts[0]) has no test \(parts[1])")
      }
    }
  }

  private static func testSources() throws -> [String] {
    let folder = root.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try files.compactMap { $0 as? String }.filter { $0.hasSuffix("Tests.swift") }.sorted().map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
  }
}
