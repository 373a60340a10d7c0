import Foundation
import JSONTree
import RecordEngine
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests that explain everything in the scenarios of the project, or in a third of them.
@Suite struct ExplainedScenariosTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Scenarios").standardizedFileURL.path

  private static let folders = Set(
    ScenarioFiles(below: root).files.map { String($0.name.prefix { $0 != "/" }) }
  ).sorted()

  /// A new scenario does not change which others are chosen.
  private static func isChosen(_ name: String) -> Bool {
    var hash = FNV1a()
    hash.add(name.utf8)
    return hash.value % 3 == 0 || restored.contains { $0.hasPrefix(name + " ") }
  }

  private static func scenarios(in folder: String) -> [Scenario] {
    let files = ScenarioFiles(below: root).files.filter { $0.name.hasPrefix(folder + "/") }
    return files.filter { isTestingAll || isChosen($0.name) }
      .map { Scenario.load($0).checkedForSwiftCode(nil) }.compactMap(\.scenario)
  }

  @Test func scenariosAreFound() { #expect(Self.folders.count > 10) }

  @Test(arguments: folders) func recordingProvenanceChangesNoResult(folder: String) async {
    for scenario in Self.scenarios(in: folder) {
      let plain = await ScenarioExecution.execute(scenario, on: .memory)
      let recorded = await ScenarioExecution.execute(scenario, on: .memory, recordingProvenance: true)
      #expect(plain.provenance == nil, "\(scenario.name)")
      #expect(plain.snapshot == recorded.snapshot, "\(scenario.name)")
      #expect(plain.graphs == recorded.graphs, "\(scenario.name)")
      #expect(plain.breakage == nil && recorded.breakage == nil, "\(scenario.name)")
    }
  }

  /// A value that is explained comes from a position of a response, from the scenario itself, or from a default value.
  @Test(arguments: folders) func everyAttributeIsExplained(folder: String) async throws {
    for scenario in Self.scenarios(in: folder) {
      let executed = await ScenarioExecution.execute(scenario, on: .memory, recordingProvenance: true)
      let explainer = try #require(Explainer(scenario, executed), "\(scenario.name)")
      for label in executed.snapshot.graph.labels {
        for name in explainer.properties(of: label) {
          let explanation = try #require(
            explainer.property(name, of: label), "\(scenario.name) \(label).\(name)")
          #expect(explanation.value == executed.snapshot.graph[label]?.properties[name]?.goldenForm)
          let hole = hole(in: explanation, scenario)
          #expect(
            (hole == nil) != Self.restored.contains("\(scenario.name) \(label).\(name)"),
            "\(scenario.name) \(label).\(name): \(explanation.text)")
        }
        #expect(explainer.record(label)?.facts.isEmpty == false, "\(scenario.name) \(label)")
      }
      let rules = explanations(of: executed, explainer).flatMap { $0.facts.flatMap(\.rules) }
      #expect(rules.filter { Rule.rule($0) == nil } == [], "\(scenario.name)")
    }
  }

  private func explanations(of executed: ExecutedScenario, _ explainer: Explainer) -> [Explanation] {
    let (current, former) = explainer.labels
    return explainer.records()
      + (current + former).flatMap { label in
        [explainer.record(label)].compactMap(\.self)
          + explainer.properties(of: label).compactMap { explainer.property($0, of: label) }
      }
  }

  /// Returns the reason why an explanation does not say where a value comes from; nil if it does.
  private func hole(in explanation: Explanation, _ scenario: Scenario) -> String? {
    guard let first = explanation.facts.first else { return "no facts" }
    if explanation.facts.contains(where: { sourced.contains($0.name) && $0.pointer != nil }) { return nil }
    // A relationship can also change because a record has left it.
    if explanation.value == nil || explanation.facts.contains(where: { $0.name == "left" }) { return nil }
    if first.rules == ["values.default"] || first.step == 0 { return nil }
    guard let step = first.step, scenario.steps.indices.contains(step - 1) else { return "no step" }
    switch scenario.steps[step - 1].action {
    case .change, .save, .rollback: return nil
    default: return "no source"
    }
  }

  /// The properties of which only the step is known: a request deletes the record to which an unsaved change has led,
  /// which restores the stored link, or leads to a merge in which an inserted record becomes the stored one.
  private static let restored: Set = [
    "context/conflict-link-to-deleted Region/N.trails", "context/conflict-key-stored Trail/1.note",
  ]

  private let sourced: Set = ["value", "link", "member", "parent", "inverse"]

  /// The position of a value in a file of the author is where the value is written.
  @Test(arguments: folders) func positionsAreThoseOfTheValues(folder: String) async throws {
    for scenario in Self.scenarios(in: folder) {
      let executed = await ScenarioExecution.execute(scenario, on: .memory, recordingProvenance: true)
      let explainer = try #require(Explainer(scenario, executed), "\(scenario.name)")
      for (index, responses) in (executed.provenance?.steps ?? []).enumerated() {
        for response in responses {
          let mention = Explainer.Mention(step: index + 1, response: response, record: nil)
          for record in response.population?.records ?? [] {
            for value in record.attributes.compactMap(\.value) {
              guard let node = value.position else { continue }
              #expect(node.document.root.value(at: node.pointer)?.index == node.index)
              let position = try #require(explainer.position(of: node, in: mention), "\(scenario.name)")
              let text = try written(at: position)
              #expect(
                isWritten(node, at: text), "\(scenario.name) \(position) \(node.pointer) \(text.prefix(20))")
            }
          }
        }
      }
    }
  }

  private func written(at position: SourcePosition) throws -> Substring {
    let text = try String(contentsOfFile: position.path, encoding: .utf8)
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    let line = try #require(lines.indices.contains(position.line - 1) ? lines[position.line - 1] : nil)
    return Substring(line.unicodeScalars.dropFirst(position.column - 1))
  }

  /// Returns a Boolean value that indicates whether the text of a file can begin with a value.
  private func isWritten(_ node: JSONNode, at text: Substring) -> Bool {
    switch node.kind {
    // A block mapping begins with its first key.
    case .object: text.first == "{" || text.contains(":") || text.first == "*" || text.first == ">"
    case .array: text.first == "[" || text.first == "-" || text.first == "*" || text.first == ">"
    case .string, .number, .boolean, .null:
      text.isEmpty || text.contains { $0 != " " }
    }
  }
}
