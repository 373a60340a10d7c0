internal import JSONTree
internal import RecordModel

/// A reducer that removes everything from a failing scenario that its first failure does not need.
struct ScenarioReducer {
  /// A scenario that was reduced.
  struct Result {
    /// The text of the scenario.
    var text: [UInt8]
    /// The text of its golden file; nil if the failure needs none.
    var golden: String?
    /// The number of times that a scenario was run.
    var runs: Int
    /// A Boolean value that indicates whether the maximum number of runs was reached.
    var isCutShort: Bool
  }

  /// The file of the reduced scenario.
  let target: ScenarioFile
  let goldenFolder: GoldenFolder
  let store: StoreKind
  let execute: ScenarioExecutor
  let explain: ScenarioExecutor
  let today: String
  let maximumRuns: Int

  /// The failure that the reduced scenario must have.
  private struct Aim {
    let identity: FailureIdentity
    let golden: GoldenCounterpart?
  }

  /// Reduces a scenario. Returns nil if it does not fail in the same way at the path of the target.
  ///
  /// - Parameters:
  ///   - loaded: the scenario.
  ///   - identity: the first failure.
  ///   - recorded: the contents of its golden file.
  ///   - snapshot: its result.
  ///   - progress: a function that is called after each run with the number of runs and the lines that remain.
  func reduce(
    _ loaded: LoadedScenario, _ identity: FailureIdentity, recorded: JSONValue?, _ snapshot: ScenarioSnapshot,
    isolation: isolated (any Actor)? = #isolation, progress: (_ runs: Int, _ lines: Int) -> Void
  ) async -> Result? {
    let golden = identity.goldenDifference.flatMap { difference in
      recorded.map { GoldenCounterpart(of: difference, original: $0, snapshot: snapshot) }
    }
    let aim = Aim(identity: identity, golden: golden)
    guard let source = loaded.sources.first else { return nil }
    var runs = 0
    func test(_ text: [UInt8], _ stepIndex: @escaping @Sendable (Int) -> Int?) async -> String?? {
      runs += 1
      let golden = await self.golden(of: text, aim, stepIndex)
      if golden != nil { progress(runs, text.count { $0 == UInt8(ascii: "\n") }) }
      return golden
    }

    var text = source.bytes
    var goldenText = await test(text) { $0 }
    for inlined in candidates(loaded, text) {
      guard runs < maximumRuns, let found = await test(inlined, { $0 }) else { continue }
      (text, goldenText) = (inlined, found)
      break
    }
    guard var goldenText, let root = YAMLParser.parse(SourceFile(path: target.path, bytes: text)).root
    else { return nil }
    let parts = RemovableParts(root)
    let steps = parts.part("steps", in: parts.rootGroup).flatMap { parts.parts[$0].group }
      .map { parts.groups[$0].parts }
    var search = DeltaDebugging(parts, maximumTests: max(0, maximumRuns - runs))
    await search.search { removed in
      let kept = steps?.filter { !removed.contains($0) }
      let found = await test(parts.text(without: removed)) { index in
        guard let steps, let kept else { return index }
        return steps.indices.contains(index) ? kept.firstIndex(of: steps[index]) : nil
      }
      if let found { goldenText = found }
      return found != nil
    }
    return Result(
      text: parts.text(without: search.removed), golden: goldenText, runs: runs, isCutShort: search.isCutShort
    )
  }

  /// Returns the text of a scenario with the contents of the files that it names: first of all files, then of all but one
  /// of them, and so on.
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
    guard !files.isEmpty else { return [] }
    var candidates = [edited(files)]
    if files.count > 1 {
      for index in files.indices {
        candidates.append(edited(files.enumerated().filter { $0.offset != index }.map(\.element)))
      }
      for file in files { candidates.append(edited([file])) }
    }
    return candidates
  }

  /// Runs a scenario. Returns the text of its golden file if it fails as it must, and nil inside if it needs none.
  private func golden(
    of text: [UInt8], _ aim: Aim, _ stepIndex: @escaping @Sendable (Int) -> Int?
  ) async -> String?? {
    let loaded = Scenario.load(target, bytes: text)
    guard loaded.scenario != nil else { return nil }
    let file = goldenFolder.file(of: target.name)
    let judge = ScenarioJudge(
      execute: execute, explain: explain, store: store, golden: goldenFolder,
      comparing: { snapshot, scenario in
        guard let golden = aim.golden else { return .new }
        let text = golden.text(for: snapshot, stepIndex: stepIndex)
        return GoldenFolder.compare(
          snapshot, with: Array(text.utf8), of: file, model: scenario.model.schema)
      }, today: today)
    let verdict = await judge.verdict(on: RunPlan.Entry(file: target, loaded: loaded))
    guard case .failed(let failure) = verdict.result.outcome, let scenario = loaded.scenario,
      let snapshot = verdict.snapshot,
      FailureIdentity(failure, of: scenario, snapshot: snapshot) == aim.identity
    else { return nil }
    return .some(aim.golden.map { $0.text(for: snapshot, stepIndex: stepIndex) })
  }
}
