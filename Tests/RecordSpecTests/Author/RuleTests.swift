import Foundation
import RecordSpec
import Testing

/// The list of rules, as far as it can be checked without reading it.
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

  /// The order is the one in which a response meets the rules; planned ones stand where they will belong.
  @Test func groupsStandInOrder() {
    #expect(
      Rule.groups.map(\.name) == [
        "population", "model", "response", "mapping", "values", "identity", "merge", "relationships",
        "subentity", "save", "context", "predicate", "fetch", "orphans", "request", "cache", "diagnostics",
        "dynamic", "serializer",
        "jsonserver", "httpserver", "tweaks", "customise",
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
    "customise",
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

  @Test(arguments: Rule.all.map(\.id))
  func isSaidInAFewSentences(id: String) throws {
    let rule = try #require(Rule.rule(id))
    var texts = [rule.text]
    if case .differs(let how) = rule.relation { texts.append(how) }
    for text in texts {
      #expect((20...600).contains(text.count))
      #expect(text.hasSuffix("."), "a text is whole sentences")
      #expect(text.contains("  ") == false && text.contains("\n") == false)
      #expect(text.count { $0 == "`" } % 2 == 0)
    }
    #expect(rule.text.matches(of: /[.:] [A-Z`]/).count < 4, "four sentences are enough")
  }

  /// The directives of `Cache-Control` that rules speak of look like diagnostics.
  private static let directives = [
    "max-age", "max-stale", "min-fresh", "must-revalidate", "no-cache", "no-store", "only-if-cached",
    "proxy-revalidate", "s-maxage", "stale-if-error", "stale-while-revalidate",
  ]

  /// What texts quote like a diagnostic is one of the engine's.
  @Test func diagnosticsAreNamedAsTheEngineNamesThem() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = "../../../Sources/RecordEngine/Diagnostics/DiagnosticCode.swift"
    let source = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    let codes = Set(source.matches(of: /rawValue: "([a-z-]+)"/).map { String($0.1) })
    let quoted = Rule.all.flatMap { $0.text.matches(of: /`([a-z]+(?:-[a-z]+)+)`/).map { String($0.1) } }
    #expect(Set(quoted).count > 10)
    #expect(Set(quoted).subtracting(codes).sorted() == Self.directives)
  }

  /// Whoever looks for the proof of a rule finds the suite in the file of its name, and the rule named there.
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

  // MARK: Looking up

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
