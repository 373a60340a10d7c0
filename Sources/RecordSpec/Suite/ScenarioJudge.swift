package import Foundation
import RecordModel
package import ScenarioComparison
package import ScenarioFormat
package import ScenarioReport
package import ScenarioRun

/// A judge that runs one scenario and compares the result with the expectations of its author, then with its golden
/// file. It writes nothing.
package struct ScenarioJudge: Sendable {
  package let execute: ScenarioExecutor
  /// The executor of scenarios that run an app; nil if there is no adapter, so that they are skipped.
  package var executeApp: AdapterExecutor?
  /// The executor that records the provenance of records, with which a failed scenario is run again.
  package var explain: ScenarioExecutor = ScenarioExecution.executeWithProvenance
  /// The maximum number of differences of a scenario that are explained in full.
  package var explanationLimit = 0
  /// The registrations of a test target; nil on the command line.
  var registrations: ScenarioRegistrations?
  /// The model of all scenarios, from a test target; nil if each scenario uses its own.
  var model: ManagedObjectModel?
  package var store = StoreKind.memory
  package let golden: GoldenFolder
  /// A function that replaces the comparison with the golden file; nil to compare with the file.
  package var compare: (@Sendable (ScenarioSnapshot, Scenario) -> GoldenComparison)?
  /// The folder of scenarios, relative to which the files of kept results are named; nil if no result is kept.
  package var root: String?
  /// A Boolean value that indicates whether the results to keep have explanations. Those of tests with Swift code always
  /// have them, because the command line cannot run such scenarios.
  package var keepsExplanations = false
  /// A Boolean value that indicates whether verdicts can collect details for reports. The scenario is run once more for
  /// them, to explain its values.
  package var collectsDetails = false
  /// The current day, such as `2031-05-01`, which is compared with the dates of expected failures.
  package let today: String

  /// A function that runs the steps of one scenario on an app with the named adapter. The scenario describes its tables.
  package typealias AdapterExecutor =
    @Sendable (Scenario, TableRules, _ adapter: String?) async -> ExecutedScenario

  package init(execute: @escaping ScenarioExecutor, golden: GoldenFolder, today: String) {
    (self.execute, self.golden, self.today) = (execute, golden, today)
  }

  /// Runs a scenario and judges its result.
  package func verdict(on entry: RunPlan.Entry) async -> ScenarioVerdict {
    let clock = ContinuousClock()
    let start = clock.now
    let goldenFile = StampedFile(golden.file(of: entry.file.name))
    let models = registrations.map { SwiftModels(registered: $0.models, replacement: model) }
    var loaded = entry.read(models).checkedForNames(registrations)
    if let mark = loaded.scenario?.expectedFailure, !mark.adapters.isEmpty,
      !mark.adapters.contains(entry.adapter ?? "")
    {
      loaded.scenario?.expectedFailure = nil
    }
    let first = await executed(loaded.scenario, adapter: entry.adapter)
    if let tables = first?.tables { loaded.scenario?.model = tables }
    let (outcome, executed, explained) = await outcome(of: loaded, first)
    var verdict = ScenarioVerdict(
      name: loaded.name, path: loaded.path, heading: loaded.heading, outcome: outcome)
    verdict.duration = clock.now - start
    verdict.shownName = entry.shownName
    verdict.lacksAdapter =
      executed == nil && loaded.scenario.map { $0.tables != nil && $0.skip == nil } ?? false
    verdict.warnings = loaded.diagnostics.filter { $0.severity == .warning }
    verdict.index = entry.index
    verdict.snapshot = executed?.breakage == nil ? executed?.snapshot : nil
    verdict.hasResult = executed != nil
    verdict.needsSwiftCode = loaded.needsSwiftCode
    verdict.files = loaded.files + [goldenFile]
    if collectsDetails {
      verdict.collectDetails = { [self, loaded] in
        var explained = explained
        if explained == nil, let scenario = loaded.scenario, let executed, executed.breakage == nil {
          explained = await runWithProvenance(scenario)
        }
        return ScenarioDetails(
          of: loaded, index: entry.index, outcome: outcome, executed: executed, explained: explained)
      }
    }
    if let root, outcome.isFailure, let scenario = loaded.scenario, let executed {
      verdict.kept = KeptResult(
        of: scenario, executed, inputs: loaded.sources, below: root,
        meetsExpectations: outcome.meetsExpectations,
        usesSwiftCode: usesSwiftCode || (scenario.tables != nil && registrations != nil),
        emptySteps: ResultOverview(executed.snapshot, of: scenario).emptySteps,
        explanations: await explanations(of: scenario, executed, explained, below: root))
    }
    return verdict
  }

  /// Returns the explanations to keep with the result of a run.
  ///
  /// - Parameter explained: the run with provenance; nil if there has been none.
  private func explanations(
    of scenario: Scenario, _ executed: ExecutedScenario, _ explained: ExecutedScenario?, below root: String
  ) async -> KeptResult.Explanations {
    guard usesSwiftCode || keepsExplanations, executed.breakage == nil else { return .missing(reason: nil) }
    var found = explained
    if found == nil { found = await runWithProvenance(scenario) }
    guard let explained = found else { return .missing(reason: nil) }
    guard explained.graphs == executed.graphs, let explainer = Explainer(scenario, explained) else {
      // Swift code can have a state, such as a counter.
      return .missing(reason: "the scenario was run again for them, with another result")
    }
    return .complete(KeptExplanations(explainer, below: root))
  }

  /// Returns the verdict on the kept result of a scenario that cannot be run here. Its golden file may have changed
  /// since the result was kept.
  package func verdict(on kept: KeptResult, path: String) -> ScenarioVerdict {
    let snapshot = kept.executed.snapshot
    var overview = ResultOverview(snapshot)
    overview.emptySteps = kept.emptySteps
    let failure = ScenarioFailure(
      golden: golden.compare(snapshot, of: kept.name, model: kept.model),
      goldenFile: golden.file(of: kept.name))
    var verdict = ScenarioVerdict(
      name: kept.name, path: path, heading: ScenarioHeading(title: kept.title),
      outcome: outcome(of: failure) { overview })
    (verdict.snapshot, verdict.hasResult) = (snapshot, true)
    return verdict
  }

  /// A Boolean value that indicates whether Swift code of a test target takes part.
  package var usesSwiftCode: Bool { model != nil || !(registrations?.isEmpty ?? true) }

  /// Runs a scenario on the engine or on its app; nil if it is not to be run.
  private func executed(_ scenario: Scenario?, adapter: String?) async -> ExecutedScenario? {
    guard let scenario, scenario.skip == nil else { return nil }
    guard let tables = scenario.tables else { return await execute(scenario, store) }
    return await executeApp?(scenario, tables, adapter)
  }

  /// Runs a scenario once more and records the provenance of its records; nil for a scenario that runs an app, whose code is
  /// unknown.
  private func runWithProvenance(_ scenario: Scenario) async -> ExecutedScenario? {
    scenario.tables == nil ? await explain(scenario, store) : nil
  }

  /// Judges the run of a scenario. Returns its outcome, the run, and the run with provenance; nil for a run that was not
  /// necessary.
  private func outcome(
    of loaded: LoadedScenario, _ executed: ExecutedScenario?
  ) async -> (outcome: ScenarioOutcome, executed: ExecutedScenario?, explained: ExecutedScenario?) {
    guard let scenario = loaded.scenario else {
      return (.invalid(loaded.diagnostics.filter { $0.severity == .error }), nil, nil)
    }
    guard let executed else {
      return (.skipped(reason: scenario.skip ?? "it runs an app, and no adapter is named"), nil, nil)
    }
    if let breakage = executed.breakage { return (.broken(breakage), executed, nil) }
    let outcome = outcome(of: scenario, executed)
    let graph = executed.snapshot.graph
    if case .new(let file, var overview) = outcome, !graph.unfilledAttributes(scenario.model.schema).isEmpty {
      // The scenario is run once more, to find attributes whose names do not occur in the response.
      guard let explained = await runWithProvenance(scenario) else { return (outcome, executed, nil) }
      overview.misnamed = Explainer(scenario, explained)?.misnamedAttributes(in: graph) ?? []
      return (.new(goldenFile: file, overview: overview), executed, explained)
    }
    guard case .failed(let failure) = outcome else { return (outcome, executed, nil) }
    if let obstacle = executed.obstacle { return (.broken(Breakage(obstacle)), nil, nil) }
    guard failure.isAboutRecords else { return (outcome, executed, nil) }
    // The scenario is run once more, to explain the differences.
    guard let explained = await runWithProvenance(scenario),
      let explainer = Explainer(scenario, explained)
    else { return (outcome, executed, nil) }
    return (.failed(self.explained(failure, by: explainer)), executed, explained)
  }

  /// Explains the differences of a failed scenario.
  private func explained(_ failure: ScenarioFailure, by explainer: Explainer) -> ScenarioFailure {
    var failure = failure
    let told = failure.diagnostics.flatMap { found in
      found.shown.map { Explainer.ToldDiagnostic(step: found.step, $0) }
    }
    failure.expectations = explainer.explained(failure.expectations, limit: explanationLimit, told: Set(told))
    // The author's expectations come first; differences from the golden file mostly follow from them.
    let limit = failure.isGoldenFileOnly ? explanationLimit : 0
    if case .different(let golden) = failure.golden {
      failure.golden = .different(explainer.explained(golden, limit: limit, told: Set(told)))
    }
    return failure
  }

  private func outcome(of scenario: Scenario, _ executed: ExecutedScenario) -> ScenarioOutcome {
    let model = scenario.model.schema
    let expectations = Self.differences(of: scenario, executed, model: model)
    let golden =
      compare?(executed.snapshot, scenario)
      ?? golden.compare(executed.snapshot, of: scenario.name, model: model)
    var failure = ScenarioFailure(golden: golden, goldenFile: self.golden.file(of: scenario.name))
    failure.findings = executed.findings + executed.invalidBodies(of: scenario)
    failure.expectations = expectations
    failure.diagnostics = Self.unexpectedDiagnostics(of: scenario, executed.snapshot, golden)
    failure.remarks = Self.remarks(on: scenario, executed.snapshot, expectations, golden)
    failure.emptyStep = Self.emptyStep(of: scenario, executed, expectations, failure.diagnostics)
    if let mark = scenario.expectedFailure {
      let outcome = outcome(of: failure, marked: mark)
      // A marked scenario that passes already reports what to do.
      guard let until = mark.until, until <= today, case .expectedFailure = outcome else { return outcome }
      failure.findings.append(
        AuthorDiagnostic(
          .overdueMark, at: mark.span, "the expected failure has expired: 'until' is \(until)",
          advice: "fix the failure, or set a later date in 'until'"))
      return .failed(failure)
    }
    return outcome(of: failure) { ResultOverview(executed.snapshot, of: scenario) }
  }

  /// Returns the outcome of a scenario that must pass.
  ///
  /// - Parameter overview: a function that returns the overview of a result without a golden file.
  private func outcome(of failure: ScenarioFailure, overview: () -> ResultOverview) -> ScenarioOutcome {
    switch failure.golden {
    case .same where failure.isGoldenFileOnly: .passed
    case .new where failure.isGoldenFileOnly: .new(goldenFile: failure.goldenFile, overview: overview())
    default: .failed(failure)
    }
  }

  /// Returns the outcome of a scenario that is marked to fail. A scenario whose expectations fail cannot be blessed, so
  /// it needs no golden file.
  private func outcome(of failure: ScenarioFailure, marked mark: ExpectedFailure) -> ScenarioOutcome {
    guard failure.isGoldenFileOnly else { return .expectedFailure(reason: mark.reason) }
    switch failure.golden {
    case .same, .new: return .unexpectedPass(mark)
    case .unreadable where !failure.golden.canBeBlessed: return .failed(failure)
    case .notCanonical, .different, .unreadable: return .expectedFailure(reason: mark.reason)
    }
  }
}

extension ScenarioJudge {
  /// Returns the day of a date in UTC, such as `2031-05-01`.
  package static func day(of date: Date) -> String {
    Date.ISO8601FormatStyle().year().month().day().format(date)
  }
}

// Expectations of the author
extension ScenarioJudge {
  private static func differences(
    of scenario: Scenario, _ executed: ExecutedScenario, model: Schema
  ) -> Differences {
    let snapshot = executed.snapshot
    var differences = Differences()
    for (index, (step, outcome)) in zip(scenario.steps, snapshot.steps).enumerated() {
      for (step, outcome) in scenario.judged(step, outcome) {
        if let failure = scenario.unexpectedFailure(of: step, outcome, at: index),
          // A request without a response has already been reported.
          !executed.findings.contains(where: { $0.code.rawValue == failure.code })
        {
          differences.append(
            Difference(
              .extra, at: .expectation(step.span), step: index + 1, property: "failure", expected: "success",
              actual: failure.code == FailureSnapshot.ofApp ? "a failure" : "failure \(failure.code)",
              note: failure.message, also: failure.others.map(ValueText.of)
            ))
        }
        guard let expectation = step.expectation?.known(to: executed.tables) else { continue }
        differences.append(
          contentsOf: ExpectationCheck.differences(
            expectation, step: outcome, number: index + 1,
            graph: executed.graph(afterStep: index + 1), before: executed.graph(beforeStep: index),
            former: executed.graphs.prefix(index + 1), model: model, scenario: scenario))
      }
    }
    // If not all steps were run, the expectations at the end do not apply.
    guard snapshot.steps.count == scenario.steps.count else { return differences.sortedByLine() }
    // At the end, records and changes are those of the last step, and diagnostics and requests are those of all steps:
    // `none` means that there were none at all.
    var whole = snapshot.steps.last
    whole?.diagnostics = snapshot.steps.enumerated().flatMap { index, step in
      step.diagnostics.map { $0.ofStep(index + 1) }
    }
    whole?.requests = snapshot.steps.flatMap(\.requests)
    differences.append(
      contentsOf: ExpectationCheck.differences(
        scenario.expectation.known(to: executed.tables), step: whole, graph: snapshot.graph,
        before: executed.graph(beforeStep: snapshot.steps.count - 1), former: executed.graphs.dropLast(),
        model: model, scenario: scenario))
    // The references of an app's rows have been checked by the run.
    if executed.tables == nil { differences.append(contentsOf: snapshot.graph.contradictions(model: model)) }
    return differences.sortedByLine()
  }
}

// Causes
extension ScenarioJudge {
  /// Returns the diagnostics that neither the author nor the golden file expects. A step that fails reports its
  /// diagnostics with the failure.
  private static func unexpectedDiagnostics(
    of scenario: Scenario, _ snapshot: ScenarioSnapshot, _ golden: GoldenComparison
  ) -> [UnexpectedDiagnostics] {
    guard scenario.expectation.diagnostics == nil else { return [] }
    let found = zip(scenario.steps, snapshot.steps).map { step, outcome -> [DiagnosticSnapshot] in
      guard step.expectation?.diagnostics == nil else { return [] }
      guard case .batch(let batch) = step.action else {
        return outcome.failure == nil ? outcome.diagnostics : []
      }
      return zip(batch.entries, outcome.batch).filter { entry, outcome in
        entry.expectation?.diagnostics == nil && outcome.failure == nil
      }.flatMap(\.1.diagnostics)
    }
    return zip(scenario.steps, golden.unexpected(found)).enumerated().compactMap { index, step in
      UnexpectedDiagnostics(step: index + 1, at: step.0.span, step.1)
    }
  }

  /// Returns the remarks on responses, if values or records differ. A redirect that the golden file contains is not a
  /// cause.
  private static func remarks(
    on scenario: Scenario, _ snapshot: ScenarioSnapshot, _ expectations: Differences,
    _ golden: GoldenComparison
  ) -> [StepRemark] {
    let recorded = if case .different(let differences) = golden { differences.first } else { [Difference]() }
    guard !expectations.isEmpty || recorded.contains(where: { $0.property != "requests" }) else { return [] }
    // A difference without a property is a step that the golden file does not have.
    let stepsWithOtherRequests = Set(
      recorded.filter { $0.record == nil && ($0.property == "requests" || $0.property == nil) }
        .compactMap(\.step))
    return zip(scenario.steps, snapshot.steps).enumerated().flatMap { index, pair in
      let (step, outcome) = pair
      let isUnanswered = outcome.failure?.code == AuthorDiagnostic.Code.unansweredRequest.rawValue
      let isRedirectNew = !golden.isComparable || stepsWithOtherRequests.contains(index + 1)
      // A request without a response is reported with its redirect.
      let redirects = isRedirectNew && !isUnanswered ? outcome.redirects : []
      return (redirects + outcome.remarksOnKeyPaths).map {
        StepRemark(step: index + 1, span: step.span, text: $0)
      }
    }
  }

  /// Returns the first step, from 1, that has no records because of a cause that is reported: a request without a
  /// response, an unexpected failure, or a response without items that neither the author nor the golden file expects.
  private static func emptyStep(
    of scenario: Scenario, _ executed: ExecutedScenario, _ expectations: Differences,
    _ diagnostics: [UnexpectedDiagnostics]
  ) -> Int? {
    let causes = expectations.first.filter { $0.record == nil && [.extra, .changed].contains($0.kind) }
    let failed = Set(causes.filter { $0.property == "failure" }.compactMap(\.step))
    // The steps whose diagnostics are reported; nil stands for all steps.
    let reported = Set(
      causes.filter { $0.property == "diagnostics" }.map(\.step)
        + diagnostics.filter { $0.diagnostics.contains(where: \.isEmptyResult) }.map(\.step))
    let unanswered = Set(
      executed.findings.filter { $0.code == .unansweredRequest }.compactMap { $0.span?.start.offset })
    for (index, (step, outcome)) in zip(scenario.steps, executed.snapshot.steps).enumerated() {
      var offsets = [step.span.start.offset]
      if case .batch(let batch) = step.action { offsets += batch.entries.map(\.span.start.offset) }
      if failed.contains(index + 1) || offsets.contains(where: unanswered.contains) { return index + 1 }
      if outcome.hasEmptyResult, reported.contains(index + 1) || reported.contains(nil) { return index + 1 }
    }
    return nil
  }
}

extension ScenarioOutcome {
  /// A Boolean value that indicates whether at most the golden file differs, so that the result may be blessed.
  fileprivate var meetsExpectations: Bool {
    switch self {
    case .new: true
    case .failed(let failure): failure.isGoldenFileOnly
    default: false
    }
  }
}

extension ScenarioFailure {
  /// A Boolean value that indicates whether a difference is about records, so that their values can be explained.
  fileprivate var isAboutRecords: Bool {
    let golden = if case .different(let differences) = golden { differences.first } else { [Difference]() }
    return (expectations.first + golden).contains(where: \.isAboutRecords)
  }
}

extension DiagnosticSnapshot {
  fileprivate func ofStep(_ number: Int) -> DiagnosticSnapshot {
    var diagnostic = self
    diagnostic.step = number
    return diagnostic
  }
}

extension ExecutedScenario {
  /// Returns the graph before the step with an index, from 0, including records that were deleted and not saved.
  fileprivate func graph(beforeStep index: Int) -> GraphSnapshot {
    var graph = graph(afterStep: index)
    if unsavedDeletions.indices.contains(index) {
      graph.records.merge(unsavedDeletions[index].records) { current, _ in current }
    }
    return graph
  }
}

extension AuthorDiagnostic.Code {
  /// An expected failure whose date has been reached.
  static let overdueMark = Self(rawValue: "overdue-mark")
}

extension ScenarioVerdict {
  /// Creates the verdict on a scenario that did not run to its end.
  package init(on entry: RunPlan.Entry, _ breakage: Breakage, duration: Duration, files: [StampedFile]) {
    self.init(
      name: entry.file.name, path: entry.file.path, heading: entry.heading, outcome: .broken(breakage))
    shownName = entry.shownName
    (index, self.duration, self.files) = (entry.index, duration, files)
  }
}

extension LoadedScenario {
  /// Returns the scenario after verifying all names in it: of rules, codes and Swift code.
  ///
  /// - Parameter registrations: the registrations of a test target; nil on the command line.
  package func checkedForNames(_ registrations: ScenarioRegistrations? = nil) -> LoadedScenario {
    checkedForRules().checkedForCodes().checkedForSwiftCode(registrations)
  }
}
