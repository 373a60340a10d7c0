import Foundation
import JSONTree
import ScenarioComparison
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec review` command. It groups the changes of golden files into questions and writes the files of which
/// all changes are accepted. It never overrides what an author expects.
package struct ReviewCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  /// The identifiers of the questions to accept.
  private let accepted: [String]
  private let isJSON: Bool
  /// A Boolean value that indicates whether new golden files are reviewed for responses without records that scenarios
  /// do not expect.
  private let allowsDiagnostics: Bool
  private let context: CommandContext
  private let golden: GoldenFolder

  /// Creates the command. It asks its questions unless `accepted` names some or the output is JSON.
  package init(
    suite: SuiteOptions, options: SelectionOptions, accepted: [String] = [], isJSON: Bool = false,
    allowsDiagnostics: Bool = false, context: CommandContext
  ) {
    self.suite = suite
    golden = suite.goldenFolder
    self.options = options
    self.accepted = accepted
    self.isJSON = isJSON
    self.allowsDiagnostics = allowsDiagnostics
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    if !accepted.isEmpty, context.environment.isCI {
      context.report(
        "error: changes cannot be accepted in CI ('CI' or 'TF_BUILD' is set); review them on your machine\n")
      return .usage
    }
    if let problem = golden.problem(besides: suite.scenarios) { return context.refuse(problem, suite) }
    let selection: SuiteSelection
    switch SuiteSelection.find(suite: suite, options: options, context: context) {
    case .success(let found): selection = found
    case .failure(let refusal): return refusal.status
    }
    ScratchFolder.removeLeftovers()
    var outcome = await results(of: selection.plan.entries)
    if selection.isWhole { outcome.report(selection.plan.problems, context, suite) }
    let review = Review(
      outcome.files, golden: golden,
      renderer: ReviewRenderer(isColored: context.environment.isColored(suite.color)),
      command: command,
      context: context)
    if isJSON {
      let form = ReviewRenderer.json(
        review.questions, failing: outcome.failing, notReviewed: outcome.objections + outcome.unreadable)
      context.output(form.canonicalText())
    } else if !accepted.isEmpty {
      golden.removeLeftovers()
      guard review.accept(accepted) else { return .usage }
    } else if asks {
      golden.removeLeftovers()
      context.onSignal { [context] in
        context.output("\n" + review.summary)
        return nil
      }
      await review.ask()
    } else {
      review.list()
    }
    if !isJSON { outcome.reportFailing(suite, context) }
    for name in review.written.intersection(outcome.kept).sorted() {
      context.report(ScenarioJudge.noteOnKeptResult(of: name))
    }
    if review.hasFailed || outcome.status == .broken { return .broken }
    if outcome.status != .success { return outcome.status }
    return review.hasPending ? .failed : .success
  }

  /// The maximum number of differences of a file that are explained.
  private static let explanations = 10

  /// A Boolean value that indicates whether a person answers the questions.
  private var asks: Bool { !isJSON && accepted.isEmpty && context.environment.isInteractive }

  /// Returns the command with further arguments, which begin with a space, as the user would type it.
  private func command(_ arguments: String = "") -> String {
    suite.command("review") + (allowsDiagnostics ? " --allow-diagnostics" : "") + arguments + options.text
  }

  /// The results of the selected scenarios.
  private struct Results {
    var files: [PendingFile] = []
    /// The names of the scenarios that fail for another reason than their golden file.
    var failing: [String] = []
    /// The scenarios that are not reviewed, with the reason and how to review them.
    var objections: [ReviewObjection] = []
    /// The scenarios whose golden files cannot be read, which is reported at once.
    var unreadable: [ReviewObjection] = []
    /// The names of the scenarios whose results are those of their last test run.
    var kept: Set<String> = []
    var status = ExitStatus.success

    mutating func raise(_ status: ExitStatus) {
      if status.rawValue > self.status.rawValue { self.status = status }
    }

    /// Reports the problems that belong to no scenario.
    mutating func report(_ problems: [AuthorDiagnostic], _ context: CommandContext, _ suite: SuiteOptions) {
      guard !problems.isEmpty else { return }
      raise(.invalid)
      context.errors(
        DiagnosticRenderer(isColored: context.environment.isColored(suite.color)).text(of: problems))
    }

    func reportFailing(_ suite: SuiteOptions, _ context: CommandContext) {
      for objection in objections {
        let help = objection.help.map { "; \($0)" } ?? ""
        context.report("\(objection.scenario) is not reviewed: \(objection.reason)\(help)\n")
      }
      guard !failing.isEmpty else { return }
      let shown = 5
      let list = failing.prefix(shown).map { " " + ShellText.quoted($0) }.joined()
      let count =
        failing.count == 1
        ? "1 scenario is not reviewed, because it fails apart from its golden file"
        : "\(failing.count) scenarios are not reviewed, because they fail apart from their golden files"
      let rest = failing.count > shown ? "; the first \(shown) are shown by" : "; see"
      context.report("\(count)\(rest): \(suite.command("run"))\(list)\n")
    }
  }

  private func results(
    of entries: [RunPlan.Entry], isolation: isolated (any Actor)? = #isolation
  ) async -> Results {
    let judge = ScenarioJudge(
      execute: context.execute, explanationLimit: asks ? Self.explanations : 0, golden: golden,
      today: context.today)
    var results = Results()
    let kept = KeptResults(besides: suite.scenarios)
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(entries) { verdict in
      let name = verdict.name
      var verdict = verdict
      if verdict.needsSwiftCode {
        switch judge.verdictOnKeptResult(of: verdict, in: kept, below: suite.scenarios) {
        case .success(let found):
          verdict = found
          results.kept.insert(name)
        case .failure(let refusal):
          results.raise(.failed)
          results.objections.append(ReviewObjection(scenario: name, reason: refusal.reason))
          return
        }
      }
      do throws(FileProblem) {
        guard let file = try PendingFile(verdict) else {
          guard verdict.outcome.hasGoneWrong else { return }
          results.failing.append(name)
          results.raise(verdict.outcome.reviewStatus)
          return
        }
        if let objection = file.objection, !allowsDiagnostics {
          results.raise(.failed)
          results.objections.append(
            ReviewObjection(
              scenario: name, reason: objection, help: "if this is correct, use '--allow-diagnostics'"))
        } else {
          results.files.append(file)
        }
      } catch {
        context.report("error: \(error.message)\n")
        results.unreadable.append(ReviewObjection(scenario: name, reason: error.message))
        results.raise(.broken)
      }
    }
    return results
  }
}

extension ScenarioOutcome {
  /// The exit status for a scenario that fails for another reason than its golden file.
  fileprivate var reviewStatus: ExitStatus {
    switch self {
    case .invalid: .invalid
    case .broken: .broken
    default: .failed
    }
  }
}

/// A review of pending golden files: the questions, and the answers so far.
private final class Review {
  private(set) var questions: [ReviewQuestion]
  /// A Boolean value that indicates whether a golden file could not be written.
  private(set) var hasFailed = false
  /// A Boolean value that indicates whether golden files have changes that were not accepted.
  var hasPending: Bool { written.count < files.count }

  private let golden: GoldenFolder
  private let renderer: ReviewRenderer
  /// A function that returns the command with further arguments, which begin with a space.
  private let command: (String) -> String
  private let context: CommandContext
  private let files: [PendingFile]
  /// The indices of the questions about each file that are not accepted.
  private var open: [String: Set<Int>] = [:]
  /// The names of the scenarios whose golden files were written.
  private(set) var written: Set<String> = []
  private var rejected: Set<String> = []

  init(
    _ files: [PendingFile], golden: GoldenFolder, renderer: ReviewRenderer,
    command: @escaping (String) -> String,
    context: CommandContext
  ) {
    self.files = files
    self.golden = golden
    self.renderer = renderer
    self.command = command
    self.context = context
    questions = []
    ask(about: files)
  }

  private func ask(about files: [PendingFile]) {
    questions = ReviewQuestion.questions(about: files)
    open = [:]
    for (index, question) in questions.enumerated() {
      for file in question.files { open[file.name, default: []].insert(index) }
    }
  }

  /// Accepts a question about a file, and writes the file if no other question is open.
  private func accept(_ index: Int, in file: PendingFile) {
    open[file.name]?.remove(index)
    guard open[file.name]?.isEmpty == true else { return }
    do throws(FileProblem) {
      guard try FileBytes.read(file.path) == file.recorded else {
        throw FileProblem(path: file.path, reason: "has changed during the review, and is not replaced")
      }
      try golden.write(file.snapshot, of: file.name)
      written.insert(file.name)
    } catch {
      hasFailed = true
      context.report("error: \(error.message)\n")
    }
  }

  var summary: String {
    let others = files.count - written.count - rejected.count
    var parts = ["\(written.count) blessed"]
    if !rejected.isEmpty { parts.append("\(rejected.count) rejected") }
    parts.append("\(others) pending")
    return parts.joined(separator: ", ") + "\n"
  }

  private static let nothing = "nothing to review\n"
}

// Without a terminal
extension Review {
  /// Lists the questions with the commands that answer them.
  func list() {
    if files.isEmpty { return context.output(Self.nothing) }
    listQuestions()
    context.output(summary)
  }

  private func listQuestions() {
    let identifiers = questions.map(\.id)
    for (index, question) in questions.enumerated() {
      // The identifiers that are necessary to write at least one file.
      let fewest = question.files.map { (open[$0.name] ?? []).sorted() }.min { $0.count < $1.count } ?? []
      let needed = fewest.contains(index) ? fewest : [index]
      let options = needed.map { " --accept \(identifiers[$0])" }.joined()
      context.output(renderer.text(of: question) + "  accept it with: \(command(options))\n\n")
    }
  }

  /// Accepts the questions with these identifiers. Returns false if one of them does not exist; then nothing is written.
  func accept(_ identifiers: [String]) -> Bool {
    let known = questions.map(\.id)
    let unknown = identifiers.filter { !known.contains($0) }
    for id in unknown {
      context.report(
        "error: no pending change has the identifier '\(id)'; the results may have changed, '\(command(""))' lists them\n"
      )
    }
    guard unknown.isEmpty else { return false }
    for (index, question) in questions.enumerated() where identifiers.contains(known[index]) {
      for file in question.files { accept(index, in: file) }
    }
    let accepted = questions.indices.filter { identifiers.contains(known[$0]) }
    let incomplete = Set(accepted.flatMap { questions[$0].files.map(\.name) }).filter {
      open[$0]?.isEmpty == false
    }
    for name in incomplete.sorted() {
      context.output(DisplayText.oneLine("\(name) is not blessed, because it also has other changes") + "\n")
    }
    ask(about: files.filter { !written.contains($0.name) })
    if !questions.isEmpty {
      context.output("\n")
      listQuestions()
    }
    context.output(summary)
    return true
  }
}

// On a terminal
extension Review {
  private enum Answer: String, CaseIterable {
    case accept, reject, skip, files, explain, quit

    /// The answer that a person typed: its word or its first letter.
    init?(_ text: String) {
      let word = text.trimmingCharacters(in: .whitespaces).lowercased()
      guard
        let answer = Self.allCases.first(where: {
          $0.rawValue == word || String($0.rawValue.prefix(1)) == word
        })
      else { return nil }
      self = answer
    }

    var prompt: String {
      "[\(rawValue.prefix(1))]\(rawValue.dropFirst())" + (self == .files ? " one by one" : "")
    }
  }

  /// Asks all questions until the user quits or the input ends.
  func ask(isolation: isolated (any Actor)? = #isolation) async {
    if files.isEmpty { return context.output(Self.nothing) }
    for (index, question) in questions.enumerated() {
      // A file with a rejected change is not written, whatever the other answers are.
      guard let question = question.about({ !rejected.contains($0.name) }) else { continue }
      context.output("\(index + 1) of \(questions.count)\n" + renderer.text(of: question))
      guard await ask(question, index) else { break }
    }
    context.output(summary)
  }

  /// Asks one question. Returns false if the user quits.
  private func ask(
    _ question: ReviewQuestion, _ index: Int, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let answers = Answer.allCases.filter { $0 != .files || question.files.count > 1 }
    while true {
      context.output(answers.map(\.prompt).joined(separator: ", ") + "? ")
      guard let line = await context.input() else {
        context.output("\n")
        return false
      }
      guard let answer = Answer(line), answers.contains(answer) else {
        let typed = ValueText.clipped(DisplayText.oneLine(line))
        context.output("'\(typed)' is not one of the answers; type the first letter of one\n")
        continue
      }
      if answer != .explain { context.output("\n") }
      switch answer {
      case .accept:
        for file in question.files { accept(index, in: file) }
        return true
      case .reject:
        rejected.formUnion(question.files.map(\.name))
        return true
      case .skip: return true
      case .quit: return false
      case .explain:
        for file in question.files {
          context.output("\n" + renderer.text(of: question, in: file, isExplained: true))
        }
        context.output("\n")
      case .files:
        for file in question.files {
          guard let part = question.about({ $0.name == file.name }) else { continue }
          context.output(renderer.text(of: part))
          guard await ask(part, index) else { return false }
        }
        return true
      }
    }
  }
}
