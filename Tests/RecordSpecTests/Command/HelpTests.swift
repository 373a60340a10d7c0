import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the help of the command line.
struct HelpTests {
  private static let selection = [
    "<paths>", "--tag <tag>", "--rule <rule>", "--title <title>", "--last-failed",
    "--changed [<revision>]", "--allow-empty",
  ]
  private static let suite = ["--scenarios <folder>", "--allow-outside <folder>", "--color <color>"]
  private static let result = ["<scenario>", "--store <store>", "--step <step>", "--from <folder>"]
  private static let golden = ["--golden <folder>", "-v, --verbose"]

  /// The subcommands and the words that the help of each must contain.
  static let subcommands: [(name: String, words: [String])] = [
    ("init", ["<folder>", "--ci <ci>", "--example/--no-example", "recordspec init --ci github"]),
    (
      "new",
      suite + [
        "<folder/name>", "--model <file>", "--response <file>", "--entity <entity>", "--title <title>",
        "--force",
        "recordspec run books/list",
      ]
    ),
    (
      "import",
      suite + [
        "<recordings>", "--model <file>", "-o, --output <folder/name>", "--url <url>", "--keep-values",
        "--force", "--update <path>",
        "recordspec import session.har", "recordspec import again.har --update books/session",
      ]
    ),
    (
      "run",
      suite + golden + selection + [
        "-j, --jobs <jobs>", "--keep <folder>", "--watch", "Run scenarios", "recordspec run books --watch",
        "--list", "--dry-run", "--fail-fast", "--max-failures <max-failures>", "--repeat <count>",
        "--shuffle <seed>", "--timeout <seconds>", "--shard <i/n>", "--timings <file>",
        "--report <format=file>", "--durations <count>", "--details", "recordspec run --shard 2/3",
        "recordspec run --report html=report.html",
      ]
    ),
    ("check", suite + selection + ["--strict", "--json", "run in memory"]),
    ("bless", suite + golden + selection + ["-j, --jobs <jobs>", "--prune", "cannot be blessed in CI"]),
    (
      "review",
      suite + golden + selection + ["-j, --jobs <jobs>", "--accept <id>", "--json", "recordspec review"]
    ),
    ("show", suite + result + ["<label>", "--json", "recordspec show books/list Book/a-1 --step 2"]),
    (
      "explain",
      suite + [
        "<scenario>", "<label[.property]>", "--store <store>", "--json",
        "recordspec explain feed Post/1.title",
      ]
    ),
    ("graph", suite + result + ["--format <format>", "-o, --output <file>", "more than 60 records"]),
    (
      "reduce",
      suite + [
        "<scenario>", "--golden <folder>", "--store <store>", "-o, --output <folder/name>", "--force",
        "--runs <runs>",
      ]
        + ["recordspec reduce feed/home"]
    ),
    (
      "schema",
      [
        "<file>", "-o, --output <file>", "--force", "recordspec schema model --output",
        "# yaml-language-server: $schema=scenario.schema.json",
      ]
    ),
    (
      "serve",
      suite + [
        "<scenario>", "--port <port>", "--start-over", "--keep-links", "curl http://127.0.0.1:8080/books",
      ]
    ),
    (
      "generate",
      [
        "<source>", "-o, --output <file>", "--access <access>", "--lossy", "--force", "--check",
        "--allow-outside <folder>", "--color <color>",
        "recordspec generate App.xcdatamodeld --output Sources/App/AppRecords.swift",
      ]
    ),
    (
      "rules",
      suite + [
        "<names>", "--group <group>", "--uncovered", "--html <file>", "--results <file>",
        "recordspec rules --html rules.html",
      ]
    ),
    (
      "model",
      [
        "<source>", "--lossy", "--allow-outside <folder>", "--color <color>",
        "recordspec model App.xcdatamodeld >",
      ]
    ),
    (
      "merge",
      [
        "<report>", "--report <format=file>", "--durations <count>", "-v, --verbose", "--color <color>",
        "recordspec merge report-*.jsonl",
      ]
    ),
    ("merge-golden", ["<base>", "<ours>", "<theirs>", "[<path>]", "a merge", "%O %A %B %P"]),
  ]

  /// Each command suggests `--force` exactly if it has that option, for which other tools have `-f`.
  @Test(arguments: sampled(subcommands))
  func forceIsSuggestedByCommandsThatHaveIt(name: String, words: [String]) async throws {
    let suite = try CommandSuite()
    for typed in ["-f", "--force"] {
      let names = ["merge-golden": ["a", "b", "c"], "schema": ["model"]][name] ?? ["x"]
      let arguments = [name, typed] + names
      if words.contains("--force"), typed == "--force" { continue }
      let outcome = await suite.recordspec(arguments)
      #expect(outcome.status == 64, "\(outcome)")
      let error = outcome.errors.split(separator: "\n").first.map(String.init) ?? ""
      #expect(error.lowercased().hasPrefix("error: unknown option '\(typed)'"), "\(error)")
      #expect(error.hasSuffix("; did you mean '--force'?") == words.contains("--force"), "\(error)")
      let writesGolden = typed == "-f" ? ["bless"] : ["bless", "review", "run"]
      #expect(error.contains("golden files") == writesGolden.contains(name), "\(error)")
      #expect(error.contains("existing files are kept") == (name == "init"), "\(error)")
    }
    #expect(suite.folder.tree.isEmpty)
  }

  @Test(arguments: sampled(subcommands))
  func everySubcommandNamesItsOptions(name: String, words: [String]) async throws {
    let (status, help) = await output(of: ["help", name])
    #expect(status == 0)
    #expect(help.contains("USAGE: recordspec \(name) "))
    #expect(help.split(separator: "\n").filter { $0.count > 80 } == [], "these lines wrap in a terminal")
    let missing = words.filter { !help.contains($0) }
    #expect(missing == [])
    let options = words.contains("--color <color>") ? [[name, "--color", "never", "--help"]] : []
    for arguments in [[name, "--help"], [name, "-h"]] + options {
      #expect(await output(of: arguments).text == help, "\(arguments)")
    }
  }

  @Test(
    arguments: [
      ("runn", "did you mean 'recordspec help run'?"), ("version", "did you mean 'recordspec --version'?"),
      (
        "xyz",
        "the commands are run, check, bless, review, show, explain, init, new, import, reduce, graph, serve, model, generate, schema, rules, merge, merge-golden"
      ),
    ])
  func helpForAnUnknownCommandIsAnError(name: String, advice: String) async {
    let (status, text) = await output(of: ["help", name])
    #expect(status == 64)
    #expect(text == "on standard error: error: there is no command '\(name)'; \(advice)\n")
  }

  /// Each help has an example of its command, and the examples are valid command lines.
  @Test func everyHelpHasAnExampleThatParses() throws {
    let commands: [any ParsableCommand.Type] = [RootCommand.self] + RootCommand.configuration.subcommands
    for command in commands {
      let name = try #require(command.configuration.commandName)
      let examples = command.configuration.discussion.split(separator: "\n")
        .compactMap { $0.firstMatch(of: /^  .*?\brecordspec( [^"'>]+)?/) }
        .map { ($0.1 ?? "").split(separator: " ").map(String.init) }
      let own = examples.filter { command == RootCommand.self || $0.first == name }
      #expect(!own.isEmpty, "the help of '\(name)' has no example")
      for words in examples {
        #expect(throws: Never.self, "\(name): \(words)") { try RootCommand.parseAsRoot(words) }
      }
    }
  }

  @Test func noSubcommandIsLeftOut() async throws {
    let (status, help) = await output(of: ["help"])
    #expect(status == 0)
    let groups = help.split(separator: "SUBCOMMANDS:\n").dropFirst()
    #expect(groups.count == 3)
    let names = groups.joined(separator: "\n").matches(of: #/(?m)^  ([a-z-]+) /#).map { String($0.1) }
    #expect(names.sorted() == Self.subcommands.map(\.name).sorted())
    #expect(await output(of: ["--help"]).text == help)
  }

  @Test func everyExitStatusIsNamed() async throws {
    let help = await output(of: ["help"]).text
    for status in ["0 ", "1 ", "2 ", "3 ", "4 ", "64 ", "128 + signal "] {
      #expect(help.contains("\n  \(status) "), "\(status)")
    }
  }

  @Test func theVersionIsThatOfTheChangelog() async throws {
    let (status, text) = await output(of: ["--version"])
    #expect(status == 0)
    let version = try #require(text.prefixMatch(of: /recordspec (\d+\.\d+\.\d+)\n/)).1
    let file = URL(filePath: #filePath).appending(path: "../../../../CHANGELOG.md").standardizedFileURL
    let changelog = try String(contentsOf: file, encoding: .utf8)
    // The changes under 'Unreleased' name the version that they become, so that both change together.
    let latest = try #require(
      changelog.firstMatch(of: /\n## \[(?:Unreleased\]\n\nThis is the future version )?(\d+\.\d+\.\d+)/))
    #expect(latest.1 == version)
    #expect(changelog[..<latest.range.lowerBound].firstMatch(of: #/\n## /#) == nil)
  }

  /// The README, the articles and the action say how to depend on the version.
  @Test func theVersionIsThatOfTheDocuments() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    var texts = try ["README.md", ".github/actions/recordspec/action.yml"].map {
      try String(contentsOf: root.appending(path: $0), encoding: .utf8)
    }
    texts += try Article.names(in: "RecordSpec").map { try Article($0).text }
    let mention = #/(?:actions/recordspec@|RecordSpec", from: "|install, such as )(\d+\.\d+\.\d+)/#
    let versions = texts.flatMap { text in text.matches(of: mention).map { String($0.1) } }
    #expect(versions.count >= 6)
    #expect(Set(versions) == [Version.current])
  }

  @Test func theVersionNamesTheFormats() async throws {
    let text = await output(of: ["--version"]).text
    #expect(
      text.split(separator: "\n").dropFirst() == [
        "scenarios and models  schemaVersion 1", "golden files          format 1",
        "kept results          format 1", "JSON reports          format 2",
      ])
  }

  private func output(of arguments: [String]) async -> (status: Int32, text: String) {
    var text = ""
    let context = CommandContext(
      environment: RunEnvironment(), execute: { await ScenarioExecution.execute($0, on: $1) },
      today: "2030-01-01",
      output: { text += $0 }, errors: { text += "on standard error: " + $0 })
    return (await RootCommand.status(of: arguments, in: context), text)
  }
}
