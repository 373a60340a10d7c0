import Foundation
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// A review of pending golden files: the questions, and the answers so far.
final class Review {
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
    _ files: [PendingFile], golden: GoldenFolder, context: CommandContext,
    command: @escaping (String) -> String
  ) {
    self.files = files
    self.golden = golden
    renderer = ReviewRenderer(isColored: context.isColored)
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
    context.onSignal { [self] in
      context.output("\n" + summary)
      return nil
    }
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
