import Foundation
import RecordEngine
import RecordModel
import Testing

@testable import RecordSpec

/// What the articles claim, as far as it can be tried.
@Suite struct DocumentationTests {
  private static let names = [
    "RecordEngine/RecordEngine", "RecordEngine/MappingResponses", "RecordEngine/Customising",
    "RecordEngine/DifferencesFromMMRecord", "RecordEngine/Diagnostics", "RecordEngine/Tweaks",
    "RecordEngine/Servers", "RecordEngine/Requests", "RecordEngine/Caching",
    "RecordEngine/MigratingFromMMRecord",
    "RecordSpec/RecordSpec", "RecordSpec/WritingScenarios",
  ]

  // MARK: Scenarios

  /// A block that begins with a title is a scenario; any other YAML block is part of one, and stands in the first
  /// scenario of its page in place of what has the same keys at the top level.
  @Test(arguments: names)
  func examplesAreScenariosThatPass(name: String) async throws {
    let folder = try TemporaryFolder()
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: folder.path + "/Golden"), today: "2031-01-01")
    var whole: TopLevelKeys?
    for block in try Article(name).blocks {
      if let name = block.fileName {
        try folder.write(block.text, to: name)
        continue
      }
      guard block.language == "yaml" else { continue }
      let keys = TopLevelKeys(block.text)
      if keys.texts["title"] != nil, whole == nil { whole = keys }
      let base = try #require(whole, "\(name):\(block.line): a part comes before the first scenario")
      let text = keys.texts["title"] == nil ? base.replacing(keys).text : keys.text
      try folder.write(text, to: "line-\(block.line).yaml")
      let file = ScenarioFile(path: "\(folder.path)/line-\(block.line).yaml", name: "line-\(block.line)")
      let result = await judge.verdict(on: RunPlan.Entry(file: file)).result
      let warnings = DiagnosticRenderer().text(of: result.warnings)
      #expect(warnings == "", "\(name):\(block.line)")
      switch result.outcome {
      case .new, .skipped, .expectedFailure: break
      case .invalid(let diagnostics):
        Issue.record("\(name):\(block.line): \(DiagnosticRenderer().text(of: diagnostics))")
      case .failed(let failure):
        Issue.record(
          "\(name):\(block.line): \(DiagnosticRenderer().text(of: failure.findings)) \(failure.expectations)")
      case .passed, .unexpectedPass, .broken: Issue.record("\(name):\(block.line): \(result.outcome)")
      }
    }
  }

  /// The text of each key at the top of a YAML file.
  private struct TopLevelKeys {
    var order: [String] = []
    var texts: [String: String] = [:]

    init(_ text: String) {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let key = line.prefixMatch(of: /([A-Za-z]+):/) {
          order.append(String(key.1))
          texts[String(key.1)] = line + "\n"
        } else if let last = order.last {
          texts[last, default: ""] += line + "\n"
        }
      }
    }

    var text: String { order.compactMap { texts[$0] }.joined() }

    func replacing(_ others: TopLevelKeys) -> TopLevelKeys {
      var result = self
      result.order += others.order.filter { texts[$0] == nil }
      result.texts.merge(others.texts) { _, new in new }
      return result
    }
  }

  // MARK: Keys of the format

  /// A scenario with a line of its own at each place that has keys.
  private struct Location {
    let name: String
    private let template: String

    func scenario(_ key: String) -> String { template.replacing("KEY", with: key) }

    init(
      _ name: String, top: String = "", model: String = "", entity: String = "", attribute: String = "",
      relationship: String = "", response: String = "", step: String = "- request: A\n    urn: a",
      expect: String = "{}"
    ) {
      self.name = name
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

  /// In the order in which the article has their tables.
  private static let locations = [
    Location("scenario", top: "KEY: x"),
    Location("xfail", top: "xfail: {reason: r, KEY: x}"),
    Location("model", model: "KEY: x"),
    Location("entity", entity: "KEY: x"),
    Location("attribute", attribute: "KEY: x"),
    Location("relationship", relationship: "KEY: x"),
    Location("customisation", top: "customise: {A: {KEY: x}}"),
    Location("source of an attribute", top: "customise: {A: {attributes: {id: {KEY: x}}}}"),
    Location("conditions of links", top: "customise: {A: {relationships: {one: {KEY: x}}}}"),
    Location("value that is set", top: "customise: {A: {before: {id: {KEY: x}}}}"),
    Location("response", response: "KEY: x"),
    Location("request", step: "- {request: A, urn: a, KEY: x}"),
    Location("await", step: "- {request: A, urn: a, as: b}\n  - {await: b, KEY: x}"),
    Location("paging", top: "paging: {KEY: x}"),
    Location("page", step: "- {page: A, urn: a, KEY: x}"),
    Location("nextPage", step: "- {page: A, urn: a}\n  - {nextPage: true, KEY: x}"),
    Location("detail", step: "- {detail: A/1, KEY: x}"),
    Location("fetchFirst", step: "- {fetchFirst: A, urn: a, KEY: x}"),
    Location("batch", step: "- {batch: [{request: A, urn: a}], KEY: x}"),
    Location("cancel", step: "- {cancel: a, KEY: x}"),
    Location("fetch", step: "- {fetch: A, KEY: x}"),
    Location("change step", step: "- {change: {insert: {}}, KEY: x}"),
    Location("change", step: "- change: {insert: {}, KEY: x}"),
    Location("save", step: "- {save: true, KEY: x}"),
    Location("rollback", step: "- {rollback: true, KEY: x}"),
    Location("reopen", step: "- {reopen: true, KEY: x}"),
    Location("advance", step: "- {advance: 1s, KEY: x}"),
    Location("clearCache", step: "- {clearCache: true, KEY: x}"),
    Location("cache", top: "cache: {KEY: x}"),
    Location("tweak step", step: "- {tweak: none, KEY: x}"),
    Location("serialize", step: "- {serialize: {a: A}, url: a, body: [], KEY: x}"),
    Location("options", top: "options: {KEY: x}"),
    Location("source", top: "options: {inject: {A: {KEY: x}}}"),
    Location("orphans", top: "options: {orphans: {KEY: x}}"),
    Location("scope", top: "options: {orphans: {scope: {where: a, values: [], KEY: x}}}"),
    Location("expectation", expect: "{KEY: x}"),
    Location("entity expectation", expect: "{graph: {A: {KEY: x}}}"),
    Location("to-many", expect: "{graph: {A: [{more: {KEY: x}}]}}"),
    Location("list", expect: "{inserted: {KEY: x}}"),
    Location("change of a value", expect: "{updated: {A/1: {id: {KEY: x}}}}"),
    Location("change of a to-many", expect: "{updated: {A/1: {more: {KEY: x}}}}"),
    Location("failure", expect: "{failure: {KEY: x}}"),
    Location("diagnostic", expect: "{diagnostics: [{code: c, KEY: x}]}"),
    Location("drift", expect: "{drift: {A: {KEY: x}}}"),
    Location("request expectation", expect: "{requests: [{address: a, KEY: x}]}"),
    Location("request list", expect: "{requests: {KEY: x}}"),
  ]

  private func diagnostics(of text: String) throws -> [AuthorDiagnostic] {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a.yaml")
    return Scenario.load(path: folder.path + "/a.yaml", root: folder.path).diagnostics
  }

  /// The message about an unknown key lists the known ones; the tables of the article have just these.
  @Test func tablesHaveAllKeysThatAreRead() throws {
    let tables = try Article("RecordSpec/WritingScenarios").firstColumns(under: "| key | what it says |")
    try #require(tables.count == Self.locations.count)
    for (location, keys) in zip(Self.locations, tables) {
      let found = try diagnostics(of: location.scenario("zzzzzzzz")).first { $0.code == .unknownKey }
      let expected = try #require(found?.expected, "\(location.name) takes any key")
      let list = expected.split(separator: " in ")[0].replacing(" or ", with: ", ")
      #expect(Set(keys) == Set(list.split(separator: ", ").map(String.init)), "\(location.name)")
      #expect(Set(keys).count == keys.count)
    }
  }

  @Test func typesAreAllNamed() throws {
    let text = try Article("RecordSpec/WritingScenarios").text.replacing("\n", with: " ")
    let list = AttributeType.allCases.map(\.rawValue)
    #expect(
      text.contains(
        "The types are \(list.dropLast().joined(separator: ", ")) and \(list[list.count - 1]), which is any"))
  }

  @Test(arguments: [
    ("In a relationship", "relationship"), ("In options", "options"),
  ])
  func keysOfLaterVersionsAreRefused(bullet: String, name: String) throws {
    let location = try #require(Self.locations.first { $0.name == name })
    for key in try laterKeys(bullet) {
      let codes = try diagnostics(of: location.scenario(key)).map(\.code)
      #expect(codes == [.notSupportedYet], "\(key)")
    }
  }

  private func laterKeys(_ bullet: String) throws -> [String] {
    let text = try Article("RecordSpec/WritingScenarios").text
    let start = try #require(text.range(of: "- \(bullet): "))
    let rest = text[start.upperBound...]
    let end = rest.firstRange(of: /\n(- |\n)/)?.lowerBound ?? rest.endIndex
    let keys = rest[..<end].matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
    #expect(!keys.isEmpty)
    return keys
  }

  // MARK: Rules

  /// Words in backticks that begin with the name of a group are ids of rules, or groups of them.
  @Test(arguments: names)
  func rulesThatAreNamedExist(name: String) throws {
    let groups = Set(Rule.groups.map(\.name))
    for match in try Article(name).text.matches(of: /`(?:recordspec rules )?([a-z]+(?:\.[a-z-]+)+)`/) {
      let id = String(match.1)
      guard groups.contains(String(id.prefix { $0 != "." })) else { continue }
      #expect(Rule.all.contains { $0.id == id || $0.id.hasPrefix(id + ".") }, "\(id)")
    }
  }

  /// The second half of the page is the list of rules in another form.
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
      "\n## By rule\n\nThe tables describe what MMRecord does instead. "
      + "*New* rules have no counterpart in MMRecord.\n"
    let start = try #require(article.text.range(of: heading))
    #expect(article.text[start.upperBound...] == expected)
  }

  // MARK: Diagnostics

  /// The table of codes has all of them, in order, with their numbers and what they do.
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

  /// The programs of the landing pages are those that the tests compile.
  @Test(arguments: [
    ("RecordEngine/Requests", "RecordEngineTests/RequestsExample.swift", "Requests"),
    ("RecordEngine/Servers", "RecordEngineHTTPTests/ServersExample.swift", "Servers"),
    ("RecordEngine/Customising", "RecordEngineTests/CustomisingExample.swift", "Customising"),
    ("RecordEngine/Diagnostics", "RecordEngineTests/DiagnosticsExample.swift", "Diagnostics"),
    ("RecordEngine/Tweaks", "RecordEngineTests/TweaksExample.swift", "Tweaks"),
    ("RecordEngine/Caching", "RecordEngineTests/CachingExample.swift", "Caching"),
    ("RecordSpec/RecordSpec", "RecordSpecTests/Author/DocumentationExample.swift", "Documentation"),
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
      // The end mark is indented like the lines before it.
      let indent = lines.last?.count ?? 0
      examples.append(lines.dropLast().map { $0.dropFirst(indent) + "\n" }.joined())
      rest = rest[end.upperBound...]
    }
    #expect(!examples.isEmpty)
    let blocks = try Article(name).blocks(in: "swift").map(\.text)
    #expect(blocks.map { $0.replacing("import RecordSpec\n\n", with: "") } == examples)
  }
}
