import Foundation
import RecordSpec
import Testing

/// Tests for the form of the rules.
@Suite struct RuleTests {
  @Test func idsAreUnique() {
    var seen: Set<String> = []
    #expect(Rule.all.map(\.id).filter { !seen.insert($0).inserted } == [])
  }

  @Test func idsAreWords() {
    let malformed = Rule.all.map(\.id).filter { $0.wholeMatch(of: /[a-z]+(\.[a-z]+(-[a-z]+)*)+/) == nil }
    #expect(malformed == [])
  }

  @Test func rulesStandInTheirGroups() {
    #expect(Rule.all == Rule.groups.flatMap(\.rules))
    for group in Rule.groups {
      #expect(group.rules.filter { $0.group != group.name }.map(\.id) == [])
      #expect(!group.rules.isEmpty && !group.title.isEmpty)
    }
  }

  /// The groups have the order in which a response is processed. This order includes planned rules.
  @Test func groupsStandInOrder() {
    #expect(
      Rule.groups.map(\.name) == [
        "population", "model", "response", "mapping", "values", "identity", "merge", "relationships",
        "subentity", "save", "context", "predicate", "fetch", "orphans", "request", "cache", "diagnostics",
        "dynamic", "serializer",
        "jsonserver", "httpserver", "tweaks", "customize",
      ])
  }

  @Test func theStepsOfPopulationStandInOrder() {
    #expect(
      Rule.groups[0].rules.map(\.id) == [
        "population.items", "population.protos", "population.effective", "population.fetch",
        "population.associate", "population.create", "population.hook", "population.attributes",
        "population.relationships", "population.orphans", "population.save", "population.results",
      ])
  }

  @Test(arguments: [
    "population", "model", "response", "mapping", "values", "identity", "merge", "relationships", "subentity",
    "save", "context", "predicate", "fetch", "orphans", "request", "cache", "diagnostics", "dynamic",
    "customize",
    "serializer", "jsonserver", "httpserver", "tweaks",
  ])
  func isBuilt(group: String) {
    #expect(Rule.all.contains { $0.group == group && !$0.isPlanned })
  }

  @Test func whatIsPlanned() {
    let ahead = Rule.groups.filter { $0.rules.allSatisfy(\.isPlanned) }.map(\.name)
    #expect(ahead == [])
    let planned = Rule.all.filter { $0.isPlanned && !ahead.contains($0.group) }.map(\.id)
    #expect(
      planned == [
        "relationships.foreign-key", "relationships.export",
      ])
  }

  // MARK: Words

  private static func texts(of rule: Rule) -> [String] {
    guard case .differs(let difference) = rule.relation else { return [rule.text] }
    return [rule.text, difference]
  }

  @Test(arguments: Rule.all.map(\.id))
  func consistsOfAFewShortSentences(id: String) throws {
    for text in Self.texts(of: try #require(Rule.rule(id))) {
      #expect((20...600).contains(text.count))
      #expect(text.hasSuffix("."), "the text does not end with a full stop")
      #expect(text.contains("  ") == false && text.contains("\n") == false)
      #expect(text.count { $0 == "`" } % 2 == 0)
      let sentences = text.split(separator: ". ")
      #expect(sentences.count <= 5)
      let long = sentences.filter { $0.split(separator: " ").count > Self.maximumWordCount }
      #expect(long == [], "a sentence has at most \(Self.maximumWordCount) words")
    }
  }

  private static let maximumWordCount = 30

  /// The directives of `Cache-Control` and the date format in the rules. They have the form of diagnostic codes.
  private static let directives = [
    "max-age", "max-stale", "min-fresh", "must-revalidate", "no-cache", "no-store", "only-if-cached",
    "proxy-revalidate", "s-maxage", "stale-if-error", "stale-while-revalidate", "unix-milliseconds",
  ]

  /// Every code in backticks that has the form of a diagnostic code is one of the engine's codes.
  @Test func diagnosticsAreNamedAsTheEngineNamesThem() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = "../../../Sources/RecordEngine/Diagnostics/DiagnosticCode.swift"
    let source = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    let codes = Set(source.matches(of: /rawValue: "([a-z-]+)"/).map { String($0.1) })
    let quoted = Rule.all.flatMap { $0.text.matches(of: /`([a-z]+(?:-[a-z]+)+)`/).map { String($0.1) } }
    #expect(Set(quoted).count > 10)
    #expect(Set(quoted).subtracting(codes).sorted() == Self.directives)
  }

  /// The suite that proves a rule is in a file with its name, and names the rule.
  @Test func suitesThatProveRulesExist() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../..").standardizedFileURL
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.allObjects ?? []
    let rules = Rule.all.filter { $0.provenBy != nil }
    #expect(!rules.isEmpty)
    for rule in rules {
      let suite = try #require(rule.provenBy)
      let file = files.compactMap { $0 as? URL }.first { $0.lastPathComponent == "\(suite).swift" }
      let source = try String(contentsOf: #require(file, "\(rule.id): no \(suite).swift"), encoding: .utf8)
      #expect(source.contains("struct \(suite) ") && source.contains("`\(rule.id)`"), "\(rule.id)")
    }
  }

  // MARK: Lookup

  @Test func isFoundByID() {
    for rule in Rule.all { #expect(Rule.rule(rule.id) == rule) }
    #expect(Rule.rule("identity") == nil)
    #expect(Rule.rule("Identity.missing") == nil)
  }

  @Test(arguments: [
    ("identity.atribute-key", "identity.attribute-key"), ("identity.Missing", "identity.missing"),
    ("subentities.choose", "subentity.choose"), ("relationship.to-many", "relationships.to-many"),
    ("value.decimal", "values.decimal"), ("merge.first-win", "merge.first-wins"),
    ("pagination.infinite-scrolling", nil),
  ])
  func nearestID(id: String, expected: String?) {
    #expect(Rule.nearestID(to: id) == expected)
  }
}
