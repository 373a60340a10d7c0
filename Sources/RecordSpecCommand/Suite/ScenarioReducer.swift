import JSONTree
import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// A reducer that removes everything from a failing scenario that its first failure does not need.
struct ScenarioReducer {
  /// A scenario that was reduced.
  struct Result {
    /// The text of the scenario.
    var text: [UInt8]
    /// The text of its golden file; nil if the failure needs none.
    var golden: String?
    /// The numbers of lines that are not empty. Those of the files that the scenario names are counted before.
    var lines: (before: Int, after: Int)
    /// The number of times that a scenario was run.
    var runs: Int
    /// A Boolean value that indicates whether the maximum number of runs was reached.
    var isCutShort: Bool
  }

  /// The file of the reduced scenario.
  let target: ScenarioFile
  /// The judge of the scenario and of its reduced forms, whose golden files are replaced.
  let judge: ScenarioJudge
  let maximumRuns: Int

  /// The golden file of a scenario that fails as it must; without a text if the failure needs none.
  private struct Golden {
    let text: String?
  }

  /// The failure that the reduced scenario must have.
  private struct Aim {
    let identity: FailureIdentity
    let golden: GoldenCounterpart?
  }

  /// A scenario that fails as it must.
  private struct Start {
    let text: [UInt8]
    let aim: Aim
    let golden: Golden
  }

  /// Reduces a scenario. Returns nil if it does not fail in the same way at the path of the target.
  ///
  /// - Parameters:
  ///   - loaded: the scenario.
  ///   - identity: the first failure.
  ///   - recorded: the contents of its golden file.
  ///   - snapshot: its result.
  ///   - progress: a function that is called after each successful run with the number of runs and the lines that remain.
  func reduce(
    _ loaded: LoadedScenario, _ identity: FailureIdentity, recorded: JSONValue?, _ snapshot: ScenarioSnapshot,
    isolation: isolated (any Actor)? = #isolation, progress: (_ runs: Int, _ lines: Int) -> Void
  ) async -> Result? {
    var runs = 0
    let start = await start(loaded, aims(identity, recorded, snapshot), isolation: isolation) { runs += 1 }
    guard let start, let root = YAMLParser.parse(SourceFile(path: target.path, bytes: start.text)).root
    else { return nil }
    progress(runs, Self.lines(start.text))
    var golden = start.golden
    let parts = RemovableParts(root)
    let steps = parts.children(of: parts.topLevel("steps"))
    var search = DeltaDebugging(
      parts: parts, linked: LinkedParts.sets(in: parts), maximumTests: max(0, maximumRuns - runs))
    await search.search { removed in
      let kept = steps.filter { !removed.contains($0) }
      let text = parts.text(without: removed)
      let reduced = await self.golden(of: text, start.aim) { index in
        guard !steps.isEmpty else { return index }
        return steps.indices.contains(index) ? kept.firstIndex(of: steps[index]) : nil
      }
      runs += 1
      guard let reduced else { return false }
      golden = reduced
      progress(runs, Self.lines(text))
      return true
    }
    let reduced = parts.text(without: search.removed)
    return Result(
      text: reduced, golden: golden.text, lines: (before: Self.lines(start.text), after: Self.lines(reduced)),
      runs: runs,
      isCutShort: search.isCutShort)
  }

  /// Finds the text that is reduced, which contains as many of the named files as possible. Returns nil if no text fails
  /// as it must.
  private func start(
    _ loaded: LoadedScenario, _ aims: [Aim], isolation: isolated (any Actor)? = #isolation, ran: () -> Void
  ) async -> Start? {
    guard let source = loaded.sources.first else { return nil }
    let texts = candidates(loaded, source.bytes)
    for aim in aims {
      for text in texts {
        ran()
        if let golden = await golden(of: text, aim, { $0 }) {
          return Start(text: text, aim: aim, golden: golden)
        }
      }
    }
    return nil
  }

  /// Returns the number of lines that are not empty.
  private static func lines(_ text: [UInt8]) -> Int { text.split(separator: UInt8(ascii: "\n")).count }

  /// Returns the possible aims, the best first.
  private func aims(
    _ identity: FailureIdentity, _ recorded: JSONValue?, _ snapshot: ScenarioSnapshot
  ) -> [Aim] {
    guard let difference = identity.goldenDifference else { return [Aim(identity: identity, golden: nil)] }
    guard let recorded else { return [] }
    return [
      GoldenCounterpart(of: difference, original: recorded, snapshot: snapshot),
      GoldenCounterpart(original: recorded),
    ].map { Aim(identity: identity, golden: $0) }
  }

  /// Returns the text of a scenario with the contents of the files that it names: first of all files, then of all but one,
  /// then of one, and last of none.
  private func candidates(_ loaded: LoadedScenario, _ text: [UInt8]) -> [[UInt8]] {
    guard let root = YAMLParser.parse(SourceFile(path: loaded.path, bytes: text)).root else { return [] }
    let parts = RemovableParts(root)
    let files = InlinedFile.all(in: loaded, parts)
    func edited(_ files: some Sequence<InlinedFile>) -> [UInt8] {
      var removed: Set<Int> = []
      var replacements: [Int: String] = [:]
      for file in files {
        removed.formUnion(file.removed)
        replacements.merge(file.replacements) { first, _ in first }
      }
      return parts.text(without: removed, replacing: replacements)
    }
    guard !files.isEmpty else { return [text] }
    var candidates = [edited(files)]
    // With many files, most of the runs would be spent here.
    if (2...20).contains(files.count) {
      for index in files.indices {
        candidates.append(edited(files.enumerated().filter { $0.offset != index }.map(\.element)))
      }
      for file in files { candidates.append(edited([file])) }
    }
    return candidates + [text]
  }

  /// Runs a scenario. Returns its golden file if it fails as it must.
  private func golden(
    of text: [UInt8], _ aim: Aim, _ stepIndex: @escaping @Sendable (Int) -> Int?
  ) async -> Golden? {
    let loaded = Scenario.load(target, bytes: text)
    guard loaded.scenario != nil else { return nil }
    var judge = judge
    judge.compare = { [file = judge.golden.file(of: target.name)] snapshot, scenario in
      guard let golden = aim.golden else { return .new }
      let text = golden.text(for: snapshot, stepIndex: stepIndex)
      return GoldenFolder.compare(snapshot, with: Array(text.utf8), of: file, model: scenario.model.schema)
    }
    let verdict = await judge.verdict(on: RunPlan.Entry(file: target, loaded: loaded))
    guard case .failed(let failure) = verdict.outcome, let scenario = loaded.scenario,
      let snapshot = verdict.snapshot,
      FailureIdentity(failure, of: scenario, snapshot: snapshot) == aim.identity
    else { return nil }
    return Golden(text: aim.golden?.text(for: snapshot, stepIndex: stepIndex))
  }
}
