import Foundation

@testable import RecordSpec

// MARK: Golden files

extension BadInput {
  static let goldenFiles: [BadInput] = [
    golden(
      "a golden file that is no JSON", "<<<<<<< HEAD\n",
      """
        Golden/a.json:1:1: error: the golden file is no JSON: expected a value, found '<' [golden-file]
            1 | <<<<<<< HEAD
              | ^
              = 'recordspec bless' writes it anew, after showing what changes
      """),
    golden(
      "a golden file of another shape", #"{"graph": {"Post": {"Post/1": [1]}}, "steps": {}}"#,
      """
        Golden/a.json:1:31: error: 'Post/1' is to be an object, not an array [golden-file]
            1 | {"graph": {"Post": {"Post/1": [1]}}, "steps": {}}
              |                               ^^^
              = 'recordspec bless' writes it anew, after showing what changes

        Golden/a.json:1:47: error: 'steps' is to be an array, not an object [golden-file]
            1 | {"graph": {"Post": {"Post/1": [1]}}, "steps": {}}
              |                                               ^^
              = 'recordspec bless' writes it anew, after showing what changes
      """),
    golden(
      "a golden file whose diagnostics are no list of objects",
      #"{"steps": [{"diagnostics": ["value-type"]}]}"#,
      """
        Golden/a.json:1:28: error: 'diagnostics' is to be an array of objects [golden-file]
            1 | {"steps": [{"diagnostics": ["value-type"]}]}
              |                            ^^^^^^^^^^^^^^
              = 'recordspec bless' writes it anew, after showing what changes
      """),
    golden(
      "an empty golden file", "",
      """
        Golden/a.json:1:1: error: the golden file is no JSON: expected a value, but the document is empty [golden-file]
            1 |
              | ^
              = 'recordspec bless' writes it anew, after showing what changes
      """),
    BadInput(
      "a golden file that is a folder", 1,
      """
      FAIL  a: One request

        Golden/a.json: error: the golden file cannot be read: Is a directory [golden-file]

      0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("body: []", in: $0)
      try $0.makeFolder("Golden/a.json")
    },
    BadInput(
      "a golden file that is a device", 1,
      """
      FAIL  a: One request

        Golden/a.json: error: the golden file cannot be read: it is a device or a pipe, not a file [golden-file]

      0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("body: []", in: $0)
      try $0.link("Golden/a.json", to: "/dev/zero")
    },
    BadInput(
      "a folder of golden files that is a file", 2,
      """
      Golden: error: this is a file, not a folder [unreadable-file]
            = golden files are to lie below it

      """
    ) {
      try scenario("body: []", in: $0)
      try $0.write("", to: "Golden")
    },
    BadInput(
      "a folder of golden files that links to nothing", 2,
      """
      Golden: error: this links to a folder that is not there [unreadable-file]
            = golden files are to lie below it

      """
    ) {
      try scenario("body: []", in: $0)
      try $0.link("Golden", to: "elsewhere")
    },
  ]

  private static func golden(_ name: String, _ content: String, _ text: String) -> BadInput {
    BadInput(
      name, 1,
      """
      FAIL  a: One request

      \(text)
        accept it with: recordspec bless a

      0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("body: []", in: $0)
      try $0.write(content, to: "Golden/a.json")
    }
  }
}

// MARK: Files and folders

extension BadInput {
  static let files: [BadInput] = [
    BadInput(
      "no folder of scenarios", 2,
      """
      Scenarios: error: there is no such folder [unreadable-file]
            = make it and put a scenario in it, or name another one with '--scenarios'

      """
    ) { _ in },
    BadInput(
      "a folder of scenarios that is a file", 2,
      """
      Scenarios: error: this is a file, not a folder [unreadable-file]
            = name the folder it lies in, and the scenario without an option

      """
    ) { try $0.write("", to: "Scenarios") },
    BadInput(
      "a folder without scenarios", 4,
      """
      Scenarios: error: there is no scenario below this folder [no-scenarios]
            = scenarios end in '.yaml'

      """
    ) { try $0.write("", to: "Scenarios/a/notes.md") },
    beside(
      "a folder that is named like a scenario",
      "Scenarios/b.yaml: error: this is a folder, but is named like a scenario [unreadable-file]"
    ) { try $0.makeFolder("Scenarios/b.yaml") },
    beside(
      "a scenario whose ending is in capitals",
      """
      Scenarios/b.YAML: error: the name of a scenario ends in '.yaml', in small letters [file-name]
            = rename it
      """
    ) { try $0.write(scenario("body: []"), to: "Scenarios/b.YAML") },
    beside(
      "a name of two lines",
      """
      Scenarios/b\u{FFFD}c.yaml: error: the name has a control character, which would garble what is told of it [file-name]
            = rename it
      """
    ) { try $0.write(scenario("body: []"), to: "Scenarios/b\nc.yaml") },
    beside(
      "a folder whose name turns colours on",
      """
      Scenarios/\u{FFFD}[31m: error: the name has a control character, which would garble what is told of it [file-name]
            = rename it
      """
    ) { try $0.write(scenario("body: []"), to: "Scenarios/\u{1B}[31m/b.yaml") },
    beside(
      "a link that leads nowhere",
      "Scenarios/b.yaml: error: this links to a file that is not there [unreadable-file]"
    ) { try $0.link("Scenarios/b.yaml", to: "nowhere.yaml") },
    beside(
      "a link in a circle",
      "Scenarios/b.yaml: error: this links to a file that is not there [unreadable-file]"
    ) { try $0.link("Scenarios/b.yaml", to: "b.yaml") },
    BadInput(
      "a scenario that cannot be read", 2,
      """
      INVALID a

        Scenarios/a.yaml: error: the file cannot be read: \(unreadableReason) [unreadable-file]

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("body: []", in: $0)
      try unreadable("Scenarios/a.yaml", in: $0)
    },
    BadInput(
      "a body that links to nothing", 2,
      """
      INVALID a

        Scenarios/a.yaml:4:21: error: 'Scenarios/body.json' links to a file that is not there [unreadable-file]
            4 |   posts: {bodyFile: body.json}
              |                     ^^^^^^^^^

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("bodyFile: body.json", in: $0)
      try $0.link("Scenarios/body.json", to: "nowhere.json")
    },
    BadInput(
      "a body that cannot be read", 2,
      """
      INVALID a

        Scenarios/a.yaml:4:21: error: the file 'Scenarios/body.json' cannot be read: \(unreadableReason) [unreadable-file]
            4 |   posts: {bodyFile: body.json}
              |                     ^^^^^^^^^

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("bodyFile: body.json", in: $0)
      try $0.write("[]", to: "Scenarios/body.json")
      try unreadable("Scenarios/body.json", in: $0)
      // As root, the test links to a file outside the project, which has to be allowed.
      try $0.write(geteuid() == 0 ? "allowOutside: [/proc/self]" : "", to: "Scenarios/.recordspec.yaml")
    },
  ]

  /// Returns a problem next to a valid scenario without a golden file.
  private static func beside(
    _ name: String, _ problem: String, prepare: @escaping @Sendable (TemporaryFolder) throws -> Void
  ) -> BadInput {
    BadInput(
      name, 2,
      """
      \(problem)

      NEW   a: One request

        there is no golden file yet: Golden/a.json
        write it with: recordspec bless a

      1 new, 1 problem beside the scenarios: 0 passed, 2 failed, 0 skipped

      """
    ) {
      try scenario("body: []", in: $0)
      try prepare($0)
    }
  }
}

// MARK: The command line

extension BadInput {
  static let commandLines: [BadInput] = [
    BadInput(
      "an unknown option", 64, "Error: Unknown option '--tags'. Did you mean '--tag'?\n",
      arguments: ["--tags", "x"]
    ) {
      try scenario("body: []", in: $0)
    },
    BadInput(
      "an unknown scenario", 4, "error: no scenario is named 'a/ky'; did you mean 'a/key'?\n",
      arguments: ["a/ky"]
    ) { try $0.write(scenario("body: []"), to: "Scenarios/a/key.yaml") },
    BadInput(
      "a file that is not there", 4, "error: no scenario is named 'a/ky.yaml'; did you mean 'a/key'?\n",
      arguments: ["a/ky.yaml"]
    ) { try $0.write(scenario("body: []"), to: "Scenarios/a/key.yaml") },
    BadInput(
      "control characters in a name", 4, "error: no scenario is named 'te\u{FFFD}[31mams'\n",
      arguments: ["te\u{1B}[31mams"]
    ) {
      try scenario("body: []", in: $0)
    },
    BadInput(
      "control characters in an option", 64, "Error: Unknown option '--\u{FFFD}[31m'\n",
      arguments: ["--\u{1B}[31m"]
    ) {
      try scenario("body: []", in: $0)
    },
    BadInput("no name at all", 4, "error: no scenario is named ''\n", arguments: ["a", ""]) {
      try scenario("body: []", in: $0)
    },
    BadInput(
      "a scenario far from any", 4, "error: no scenario is named 'everything'\n",
      arguments: ["a", "everything"]
    ) { try scenario("body: []", in: $0) },
  ]
}
