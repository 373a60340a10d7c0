import Foundation
import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the form of kept results.
struct KeptResultTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardizedFileURL.path

  /// Every kind of step and value occurs in the suite. A kept result is read back with everything that was kept.
  @Test func theResultsOfTheSuiteAreReadBack() async throws {
    let scenarios = Self.root + "/Scenarios"
    var kinds: Set<String> = []
    // With a scenario that has the rarest step in any sample.
    let files = ScenarioFiles(below: scenarios).files
    let sample = Set(sampled(files, every: 3)).union(files.filter { $0.name == "request/cancel" })
    for file in files where sample.contains(file) {
      let loaded = Scenario.load(file)
      guard let scenario = loaded.scenario else { continue }
      let executed = await ScenarioExecution.execute(scenario, on: .memory)
      let kept = KeptResult(
        of: scenario, executed, inputs: loaded.sources, below: scenarios, meetsExpectations: true,
        usesSwiftCode: false, emptySteps: [1, 3])
      let read = try KeptResult(parsing: Array(kept.text(ofSuite: "../S").utf8))
      #expect(read.executed.graphs == executed.graphs, "\(file.name)")
      #expect(read.executed.snapshot == executed.snapshot, "\(file.name)")
      #expect(read.name == file.name && read.title == scenario.title && read.inputs == kept.inputs)
      #expect(read.meetsExpectations && !read.usesSwiftCode && read.emptySteps == [1, 3])
      #expect(read.changedInputs(below: scenarios) == [], "\(file.name)")
      #expect(read.text(ofSuite: "") == kept.text(ofSuite: ""), "\(file.name)")
      // The model has what tables, drawings and differences read from it.
      for (entity, other) in zip(scenario.model.schema.entities, read.model.entities) {
        #expect(other.name == entity.name && other.key == entity.key, "\(file.name)")
        #expect(other.attributes.map(\.type) == entity.attributes.map(\.type), "\(file.name)")
        #expect(other.relationships == entity.relationships, "\(file.name)")
      }
      #expect(
        read.model.relationships.map(\.inverse) == scenario.model.schema.relationships.map(\.inverse))
      for step in executed.snapshot.steps {
        if case .object(let members) = step.goldenForm { kinds.formUnion(members.keys) }
      }
    }
    // The test would prove nothing about a kind of step that the suite does not have.
    #expect(Set(StepKind.allCases.map(\.rawValue)).subtracting(kinds) == ["call"])
  }

  /// Also models with code, formats and predicates, which a model file may be unable to express.
  @Test func theStructureOfAnyModelIsReadBack() throws {
    var count = 0
    for seed in 1...400 as ClosedRange<UInt64> {
      guard let model = try? RandomModel(seed: seed).model() else { continue }
      count += 1
      let schema = try KeptModel(kept: JSONForm(KeptModel(model, isOfTables: false).form)).schema
      #expect(schema.entities.map(\.name) == model.schema.entities.map(\.name), "\(seed)")
      for (kept, entity) in zip(schema.entities, model.schema.entities) {
        #expect(kept.attributes.map(\.name) == entity.attributes.map(\.name), "\(seed)")
        #expect(kept.attributes.map(\.type) == entity.attributes.map(\.type), "\(seed)")
        #expect(kept.key == entity.key && kept.relationships == entity.relationships, "\(seed)")
      }
      for (kept, relationship) in zip(schema.relationships, model.schema.relationships) {
        #expect(kept.name == relationship.name && kept.inverse == relationship.inverse, "\(seed)")
        #expect(kept.isToMany == relationship.isToMany && kept.isOrdered == relationship.isOrdered, "\(seed)")
      }
    }
    #expect(count > 200)
  }

  /// NaN and infinity have no JSON numbers. Only Swift code can set them.
  @Test func valuesBeyondJSONAreReadBack() throws {
    let values: [(AttributeValue, AttributeType)] = [
      (.double(.infinity), .double), (.double(-.infinity), .float), (.decimal(.nan), .decimal),
      (.string(""), .string), (.json(.null), .transformable), (.json(["a": [1, nil]]), .transformable),
      (.date(Date(timeIntervalSinceReferenceDate: 0.123)), .date), (.binary(Data([0, 255])), .binary),
    ]
    var record = RecordSnapshot(label: "A/1", entity: "A")
    for (index, value) in values.enumerated() {
      record.properties[PropertyName("p\(index)")] = .attribute(value.0, value.1)
    }
    let graph = GraphSnapshot([record])
    let form = JSONForm(graph.keptForm(after: GraphSnapshot()))
    #expect(try GraphSnapshot(kept: form, after: GraphSnapshot()) == graph)
  }

  @Test func graphsAreKeptAsDifferences() throws {
    func record(_ label: RecordLabel, _ text: String) -> RecordSnapshot {
      RecordSnapshot(label: label, entity: "A", properties: ["text": .attribute(.string(text), .string)])
    }
    let before = GraphSnapshot([record("A/1", "a"), record("A/2", "b"), record("A/3", "c")])
    let after = GraphSnapshot([record("A/1", "a"), record("A/2", "x"), record("A/4", "d")])
    let form = after.keptForm(after: before)
    #expect(
      form.compactText()
        == #"{"records":{"A/2":{"entity":"A","properties":{"text":{"string":"x"}}},"A/4":{"entity":"A","properties":{"text":{"string":"d"}}}},"removed":["A/3"]}"#
    )
    #expect(try GraphSnapshot(kept: JSONForm(form), after: before) == after)
  }

  private static func text() async throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(scenario(), to: "Scenarios/a.yaml")
    let loaded = Scenario.load(path: folder.path + "/Scenarios/a.yaml", root: folder.path + "/Scenarios")
    let executed = await ScenarioExecution.executeWithProvenance(try #require(loaded.scenario), on: .memory)
    let scenario = try #require(loaded.scenario)
    let explainer = try #require(Explainer(scenario, executed))
    return KeptResult(
      of: try #require(loaded.scenario), executed, inputs: loaded.sources,
      below: folder.path + "/Scenarios", meetsExpectations: false, usesSwiftCode: false,
      emptySteps: [],
      explanations: .complete(KeptExplanations(explainer, below: folder.path + "/Scenarios"))
    ).text(ofSuite: "../Scenarios")
  }

  @Test(arguments: [
    ("", "", "is not a kept result: it is not valid JSON"), ("\"format\":1,", "", "is not a kept result"),
    ("\"format\":1", "\"format\":2", "has the format 2 of another version of recordspec"),
    (
      "\"records\":[\"Post/1\"]", "\"records\":\"Post/1\"",
      "is damaged: expected an array at '/steps/0/records'"
    ),
    (
      "{\"string\":\"Hello\"}", "{\"text\":\"Hello\"}",
      "is damaged: expected a type of attribute at '/graphs/1/records/Post~11/properties/text/text'"
    ),
    (
      "{\"string\":\"Hello\"}", "{\"string\":7}",
      "is damaged: expected a value of string at '/graphs/1/records/Post~11/properties/text/string'"
    ),
    ("\"model\":\"entities", "\"model\":\"entitles", "is damaged: expected the text of a model at '/model'"),
    (
      "\"action\":{\"request\":", "\"action\":{\"rest\":",
      "is damaged: expected the action of a step at '/steps/0/action'"
    ),
    (
      "\"Post/1\":[0,", "\"Post/1\":[999,",
      "is damaged: expected a number below 8 at '/explanations/records/Post~11/0'"
    ),
  ])
  func aDamagedFileIsExplained(part: String, replacement: String, message: String) async throws {
    let text = try await Self.text()
    let damaged = part.isEmpty ? "[" : text.replacing(part, with: replacement)
    #expect(damaged != text)
    do throws(KeptResult.Unreadable) {
      _ = try KeptResult(parsing: Array(damaged.utf8))
      Issue.record("the damaged file was read: \(damaged)")
    } catch {
      #expect(error.message == message)
      #expect((KeptResult.Header(of: Array(damaged.utf8)) != nil) == !message.hasPrefix("is not"))
    }
  }

  /// No part of a file that is cut off or changed may trap, neither while it is read nor while it is shown.
  @Test func anyDamageIsAnError() async throws {
    let text = try await Self.text()
    let bytes = Array(text.utf8)
    for position in sampled(Array(bytes.indices)) {
      #expect((try? KeptResult(parsing: Array(bytes[..<position]))) == nil || position == bytes.count - 1)
      var changed = bytes
      changed[position] = UInt8(ascii: position.isMultiple(of: 2) ? "1" : "]")
      if let kept = try? KeptResult(parsing: changed) { Self.show(kept) }
    }
    // Numbers that are larger than those of any run.
    var shown = 0
    for match in text.matches(of: #/-?\d+/#) {
      for number in ["9223372036854775807", "-9223372036854775808", "-1", "1e400", "0.5"] {
        let changed = text.replacingCharacters(in: match.range, with: number)
        guard let kept = try? KeptResult(parsing: Array(changed.utf8)) else { continue }
        Self.show(kept)
        shown += 1
      }
    }
    #expect(shown > 0)
    #expect((try? KeptResult(parsing: Array(bytes.dropLast(2)))) == nil)
  }

  /// Produces everything that commands show of a kept result.
  private static func show(_ kept: KeptResult) {
    let result = kept.actual
    for step in 0...result.steps.count {
      _ = result.form(afterStep: step, isOnlyStep: false, label: nil).canonicalText()
      let graph = result.executed.graph(afterStep: step)
      _ = GraphTables(graph: graph, model: result.model).text
      for record in graph.records.values { _ = GraphTables.text(of: record, model: result.model) }
      let drawing = GraphDrawing(of: result, afterStep: step)
      for format in DrawingFormat.allCases { _ = format.text(of: drawing) }
    }
    for (index, step) in result.steps.enumerated() {
      let text = StepText(number: index + 1, step: step)
      _ = text.lines + text.details
    }
    _ = result.executed.snapshot.goldenForm.canonicalText()
    _ = ResultOverview(result.executed.snapshot).lines
    _ = kept.text(ofSuite: "")
    if case .complete(let explanations) = kept.explanations { _ = Self.all(explanations) }
  }

  /// Returns the texts of all explanations of labels, and of the labels without a record at the end.
  private static func all(
    _ source: some ExplanationSource, _ graphs: [GraphSnapshot] = []
  ) -> [String] {
    let labels = source.labels.current + source.labels.former + graphs.flatMap(\.labels)
    return source.records().map(\.text)
      + labels.flatMap { label in
        [source.record(label)?.text ?? "", source.record(label)?.json.canonicalText() ?? ""]
          + source.properties(of: label).map { name in
            let explanation = source.property(name, of: label)
            return (explanation?.text ?? "") + (explanation?.json.canonicalText() ?? "")
          }
      }
  }

  /// Everything in the suite is explained by a kept result as by the run. All scenarios take a minute in debug, so a run
  /// that is not full tests every fifth.
  @Test func explanationsAreReadBack() async throws {
    let scenarios = Self.root + "/Scenarios"
    var count = 0
    let files = ScenarioFiles(below: scenarios).files
    for file in sampled(files, every: 20) {
      let loaded = Scenario.load(file).checkedForSwiftCode(nil)
      guard let scenario = loaded.scenario else { continue }
      let executed = await ScenarioExecution.executeWithProvenance(scenario, on: .memory)
      let explainer = try #require(Explainer(scenario, executed))
      let kept = KeptResult(
        of: scenario, executed, inputs: loaded.sources, below: scenarios, meetsExpectations: true,
        usesSwiftCode: true, emptySteps: [],
        explanations: .complete(KeptExplanations(explainer, below: scenarios)))
      let read = try KeptResult(parsing: Array(kept.text(ofSuite: "").utf8))
      guard case .complete(let explanations) = read.explanations else {
        Issue.record("\(file.name)")
        continue
      }
      let texts = Self.all(explainer, executed.graphs)
      count += texts.count
      #expect(
        Self.all(explanations.located(below: scenarios), executed.graphs) == texts, "\(file.name)")
      #expect(read.text(ofSuite: "") == kept.text(ofSuite: ""), "\(file.name)")
    }
    #expect(count > (isTestingAll ? 1000 : 100))
  }

  @Test func inputsAreNamedRelativeToTheScenarios() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "Scenarios/more/a.yaml")
    try folder.write("b", to: "Bodies/b.json")
    let scenarios = folder.path + "/Scenarios"
    let files = ["Scenarios/more/a.yaml", "Bodies/b.json"].map { name in
      InputFile(
        SourceBytes(path: folder.path + "/" + name, bytes: Array(name.utf8.suffix(1))), below: scenarios)
    }
    #expect(files.map(\.path) == ["more/a.yaml", "../Bodies/b.json"])
    #expect(
      files.map { $0.displayedPath(below: "x/Scenarios") } == ["x/Scenarios/more/a.yaml", "x/Bodies/b.json"])
    #expect(files.map { $0.displayedPath(below: "Scenarios") } == ["Scenarios/more/a.yaml", "Bodies/b.json"])
    #expect(files.map { $0.state(below: scenarios) } == [.changed, .changed])
    try folder.write("l", to: "Scenarios/more/a.yaml")
    #expect(files[0].state(below: scenarios) == .same)
    try FileManager.default.removeItem(atPath: folder.path + "/Bodies/b.json")
    #expect(files[1].state(below: scenarios) == .removed)
  }
}
