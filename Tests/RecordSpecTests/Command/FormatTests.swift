import Foundation
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for scenarios that must pass, and for scenarios that must fail with the text in the file next to them.
/// `Format/refused` contains the scenarios that cannot be read.
///
/// `RECORD_FAILING=1 swift test --filter FormatTests` updates the texts for review, except in CI.
struct FormatTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Format").path

  static let passing = ScenarioFiles(below: folder + "/passing").files
  static let failing = ScenarioFiles(below: folder + "/failing").files

  @Test func thereAreFiles() {
    #expect(Self.passing.count >= 12)
    #expect(Self.failing.count >= 30)
  }

  @Test(arguments: passing)
  func passes(file: ScenarioFile) async {
    let result = await Self.verdict(on: file, in: "passing")
    let text = Self.text(of: result)
    guard case .passed = result.outcome else {
      Issue.record("\(text)")
      return
    }
  }

  @Test(arguments: failing)
  func failsInTheseWords(file: ScenarioFile) async throws {
    let result = await Self.verdict(on: file, in: "failing")
    #expect(result.outcome.isFailure)
    let actual = Self.text(of: result)
    let path = "\(Self.folder)/failing/\(file.name).txt"
    if Self.isRecording { try Data(actual.utf8).write(to: URL(fileURLWithPath: path)) }
    guard let data = FileManager.default.contents(atPath: path) else {
      Issue.record("\(file.name).txt is missing; RECORD_FAILING=1 writes it:\n\(actual)")
      return
    }
    let isSame = String(decoding: data, as: UTF8.self) == actual
    #expect(isSame, "the report on \(file.name).yaml has changed:\n\(actual)")
  }

  @Test func nothingIsLeftOver() throws {
    for kind in ["passing", "failing"] {
      let names = Set((kind == "passing" ? Self.passing : Self.failing).map(\.name))
      let golden = GoldenFolder(path: "\(Self.folder)/\(kind)/_golden")
      #expect(golden.obsolete(besides: names) == [])
      let texts = try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/\(kind)")
        .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
      #expect(Set(texts).subtracting(names) == [])
    }
  }

  private static func verdict(on file: ScenarioFile, in kind: String) async -> ScenarioVerdict {
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: "\(folder)/\(kind)/_golden"), today: "2030-01-01")
    return await judge.verdict(on: RunPlan.Entry(file: file))
  }

  /// Returns the report on a scenario. Its paths are relative to the folder.
  private static func text(of verdict: ScenarioVerdict) -> String {
    ScenarioRenderer().text(of: verdict, isVerbose: true)
      .replacing("\(folder)/failing/", with: "").replacing("\(folder)/passing/", with: "")
  }

  private static var isRecording: Bool {
    let environment = RunEnvironment(variables: ProcessInfo.processInfo.environment)
    return environment.variables["RECORD_FAILING"] == "1" && !environment.isCI
  }
}
