import ArgumentParser
import Foundation

@main
struct BenchmarkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scripts/bench",
    abstract:
      "Measures the engine beside the same work by hand and beside what apps would write without it, and recordspec beside pytest.",
    discussion: """
      All figures are of one run on one machine, and every import is checked: what was stored must be the feed, value \
      by value. Without '--only' everything is measured.
      """)

  @Option(help: "How many posts the feed has: at least 1000, by twenties.")
  var posts = 20_000

  @Option(help: "How many rounds are measured, behind one that is not.")
  var rounds = 5

  @Option(
    parsing: .upToNextOption,
    help: "What to measure: groups, contenders, or single lines, as 'fresh', 'floor', 'fresh.floor'.")
  var only: [String] = []

  @Flag(help: "Prints what was measured as JSON, all rounds.")
  var json = false

  @Flag(help: "Names what can be measured, and measures nothing.")
  var list = false

  @Option(
    name: .customLong("instructions"),
    help: ArgumentHelp(
      "Counts the instructions of some work with valgrind, and compares them with those in a file.",
      valueName: "file"))
  var instructionFile: String?

  @Flag(help: "Writes the counted instructions to the file.")
  var accept = false

  // The options with which the program starts itself to measure peak memory and to count instructions.
  @Option(help: .hidden) var importAs: String?
  @Option(help: .hidden) var feed: String?
  @Option(help: .hidden) var database: String?
  @Option(help: .hidden) var countWork: CountedWork?
  @Option(parsing: .remaining, help: .hidden) var peakOf: [String] = []

  func validate() throws {
    if posts < 1000 || posts % 20 != 0 { throw ValidationError("'--posts' is to be 1000, 1020, 1040…") }
    if accept, instructionFile == nil { throw ValidationError("'--accept' requires '--instructions'.") }
    if rounds < 1 { throw ValidationError("'--rounds' is to be at least 1.") }
  }

  func run() async throws {
    let plan = Plan()
    if let importAs, let feed, let database {
      return print(try await plan.peakOfImport(by: importAs, feed: feed, database: database))
    }
    if !peakOf.isEmpty { return print(try RecordSpecProgram.peak(of: peakOf)) }
    if let countWork { return try await countWork.perform(rounds, posts: posts) }
    if let instructionFile { return try compareInstructions(with: instructionFile) }
    if list { return print(plan.lines.map(\.name).joined(separator: "\n")) }
    let chosen = try plan.choose(only)
    let table = try await plan.run(chosen, posts: posts, rounds: rounds)
    print(json ? try RawFigures(table).text : table.text, terminator: "")
  }

  private func compareInstructions(with path: String) throws {
    let counted = try InstructionCounts.counted()
    if accept {
      try counted.text.write(toFile: path, atomically: true, encoding: .utf8)
      return print(counted.text, terminator: "")
    }
    let recorded = try InstructionCounts(text: String(contentsOfFile: path, encoding: .utf8))
    let (table, isWithin) = counted.compared(with: recorded)
    print(table, terminator: "")
    if !isWithin {
      throw BenchmarkFailure(
        "more instructions than recorded; to accept them: scripts/bench --instructions --accept")
    }
  }
}
