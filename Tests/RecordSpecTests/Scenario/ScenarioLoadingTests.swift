import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

@Suite struct ScenarioLoadingTests {
  @Test func readsEveryKeyAtTheTop() throws {
    let folder = try TemporaryFolder()
    let text = """
      schemaVersion: 1
      title: Two posts
      covers: [identity.attribute-key, merge.first-wins]
      tags: [smoke, "two words"]
      skip: waits for a reply
      xfail: {reason: not built, issue: 12, until: 2031-05-01}
      baseURL: http://localhost:8080/v1
      now: 2001-01-01T00:00:00.5+01:00

      """
    try folder.write(text + Parts.model + Parts.responses + Parts.steps, to: "identity/two.yaml")
    let loaded = folder.load("identity/two.yaml")
    #expect(loaded.complaints == "")
    let scenario = try #require(loaded.scenario)
    #expect(scenario.name == "identity/two")
    #expect(scenario.title == "Two posts")
    #expect(scenario.covers.map(\.value) == ["identity.attribute-key", "merge.first-wins"])
    #expect(scenario.covers.map(\.span.start.column) == [10, 34])
    #expect(scenario.tags == ["smoke", "two words"])
    #expect(scenario.skip == "waits for a reply")
    #expect(scenario.expectedFailure?.reason == "not built")
    #expect(scenario.expectedFailure?.issue == "12")
    #expect(scenario.expectedFailure?.until == "2031-05-01")
    #expect(scenario.baseURL == "http://localhost:8080/v1/")
    #expect(scenario.now == 978_303_600.5)
    #expect(scenario.model.entities.map(\.name) == ["Content", "Post", "Tag", "User", "Counts", "Line"])
  }

  @Test func hasDefaults() throws {
    let loaded = try scenario(responses: "")
    #expect(loaded.complaints == "")
    let scenario = try #require(loaded.scenario)
    #expect(scenario.baseURL == "https://api.test/")
    #expect(scenario.now == 946_684_800)
    #expect(scenario.responses.isEmpty && scenario.seeds.isEmpty && scenario.covers.isEmpty)
    #expect(scenario.expectation.graph.isEmpty && scenario.expectation.records == nil)
    #expect(scenario.skip == nil && scenario.expectedFailure == nil)
  }

  @Test func readsSeeds() throws {
    let loaded = try scenario(
      more: """
        store:
          User: [{id: "7", name: null}]
          Counts: [{user: User/7, followers: 12}]
          Post:
            - {id: "1", date: 2001-01-01T00:00:00Z, price: 1.10, isNew: true, extra: {a: [1]}, user: User/7, tags: [Tag~1]}
            - {id: "2", user: null, tags: []}
        """)
    #expect(loaded.complaints == "")
    let seeds = try #require(loaded.scenario?.seeds)
    #expect(seeds.map(\.entity) == ["User", "Counts", "Post", "Post"])
    func value(_ seed: Int, _ name: PropertyName) -> PropertyAssignment.Value? {
      seeds[seed].properties.first { $0.name == name }?.value
    }
    guard case .attribute(nil) = value(0, "name"), case .attribute(.integer(12)) = value(1, "followers"),
      case .toOne(let user?) = value(1, "user"), case .attribute(.boolean(true)) = value(2, "isNew"),
      case .attribute(.json(let extra)) = value(2, "extra"), case .toMany(let tags) = value(2, "tags"),
      case .toOne(nil) = value(3, "user"), case .toMany(let none) = value(3, "tags")
    else {
      Issue.record("a value has the wrong kind: \(seeds)")
      return
    }
    #expect(user.value.rawValue == "User/7" && tags.map(\.value.rawValue) == ["Tag~1"] && none.isEmpty)
    #expect(extra == ["a": [1]])
  }

  @Test func readsSteps() throws {
    let loaded = try scenario(
      steps: """
        options: {responseKeyPath: all, merge: deep, inject: {Post: {path: meta.id}}}
        steps:
          - request: Post
            urn: posts
            method: POST
            query: {page: 2, q: a b, new: true}
            json: {tags: [1, null]}
            options:
              merge: first
              responseKeyPath: [data, "a.b", 0]
              inject: {User: {parentKey: true}, Tag: {value: 7}}
              prepopulate: {Post: {text: {path: title}, "a.b": {value: [1, null]}}}
          - request: Post
            urn: posts
          - fetch: Post
            where: user.name = "Ada" AND rating > 3
            sort: [-date, id]
            limit: 3
          - fetch: User
            sort: -name
          - change:
              update: {Post/1: {text: Edited, user: User/7}}
              insert: {User: [{id: "8"}]}
          - save
          - save:
            expect: {updated: [Post/1]}
        """)
    #expect(loaded.complaints == "")
    let steps = try #require(loaded.scenario?.steps)
    try #require(steps.count == 7)
    guard case .request(let first) = steps[0].action, case .request(let second) = steps[1].action,
      case .fetch(let fetch) = steps[2].action, case .fetch(let other) = steps[3].action,
      case .change(let change) = steps[4].action, case .save = steps[5].action, case .save = steps[6].action
    else {
      Issue.record("a step has the wrong kind")
      return
    }
    #expect(first.method == "POST" && second.method == "GET")
    #expect(first.query == ["page": "2", "q": "a b", "new": "true"])
    #expect(first.body == .json(["tags": [1, nil]]) && second.body == nil)
    #expect(first.options.merge == .first && second.options.merge == .deep)
    #expect(first.options.responseKeyPath?.components == [.key("data"), .key("a.b"), .index(0)])
    #expect(second.options.responseKeyPath?.components == [.key("all")])
    #expect(Set(first.options.injections.keys) == ["Post", "User", "Tag"])
    #expect(first.options.prepopulation["Post"]?.map(\.key) == ["text", "a.b"])
    #expect(fetch.predicate?.text == #"user.name = "Ada" AND rating > 3"# && fetch.limit == 3)
    func texts(_ keys: [SortKey]) -> [String] {
      keys.map { ($0.isAscending ? "" : "-") + $0.keyPath }
    }
    #expect(texts(fetch.sort) == ["-date", "id"] && texts(other.sort) == ["-name"])
    #expect(
      change.updates.map(\.record.value.rawValue) == ["Post/1"] && change.inserts.map(\.entity) == ["User"])
    #expect(steps[6].expectation?.updated?.value.first?.record.value.rawValue == "Post/1")
  }

  @Test func findsAllMistakesAtOnce() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      titel: Mistyped
      covers: [Merge]
      model:
        entities:
          Post:
            primaryKey: id
            attributes: {id: strng, text: string}
            relationships: {user: {to: User, invers: posts}}
          User: {primaryKey: id, attributes: {id: string}}
      store:
        Pots: []
        User: [{id: 7}]
      responses:
        PUT posts:
          - {body: [], status: 99}
          - {}
      steps:
        - request: Post
          urn: [posts]
          method: put
        - fetch: User
          sort: nmae
        - reqest: Post
      expect:
        graph:
          Post: [{id: 1, anything: 2}]
          User: [{id: 1, nmae: Ada}]
        inserted: Post/1
        served: server
      """, to: "a.yaml")
    let loaded = folder.load("a.yaml")
    #expect(loaded.scenario == nil)
    #expect(
      loaded.summary == [
        "1 unknown-key", "2 unknown-value", "7 unknown-value", "8 unknown-key", "11 unknown-entity",
        "12 literal",
        "15 out-of-range", "16 missing-key", "19 wrong-kind", "20 address-syntax", "22 unknown-property",
        "23 unknown-key", "27 literal", "27 unknown-property", "28 wrong-kind", "29 unknown-value",
      ])
  }

  /// An unreadable part of a file does not hide other errors.
  @Test func oneMistakeHidesNoOther() throws {
    let text = """
      title: A station
      covers: [identity.atribute-key]
      model:
        entities:
          Station:
            parent: Plase
            primaryKey: idd
            attributes: {id: int}
            relationships: {cars: {toMany: Vehicl, inverse: station}}
          Vehicle:
            attributes: {id: int64}
            relationships: {station: {to: Station, inverse: cars}}
      responses: {stations: {body: []}}
      steps:
        - request: Statoin
          urn: stations
          options: {failOn: [nul-element], ignore: [save-error]}
          expect:
            served: cached
            records: [Vehicel/1, {id: 1}]
            failure: {code: offlin}
            diagnostics: [nul-element]
        - batch: [{request: Station, urn: stations, expect: {failure: offlin}}]
      """
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a.yaml")
    let loaded = folder.load("a.yaml").checkedForRules().checkedForCodes()
    #expect(
      loaded.summary == [
        "2 unknown-rule", "6 unknown-parent", "8 unknown-value", "9 unknown-destination", "15 unknown-entity",
        "17 unknown-code", "17 unknown-value", "19 unknown-value", "20 unknown-entity", "21 unknown-code",
        "22 unknown-code", "23 unknown-code",
      ], "\(loaded.complaints)")
  }

  @Test func aMistakeInAnAnchorIsSaidOnce() throws {
    let loaded = try scenario(
      steps: """
        steps:
          - &step {request: Post, urn: posts, mehtod: GET}
          - *step
          - *step
        """)
    #expect(loaded.summary == ["34 unknown-key"])
  }

  @Test func warningsLeaveAScenario() throws {
    let loaded = try scenario(
      model:
        "model: {entities: {Post: {primaryKey: id, attributes: {id: string}, relationships: {other: {to: Post}}}}}\n"
    )
    #expect(loaded.scenario != nil)
    #expect(loaded.diagnostics.map(\.severity) == [.warning])
    #expect(loaded.summary == ["2 no-inverse"])
  }

  @Test func defaultsBesideOptionsCauseAWarning() throws {
    let defaults = "defaults: {Post: {dryRun: true}}\n"
    let loaded = try scenario(more: defaults + "options: {timeout: 30s}\n")
    #expect(loaded.scenario != nil)
    #expect(loaded.diagnostics.map(\.severity) == [.warning])
    #expect(loaded.complaints.contains("'defaults' has no effect"))
    #expect(try scenario(more: defaults).diagnostics.isEmpty)
  }

  /// Advice repeats a line only if it is short.
  @Test func adviceIsShort() throws {
    let short = try scenario(steps: "steps:\n  - request: Post\n    urn:posts\n    as: a\n")
    #expect(short.diagnostics.map(\.advice) == ["write 'urn: posts'"])
    let address = String(repeating: "x", count: 10_000)
    let long = try scenario(steps: "steps:\n  - request: Post\n    urn:\(address)\n    as: a\n")
    #expect(long.diagnostics.map(\.advice) == ["write ': '"])
  }

  @Test func namesWhatIsNoFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "folder.yaml/a.txt")
    #expect(folder.load("absent.yaml").diagnostics.map(\.message) == ["the file does not exist"])
    #expect(folder.load("folder.yaml").diagnostics.map(\.message) == ["this is a folder, not a file"])
  }

  /// A damaged file results in a scenario or in errors, but never in both.
  @Test func damagedScenariosAreAnswered() throws {
    let text =
      Parts.title + Parts.model + Parts.responses + Parts.steps
        + """
        store: {User: [{id: "7"}], Counts: [{user: User/7, followers: 1}]}
        expect:
          graph:
            Counts: {only: [{user: User/7, followers: 12}]}
            User: [{id: "7", counts: {followers: 12}, posts: {contains: [Post/1]}}]
            Post: {count: 2, absent: [Post/9], records: [{id: "1", user: null}]}
            Line: none
          records: {anyOrder: [Post/1]}
          diagnostics: [{code: value-type, entity: Post, property: text, pointer: /0/text}]
        """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let words = ["null", "[]", "{}", "7", "true", "Post/1", "none", "\"", "- ", ": ", "~", "%", "*a", "&a "]
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 11)
    for _ in 0..<400 {
      var damaged = lines
      for _ in 0...(random.next() % 3) {
        let line = Int(random.next() % UInt64(damaged.count))
        let parts = damaged[line].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch random.next() % 4 {
        case 0: damaged.remove(at: line)
        case 1: damaged.insert(damaged[Int(random.next() % UInt64(damaged.count))], at: line)
        case 2: damaged[line] = parts.dropLast().joined(separator: " ")
        default:
          damaged[line] = (parts.dropLast() + [words[Int(random.next() % UInt64(words.count))]]).joined(
            separator: " ")
        }
      }
      try folder.write(damaged.joined(separator: "\n"), to: "a.yaml")
      let loaded = folder.load("a.yaml")
      let hasErrors = loaded.diagnostics.contains { $0.severity == .error }
      #expect((loaded.scenario == nil) == hasErrors)
      #expect(!loaded.complaints.contains("Optional("))
    }
  }
}
