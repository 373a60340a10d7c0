internal import JSONTree

/// The `recordspec review` command. It groups the changes of golden files into questions and writes the files of which
/// all changes are accepted. It never overrides what an author expects.
package struct ReviewCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  /// The identifiers of the questions to accept.
  private let accepted: [String]
  private let isJSON: Bool
  private let context: CommandContext
  private var golden: GoldenFolder { suite.goldenFolder }

  /// Creates the command. It asks its questions unless `accepted` names some or the output is JSON.
  package init(
    suite: SuiteOptions, options: SelectionOptions, accepted: [String] = [], isJSON: Bool = false,
    context: CommandContext
  ) {
    self.suite = suite
    self.options = options
    self.accepted = accepted
    self.isJSON = isJSON
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
    let judge = ScenarioJudge(execute: context.execute, golden: golden, today: context.today)
    var files: [PendingFile] = []
    var failing: [ScenarioResult] = []
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(selection.plan.entries) { verdict in
      if let file = PendingFile(verdict.result, verdict.snapshot) {
        files.append(file)
      } else if verdict.result.outcome.hasGoneWrong {
        failing.append(verdict.result)
      }
    }
    let review = Review(
      ReviewQuestion.questions(about: files), golden: golden, renderer: ReviewRenderer(isColored: isColored),
      command: suite.command("review"), context: context)
    let names = failing.map(\.name)
    if isJSON {
      context.output(ReviewRenderer.json(review.questions, failing: names).canonicalText())
    } else if !accepted.isEmpty {
      guard review.accept(accepted) else { return .usage }
    } else if context.environment.isInteractive {
      await review.ask()
    } else {
      review.list()
    }
    if !isJSON, !names.isEmpty { context.report(Self.remark(onFailing: names, suite)) }
    if review.hasBroken { return .broken }
    return review.hasPending || !failing.isEmpty ? .failed : .success
  }

  private var isColored: Bool { context.environment.isColored(suite.color) }

  /// Returns the message about scenarios that fail for another reason than their golden file.
  private static func remark(onFailing names: [String], _ suite: SuiteOptions) -> String {
    let shown = 5
    let list = names.prefix(shown).map(ShellText.quoted).joined(separator: " ")
    let rest = names.count > shown ? " and \(names.count - shown) more" : ""
    return names.count == 1
      ? "1 scenario fails for another reason: '\(suite.command("run")) \(list)' shows why\n"
      : "\(names.count) scenarios fail for other reasons: \(list)\(rest); '\(suite.command("run"))' shows why\n"
  }
}

/// A review of pending golden files: the questions, and the answers so far.
private final class Review {
  let questions: [ReviewQuestion]
  /// A Boolean value that indicates whether a golden file could not be written.
  private(set) var hasBroken = false
  /// A Boolean value that indicates whether golden files have changes that were not accepted.
  var hasPending: Bool { written.count < files.count }

  private let golden: GoldenFolder
  private let renderer: ReviewRenderer
  private let command: String
  private let context: CommandContext
  /// The numbers of the questions about each file that are not accepted.
  private var open: [String: Set<Int>] = [:]
  private let files: Set<String>
  private var written: Set<String> = []
  private var rejected: Set<String> = []

  init(
    _ questions: [ReviewQuestion], golden: GoldenFolder, renderer: ReviewRenderer, command: String,
    context: CommandContext
  ) {
    self.questions = questions
    self.golden = golden
    self.renderer = renderer
    self.command = command
    self.context = context
    for (number, question) in questions.enumerated() {
      for file in question.files { open[file.name, default: []].insert(number) }
    }
    files = Set(open.keys)
  }

  private func accept(_ number: Int, in file: PendingFile) {
    open[file.name]?.remove(number)
    guard open[file.name]?.isEmpty == true else { return }
    do throws(FileProblem) {
      try golden.write(file.snapshot, of: file.name)
      written.insert(file.name)
    } catch {
      hasBroken = true
      context.report("error: \(error.message)\n")
    }
  }

  private var summary: String {
    let others = files.count - written.count - rejected.count
    var parts = ["\(written.count) blessed"]
    if !rejected.isEmpty { parts.append("\(rejected.count) rejected") }
    parts.append("\(others) pending")
    return parts.joined(separator: ", ") + "\n"
  }

  private static let nothing = "no golden file has changed\n"
}

// Without questions
extension Review {
  /// Lists the questions with the commands that answer them.
  func list() {
    guard !questions.isEmpty else { return context.output(Self.nothing) }
    for question in questions {
      context.output(renderer.text(of: question) + "  accept it with: \(command) --accept \(question.id)\n\n")
    }
    context.output(summary)
  }

  /// Accepts the questions with these identifiers. Returns false if one of them does not exist; then nothing is written.
  func accept(_ identifiers: [String]) -> Bool {
    let known = Set(questions.map(\.id))
    let unknown = identifiers.filter { !known.contains($0) }
    for id in unknown {
      context.report(
        "error: no pending change has the identifier '\(id)'; the results may have changed, '\(command)' lists them\n"
      )
    }
    guard unknown.isEmpty else { return false }
    for (number, question) in questions.enumerated() where identifiers.contains(question.id) {
      for file in question.files { accept(number, in: file) }
      for file in question.files where !written.contains(file.name) {
        let others = (open[file.name] ?? []).sorted().map { questions[$0].id }
        guard !others.isEmpty else { continue }
        context.output(
          "\(file.name) is not blessed: it has other changes (\(others.joined(separator: ", ")))\n")
      }
    }
    context.output(summary)
    return true
  }
}

// With questions
extension Review {
  private enum Answer: Character, CaseIterable {
    case accept = "a"
    case reject = "r"
    case skip = "s"
    case each = "e"
    case details = "d"
    case quit = "q"

    var word: String {
      switch self {
      case .accept: "accept"
      case .reject: "reject"
      case .skip: "skip"
      case .each: "each file"
      case .details: "details"
      case .quit: "quit"
      }
    }
  }

  /// Asks all questions until the user quits or the input ends.
  func ask(isolation: isolated (any Actor)? = #isolation) async {
    guard !questions.isEmpty else { return context.output(Self.nothing) }
    for (number, question) in questions.enumerated() {
      // A file with a rejected change is not written, whatever the other answers are.
      let files = question.files.filter { !rejected.contains($0.name) }
      guard !files.isEmpty else { continue }
      context.output("\(number + 1) of \(questions.count)\n" + renderer.text(of: question))
      guard await ask(question, number, files) else { break }
    }
    context.output(summary)
  }

  /// Asks one question. Returns false if the user quits.
  private func ask(
    _ question: ReviewQuestion, _ number: Int, _ files: [PendingFile],
    isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let answers = Answer.allCases.filter { $0 != .each || files.count > 1 }
    while true {
      context.output(answers.map { "[\($0.rawValue)] \($0.word)" }.joined(separator: "  ") + ": ")
      guard let line = await context.input() else {
        context.output("\n")
        return false
      }
      let word = line.trimmingPrefix { $0.isWhitespace }.lowercased()
      switch answers.first(where: { word.first == $0.rawValue }) {
      case .accept?:
        for file in files { accept(number, in: file) }
        context.output("\n")
        return true
      case .reject?:
        rejected.formUnion(files.map(\.name))
        context.output("\n")
        return true
      case .skip?:
        context.output("\n")
        return true
      case .quit?: return false
      case .details?:
        for file in files { context.output("\n" + renderer.text(of: question, in: file, isVerbose: true)) }
        context.output("\n")
      case .each?:
        for file in files {
          context.output("\n" + renderer.text(of: question, in: file))
          guard await ask(question, number, [file]) else { return false }
        }
        return true
      case nil: continue
      }
    }
  }
}
