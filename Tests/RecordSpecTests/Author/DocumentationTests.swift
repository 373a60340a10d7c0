import Foundation
import RecordEngine
import RecordModel
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests that compare the articles with the code.
@Suite struct DocumentationTests {
  private static let names = ["RecordEngine", "RecordEngineHTTP", "RecordSpec"].flatMap(Article.names)
  /// The articles whose YAML other tests run, because it needs Swift code or a project around it.
  private static let runElsewhere: Set = [
    "RecordSpec/TestTargets", "RecordSpec/TestARealAPI", "RecordSpec/Warnings",
  ]

  /// The other tests read every article in the folders. Without this test, they would pass if a folder were missing.
  @Test(arguments: ["RecordEngine", "RecordEngineHTTP", "RecordSpec"])
  func articlesAreFound(module: String) {
    #expect(Self.names.contains("\(module)/\(module)"))
  }

  @Test func theCodesOfDiagnosticsAreLinked() throws {
    for page in ["Expectations", "Options", "Responses", "WritingScenarios"] {
      let text = try Article("RecordSpec/\(page)").text
      #expect(text.contains("<doc:/documentation/RecordEngine/Diagnostics>"), "\(page)")
    }
  }

  // MARK: Scenarios

  @Test(arguments: names.filter { !runElsewhere.contains($0) })
  func examplesAreScenariosThatPass(name: String) async throws {
    let folder = try TemporaryFolder()
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: folder.path + "/Golden"), today: "2031-01-01")
    let article = try Article(name)
    for block in article.blocks {
      if let name = block.fileName { try folder.write(block.text, to: name) }
    }
    #expect(
      article.scenarios.count == article.blocks(in: "yaml").count { $0.fileName == nil },
      "a part of a scenario precedes the first scenario")
    for (line, text) in article.scenarios {
      try folder.write(text, to: "line-\(line).yaml")
      let file = ScenarioFile(path: "\(folder.path)/line-\(line).yaml", name: "line-\(line)")
      let result = await judge.verdict(on: RunPlan.Entry(file: file))
      let warnings = DiagnosticRenderer().text(of: result.warnings)
      #expect(warnings == "", "\(name):\(line)")
      switch result.outcome {
      case .new, .skipped, .expectedFailure: break
      case .invalid(let diagnostics):
        Issue.record("\(name):\(line): \(DiagnosticRenderer().text(of: diagnostics))")
      case .failed(let failure):
        Issue.record(
          "\(name):\(line): \(DiagnosticRenderer().text(of: failure.findings)) \(failure.expectations)")
      case .passed, .unexpectedPass, .broken: Issue.record("\(name):\(line): \(result.outcome)")
      }
    }
  }

  @Test func theGoldenFileIsThatOfTheScenario() async throws {
    let article = try Article("RecordSpec/GoldenFiles")
    let folder = try TemporaryFolder()
    try folder.write(try #require(article.blocks(in: "yaml").first).text, to: "a.yaml")
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: folder.path + "/Golden"), today: "2031-01-01")
    let file = ScenarioFile(path: folder.path + "/a.yaml", name: "a")
    let snapshot = try #require(await judge.verdict(on: RunPlan.Entry(file: file)).snapshot)
    #expect(article.blocks(in: "json").map(\.text) == [snapshot.goldenForm.canonicalText()])
  }

  // MARK: Keys of the format

  /// A mapping of the format, with the article and the heading of the table of its keys.
  private struct DocumentedMapping {
    let article: String
    let heading: String
    private let template: String

    /// Returns a scenario with a key in the mapping.
    func scenario(_ key: String) -> String { template.replacing("KEY", with: key) }

    init(
      _ article: String, _ heading: String, top: String = "", model: String = "", entity: String = "",
      attribute: String = "", relationship: String = "", response: String = "",
      step: String = "- request: A\n    urn: a", expect: String = "{}"
    ) {
      self.article = article
      self.heading = heading
      template = """
        title: A
        model:
          \(model)
          entities:
            A:
              primaryKey: id
              \(entity)
              attributes:
                id: {type: string, \(attribute)}
              relationships:
                more: {toMany: A, inverse: one}
                one: {to: A, inverse: more, \(relationship)}
        responses:
          a: {body: [], \(response)}
        steps:
          \(step)
        expect: \(expect)
        \(top)

        """
    }
  }

  private static let documentedMappings = [
    DocumentedMapping("ScenarioFormat", "Top-level keys", top: "KEY: x"),
    DocumentedMapping("ScenarioFormat", "Mark a known failure", top: "xfail: {reason: r, KEY: x}"),
    DocumentedMapping("Models", "Keys of a model", model: "KEY: x"),
    DocumentedMapping("Models", "Keys of an entity", entity: "KEY: x"),
    DocumentedMapping("Attributes", "Keys of an attribute", attribute: "KEY: x"),
    DocumentedMapping("Relationships", "Keys of a relationship", relationship: "KEY: x"),
    DocumentedMapping("Customizing", "Keys of an entity in customize", top: "customize: {A: {KEY: x}}"),
    DocumentedMapping(
      "Customizing", "Source of an attribute", top: "customize: {A: {attributes: {id: {KEY: x}}}}"),
    DocumentedMapping(
      "Customizing", "Conditions of links", top: "customize: {A: {relationships: {one: {KEY: x}}}}"),
    DocumentedMapping(
      "Customizing", "Values before and after population", top: "customize: {A: {before: {id: {KEY: x}}}}"),
    DocumentedMapping("Responses", "Keys of a response", response: "KEY: x"),
    DocumentedMapping("Responses", "Conditions of a response", response: "when: {KEY: x}"),
    DocumentedMapping("Steps", "Send a request", step: "- {request: A, urn: a, KEY: x}"),
    DocumentedMapping("Steps", "Request the details of a record", step: "- {detail: A/1, KEY: x}"),
    DocumentedMapping("Steps", "Fetch stored records first", step: "- {fetchFirst: A, urn: a, KEY: x}"),
    DocumentedMapping(
      "Steps", "Serialize a response", step: "- {serialize: {a: A}, url: a, body: [], KEY: x}"),
    DocumentedMapping(
      "ConcurrentRequests", "Await a request", step: "- {request: A, urn: a, as: b}\n  - {await: b, KEY: x}"),
    DocumentedMapping(
      "ConcurrentRequests", "Send a batch", step: "- {batch: [{request: A, urn: a}], KEY: x}"),
    DocumentedMapping("ConcurrentRequests", "Cancel requests", step: "- {cancel: a, KEY: x}"),
    DocumentedMapping("Pages", "Ways of paging", top: "paging: {KEY: x}"),
    DocumentedMapping("Pages", "Keys of page", step: "- {page: A, urn: a, KEY: x}"),
    DocumentedMapping("Pages", "Keys of nextPage", step: "- {page: A, urn: a}\n  - {nextPage: true, KEY: x}"),
    DocumentedMapping("StoredRecords", "Fetch records", step: "- {fetch: A, KEY: x}"),
    DocumentedMapping("StoredRecords", "Change records", step: "- {change: {insert: {}}, KEY: x}"),
    DocumentedMapping("StoredRecords", "Keys of a change", step: "- change: {insert: {}, KEY: x}"),
    DocumentedMapping("StoredRecords", "Keys of save", step: "- {save: true, KEY: x}"),
    DocumentedMapping("StoredRecords", "Keys of rollback", step: "- {rollback: true, KEY: x}"),
    DocumentedMapping("StoredRecords", "Keys of reopen", step: "- {reopen: true, KEY: x}"),
    DocumentedMapping("TimeAndCache", "Move the clock", step: "- {advance: 1s, KEY: x}"),
    DocumentedMapping("TimeAndCache", "Clear the cache", step: "- {clearCache: true, KEY: x}"),
    DocumentedMapping("TimeAndCache", "Limit the cache", top: "cache: {KEY: x}"),
    DocumentedMapping("Tweaks", "Keys of tweak", step: "- {tweak: none, KEY: x}"),
    DocumentedMapping("Options", "Keys of options", top: "options: {KEY: x}"),
    DocumentedMapping("Options", "Sources of keys", top: "options: {inject: {A: {KEY: x}}}"),
    DocumentedMapping("Orphans", "Keys of orphans", top: "options: {orphans: {KEY: x}}"),
    DocumentedMapping(
      "Orphans", "Take the scope from the response",
      top: "options: {orphans: {scope: {where: a, values: [], KEY: x}}}"),
    DocumentedMapping("Expectations", "Keys of expect", expect: "{KEY: x}"),
    DocumentedMapping("Expectations", "Graph", expect: "{graph: {A: {KEY: x}}}"),
    DocumentedMapping(
      "Expectations", "Members of a to-many relationship", expect: "{graph: {A: [{more: {KEY: x}}]}}"),
    DocumentedMapping("Expectations", "Lists of records", expect: "{inserted: {KEY: x}}"),
    DocumentedMapping(
      "Expectations", "Change of an attribute or a to-one relationship",
      expect: "{updated: {A/1: {id: {KEY: x}}}}"),
    DocumentedMapping(
      "Expectations", "Change of a to-many relationship", expect: "{updated: {A/1: {more: {KEY: x}}}}"),
    DocumentedMapping("Expectations", "Failures", expect: "{failure: {KEY: x}}"),
    DocumentedMapping("Expectations", "Diagnostics", expect: "{diagnostics: [{code: c, KEY: x}]}"),
    DocumentedMapping("Expectations", "Requests", expect: "{requests: [{address: a, KEY: x}]}"),
    DocumentedMapping("Expectations", "Lists of requests", expect: "{requests: {KEY: x}}"),
    DocumentedMapping("Drift", "Keys of drift", expect: "{drift: {A: {KEY: x}}}"),
    DocumentedMapping("Tables", "Keys of a table", top: "tables: {a: {KEY: x}}"),
    DocumentedMapping("Steps", "Call an action of an app", step: "- {call: a, KEY: x}"),
  ]

  private func diagnostics(of text: String) throws -> [AuthorDiagnostic] {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a.yaml")
    return Scenario.load(path: folder.path + "/a.yaml", root: folder.path).diagnostics
  }

  /// Returns the keys that the message about an unknown key lists.
  private func knownKeys(of scenario: String) throws -> Set<String> {
    let found = try diagnostics(of: scenario).first { $0.code == .unknownKey }
    let expected = try #require(found?.expected, "any key is accepted")
    let list = expected.split(separator: " in ")[0].replacing(" or ", with: ", ")
    return Set(list.split(separator: ", ").map(String.init))
  }

  private static let keyTableHeader = "| key | value | default | meaning | rule |"

  @Test func tablesHaveAllKeysThatAreRead() throws {
    for mapping in Self.documentedMappings {
      let tables = try Article("RecordSpec/\(mapping.article)").tables(under: Self.keyTableHeader)
        .filter { $0.heading == mapping.heading }
      try #require(tables.count == 1, "\(mapping.article): \(mapping.heading)")
      let keys = tables[0].firstColumn
      let known = try knownKeys(of: mapping.scenario("zzzzzzzz"))
      #expect(Set(keys) == known, "\(mapping.article): \(mapping.heading)")
      #expect(Set(keys).count == keys.count, "\(mapping.article): \(mapping.heading)")
    }
  }

  @Test func tablesOfKeysAreAllTested() throws {
    let tested = Set(Self.documentedMappings.map { "\($0.article): \($0.heading)" })
    for name in Article.names(in: "RecordSpec") {
      // The keys of an adapter are those of the project's settings.
      for table in try Article(name).tables(under: Self.keyTableHeader)
      where table.heading != "Keys of an adapter" {
        #expect(tested.contains("\(name.split(separator: "/")[1]): \(table.heading)"))
      }
    }
  }

  @Test func detailsOfPagingAreAllNamed() throws {
    let rows = try Article("RecordSpec/Pages").text.matches(of: /\n\| `([A-Za-z]+)` \| `([A-Za-z]+)` \|/)
    let mapping = try #require(Self.documentedMappings.first { $0.heading == "Ways of paging" })
    let ways = try knownKeys(of: mapping.scenario("zzzzzzzz"))
    #expect(Set(rows.map { String($0.1) }) == ways)
    for way in ways {
      let details = Set(rows.filter { $0.1 == way }.map { String($0.2) })
      let known = try knownKeys(
        of: DocumentedMapping("Pages", way, top: "paging: {\(way): {KEY: x}}").scenario("zzzzzzzz"))
      #expect(details == known, "\(way)")
    }
  }

  @Test(arguments: [
    ("Attributes", "| type | literal", AttributeType.allCases.map(\.rawValue)),
    ("Responses", "| error |", ServerFailure.allCases.map(\.rawValue)),
    ("Steps", "| step |", StepReader.names),
  ])
  func tablesHaveAllNames(article: String, header: String, names: [String]) throws {
    #expect(try Article("RecordSpec/\(article)").tables(under: header).map(\.firstColumn) == [names])
  }

  @Test(arguments: [
    ("In a relationship", "Keys of a relationship"), ("In options", "Keys of options"),
  ])
  func keysOfLaterVersionsAreRefused(bullet: String, heading: String) throws {
    let mapping = try #require(Self.documentedMappings.first { $0.heading == heading })
    for key in try laterKeys(bullet) {
      let codes = try diagnostics(of: mapping.scenario(key)).map(\.code)
      #expect(codes == [.notSupportedYet], "\(key)")
    }
  }

  private func laterKeys(_ bullet: String) throws -> [String] {
    let text = try Article("RecordSpec/ScenarioFormat").text
    let start = try #require(text.range(of: "- \(bullet): "))
    let rest = text[start.upperBound...]
    let end = rest.firstRange(of: /\n(- |\n)/)?.lowerBound ?? rest.endIndex
    let keys = rest[..<end].matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
    #expect(!keys.isEmpty)
    return keys
  }

  // MARK: Rules

  /// Each text in backticks that begins with the name of a group is the id of a rule or of a group of rules.
  @Test(arguments: names)
  func rulesThatAreNamedExist(name: String) throws {
    let groups = Set(Rule.groups.map(\.name))
    for match in try Article(name).text.matches(of: /`(?:recordspec rules )?([a-z]+(?:\.[a-z-]+)+)`/) {
      let id = String(match.1)
      guard groups.contains(String(id.prefix { $0 != "." })) else { continue }
      #expect(Rule.all.contains { $0.id == id || $0.id.hasPrefix(id + ".") }, "\(id)")
    }
  }

  /// The second half of the page lists the differences and the new rules of each group.
  @Test func differencesAreThoseOfTheRules() throws {
    let article = try Article("RecordEngine/DifferencesFromMMRecord")
    var expected = ""
    for group in Rule.groups {
      let rules = group.rules.filter { !$0.isPlanned }
      var rows = ""
      for rule in rules {
        if case .differs(let how) = rule.relation { rows += "| `\(rule.id)` | \(how) |\n" }
      }
      let new = rules.filter { $0.relation == .new }.map { "`\($0.id)`" }
      guard !rows.isEmpty || !new.isEmpty else { continue }
      expected += "\n### \(group.title.prefix(1).uppercased())\(group.title.dropFirst())\n"
      if !rows.isEmpty { expected += "\n| rule | MMRecord |\n|---|---|\n" + rows }
      if !new.isEmpty { expected += "\nNew: \(new.joined(separator: ", ")).\n" }
    }
    let heading =
      "\n## By rule\n\nThe tables describe what MMRecord does instead. *New* rules have no counterpart in MMRecord.\n"
    let start = try #require(article.text.range(of: heading))
    #expect(article.text[start.upperBound...] == expected)
  }

  // MARK: Diagnostics

  /// The table contains all codes in order, with their numbers and effects.
  @Test func codesAreThoseOfTheEngine() throws {
    let text = try Article("RecordEngine/Diagnostics").text
    let rows = text.matches(of: /\| `([a-z-]+)` \| ?([0-9]*) \| ?(yes)? ?\| [a-zA-Z]/).map {
      "\($0.1) \($0.2) \($0.3 ?? "no")"
    }
    let codes = DiagnosticCode.all.map {
      "\($0) \($0.referenceNumber.map(String.init) ?? "") \($0.severity == .failure ? "yes" : "no")"
    }
    #expect(rows == codes)
  }

  // MARK: Programs

  /// The programs in the articles match the compiled examples of the tests.
  @Test(arguments: [
    ("RecordEngine/Cookbook", "RecordEngineTests/CookbookExample.swift", "Cookbook"),
    ("RecordEngine/Requests", "RecordEngineTests/RequestsExample.swift", "Requests"),
    ("RecordEngine/Servers", "RecordEngineHTTPTests/ServersExample.swift", "Servers"),
    ("RecordEngine/Customizing", "RecordEngineTests/CustomizingExample.swift", "Customizing"),
    ("RecordEngine/Diagnostics", "RecordEngineTests/DiagnosticsExample.swift", "Diagnostics"),
    ("RecordEngine/Fetching", "RecordEngineTests/FetchingExample.swift", "Fetching"),
    (
      "RecordEngine/TypedProperties", "RecordEngineTests/RecordTypes/TypedPropertiesExample.swift",
      "TypedProperties"
    ),
    ("RecordEngine/Tweaks", "RecordEngineTests/TweaksExample.swift", "Tweaks"),
    ("RecordEngine/Caching", "RecordEngineTests/CachingExample.swift", "Caching"),
    ("RecordSpec/RecordSpec", "ExampleAppTests/RunningExample.swift", "Running"),
  ])
  func programsAreCompiled(name: String, file: String, mark: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let source = try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
    var examples: [String] = []
    var rest = source[...]
    while let begin = rest.range(of: "// \(mark) begin\n"),
      let end = rest[begin.upperBound...].range(of: "// \(mark) end\n")
    {
      let lines = rest[begin.upperBound..<end.lowerBound].split(
        separator: "\n", omittingEmptySubsequences: false)
      // The end mark has the same indentation as the lines before it.
      let indent = lines.last?.count ?? 0
      examples.append(lines.dropLast().map { $0.dropFirst(indent) + "\n" }.joined())
      rest = rest[end.upperBound...]
    }
    #expect(!examples.isEmpty)
    let blocks = try Article(name).blocks(in: "swift").map(\.text)
    #expect(blocks == examples)
  }
}
