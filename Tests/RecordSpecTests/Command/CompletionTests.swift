import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand

/// Tests for the completion of command lines in shells.
struct CompletionTests {
  private let suite: CommandSuite
  /// Made once, because it takes the parser longer than all the rest.
  private static let scripts = CompletionShell.allCases.map {
    ($0.rawValue, RootCommand.completions(for: $0))
  }

  init() throws {
    suite = try CommandSuite([
      "books/list": scenario(tags: "smoke, books"), "books/show": scenario(tags: "books"), "feed": scenario(),
      // Bash would run or split these words.
      "a$(touch run)": scenario(tags: "\"$(touch run)\""), "two words": scenario(),
    ])
    try suite.folder.write(scenario(), to: "Other/films.yaml")
    try suite.folder.write("title: [", to: "Scenarios/invalid.yaml")
    try suite.folder.write("{}", to: "bodies/books.json")
    try suite.folder.write("", to: "reports/1.jsonl")
    try suite.folder.write("", to: "reports/1.txt")
    for (shell, script) in Self.scripts { try suite.folder.write(script, to: "completions/\(shell)") }
  }

  private static func has(_ shell: String) -> Bool {
    let paths = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return paths.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
    }
  }

  private static let setup = "PATH=\"$(dirname \"$recordspec\"):$PATH\"; "

  /// Returns the words with which bash completes a line.
  private func bash(_ line: String) throws -> [String] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let previous = words.dropLast().last ?? "''"
    let outcome = try suite.bash(
      """
      \(Self.setup)source completions/bash
      COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
      COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
      read -r _ _ _ _ function _ <<< "$(complete -p recordspec)"
      "$function" recordspec \(words[words.count - 1]) \(previous)
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.errors == "", "\(line): \(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init).sorted()
  }

  private static let lines: [(line: String, words: [String])] = [
    ("recordspec re", ["reduce", "review"]),
    ("recordspec run --la", ["--last-failed"]),
    ("recordspec run ", ["books/", "books/list", "books/show", "feed", "invalid"]),
    ("recordspec run bo", ["books/", "books/list", "books/show"]),
    ("recordspec run feed bo", ["books/", "books/list", "books/show"]),
    ("recordspec run Sc", ["Scenarios/"]),
    ("recordspec run Scenarios/f", ["Scenarios/feed.yaml"]),
    ("recordspec run --scenarios Other fi", ["films"]),
    ("recordspec show books/s", ["books/show"]),
    ("recordspec bless --tag s", ["smoke"]),
    ("recordspec check --tag ", ["books", "smoke"]),
    ("recordspec run --rule merge.fir", ["merge.first-wins"]),
    ("recordspec rules --group rel", ["relationships"]),
    ("recordspec run --store s", ["sqlite"]),
    ("recordspec run --scenarios Oth", ["Other"]),
    ("recordspec graph feed --format m", ["mermaid"]),
    ("recordspec schema m", ["model"]),
    ("recordspec new bo", ["books/"]),
    ("recordspec new a --response bodies/bo", ["bodies/books.json"]),
    ("recordspec init --ci git", ["github", "gitlab"]),
    ("recordspec help re", ["reduce", "review"]),
    ("recordspec run --report j", ["json=", "junit="]),
    ("recordspec run --timings reports/", ["reports/1.jsonl"]),
    ("recordspec merge reports/", ["reports/1.jsonl"]),
  ]

  @Test(arguments: sampled(lines))
  func bashCompletesALine(line: String, words: [String]) throws {
    #expect(try bash(line) == words)
  }

  /// A name is not a command.
  @Test func completionRunsNothing() throws {
    for line in ["recordspec run ", "recordspec run a", "recordspec run --tag "] { _ = try bash(line) }
    #expect(!suite.folder.exists("run"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func everyCommandIsInTheScript(shell: String) throws {
    let script = try suite.folder.read("completions/\(shell)")
    for command in RootCommand.configuration.subcommands {
      let name = try #require(command.configuration.commandName)
      #expect(script.contains(name), "\(name)")
    }
  }

  /// The scripts that the command prints are those of the tests. The parser may change their form.
  @Test(arguments: CompletionShell.allCases)
  func theCommandPrintsTheScript(shell: CompletionShell) async throws {
    let outcome = await suite.recordspec(RootCommand.completionOption, shell.rawValue)
    #expect(outcome.status == 0)
    #expect(
      outcome.output.trimmingCharacters(in: .newlines)
        == RootCommand.completions(for: shell).trimmingCharacters(in: .newlines))
    let names = RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    let list = names.joined(separator: " ")
    #expect(
      outcome.output.contains("'*:command:(\(list))'") || outcome.output.contains("compgen -W '\(list)' --")
        || outcome.output.contains("__fish_seen_subcommand_from help' -fa '\(list)'"))
  }

  @Test(.enabled(if: has("zsh"), "zsh is not installed"))
  func zshAcceptsTheScript() throws {
    let outcome = try suite.bash("zsh -n completions/zsh")
    #expect(outcome == .init(status: 0, output: "", errors: ""))
  }

  /// Without a terminal, fish does not run the command for names.
  @Test(
    .enabled(if: has("fish"), "fish is not installed"),
    arguments: lines.filter {
      [" re", "merge.fir", "--ci git", "--report j"].contains(where: $0.line.hasSuffix)
    })
  func fishCompletesALine(line: String, words: [String]) throws {
    let outcome = try suite.bash(
      "\(Self.setup)fish --no-config -c 'source completions/fish; complete -C \"\(line)\"'")
    let completed = outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(outcome.errors == "" && completed.sorted() == words, "\(outcome.output)\(outcome.errors)")
  }

  /// Without a suite, with a file in its place, or with other words, there is nothing to complete, and no error.
  @Test(arguments: [
    (["--scenarios", "none"], [String]()), (["--scenarios=Scenarios/feed.yaml"], []),
    (["--scenarios", "=", "'Other'"], ["films"]),
  ])
  func candidatesNeverFail(options: [String], names: [String]) throws {
    let words = options.map { word in
      word == "'Other'"
        ? suite.folder.path + "/Other" : word.replacing("=Scenarios", with: "=\(suite.folder.path)/Scenarios")
    }
    let candidates = CompletionCandidates(commandLine: ["recordspec", "run"] + words)
    #expect(candidates.scenarios(for: "f").filter { !$0.hasSuffix("/") } == names)
    #expect(candidates.tags == [] && candidates.folders == [])
  }
}
