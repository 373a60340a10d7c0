import Foundation

@testable import ScenarioReport

// MARK: Golden files

extension BadInput {
  static let goldenFiles: [BadInput] = [
    golden(
      "a golden file with a conflict", "<<<<<<< HEAD\n",
      """
        Golden/a.json:1:1: error: the golden file contains an unresolved merge conflict [golden-file]
            1 | <<<<<<< HEAD
              | ^^^^^^^^^^^^
              = help: run 'recordspec bless' to rewrite it; as a merge driver, 'recordspec merge-golden' avoids most conflicts
      """),
    golden(
      "a golden file that is not JSON", "<html>\n",
      """
        Golden/a.json:1:1: error: the golden file is not valid JSON: expected a value, found '<' [golden-file]
            1 | <html>
              | ^
              = help: 'recordspec bless' rewrites it
      """),
    golden(
      "a golden file of another shape", #"{"graph": {"Post": {"Post/1": [1]}}, "steps": {}}"#,
      """
        Golden/a.json:1:31: error: 'Post/1' must be an object, not an array [golden-file]
            1 | {"graph": {"Post": {"Post/1": [1]}}, "steps": {}}
              |                               ^^^
              = help: 'recordspec bless' rewrites it

        Golden/a.json:1:47: error: 'steps' must be an array, not an object [golden-file]
            1 | {"graph": {"Post": {"Post/1": [1]}}, "steps": {}}
              |                                               ^^
              = help: 'recordspec bless' rewrites it
      """),
    golden(
      "a golden file whose diagnostics are no list of objects",
      #"{"steps": [{"diagnostics": ["value-type"]}]}"#,
      """
        Golden/a.json:1:28: error: 'diagnostics' must be an array of objects [golden-file]
            1 | {"steps": [{"diagnostics": ["value-type"]}]}
              |                            ^^^^^^^^^^^^^^
              = help: 'recordspec bless' rewrites it
      """),
    golden(
      "an empty golden file", "",
      """
        Golden/a.json:1:1: error: the golden file is not valid JSON: expected a value, but the document is empty [golden-file]
            1 |
              | ^
              = help: 'recordspec bless' rewrites it
      """),
    BadInput(
      "a golden file that is a folder", 3,
      """
      FAIL  a: One request

        Golden/a.json: error: the golden file cannot be read: Is a directory [golden-file]

      1 unreadable golden file: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("body: [{id: a}]", in: $0)
      try $0.makeFolder("Golden/a.json")
    },
    BadInput(
      "a golden file that is a device", 3,
      """
      FAIL  a: One request

        Golden/a.json: error: the golden file cannot be read: it is a device or a pipe, not a file [golden-file]

      1 unreadable golden file: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("body: [{id: a}]", in: $0)
      try $0.link("Golden/a.json", to: "/dev/zero")
    },
    BadInput(
      "a folder of golden files that is a file", 2,
      """
      Golden: error: this is a file, not a folder [unreadable-file]
            = help: use a folder here, or name another one with '--golden'

      """
    ) {
      try scenario("body: [{id: a}]", in: $0)
      try $0.write("", to: "Golden")
    },
    BadInput(
      "a folder of golden files that links to nothing", 2,
      """
      Golden: error: this link leads to a folder that does not exist [unreadable-file]
            = help: use a folder here, or name another one with '--golden'

      """
    ) {
      try scenario("body: [{id: a}]", in: $0)
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
      try scenario("body: [{id: a}]", in: $0)
      try $0.write(content, to: "Golden/a.json")
    }
  }
}

// MARK: Files and folders

extension BadInput {
  static let files: [BadInput] = [
    BadInput(
      "a folder of scenarios that is a file", 2,
      """
      Scenarios: error: this is a file, not a folder [unreadable-file]
            = help: pass its folder to '--scenarios', and the file as an argument

      """
    ) { try $0.write("", to: "Scenarios") },
    BadInput(
      "a folder without scenarios", 4,
      """
      Scenarios: error: this folder has no scenarios [no-scenarios]
            = help: the name of a scenario ends in '.yaml'; 'recordspec new NAME' writes one

      """
    ) { try $0.write("", to: "Scenarios/a/notes.md") },
    beside(
      "a folder that is named like a scenario",
      "Scenarios/b.yaml: error: this folder is named like a scenario [unreadable-file]"
    ) { try $0.makeFolder("Scenarios/b.yaml") },
    beside(
      "a scenario whose ending is in capitals",
      """
      Scenarios/b.YAML: error: the extension '.yaml' must be in lower case [file-name]
            = help: rename it
      """
    ) { try $0.write(scenario("body: [{id: a}]"), to: "Scenarios/b.YAML") },
    beside(
      "a name of two lines",
      """
      Scenarios/b\u{FFFD}c.yaml: error: the name contains a control character [file-name]
            = help: rename it
      """
    ) { try $0.write(scenario("body: [{id: a}]"), to: "Scenarios/b\nc.yaml") },
    beside(
      "a folder whose name turns colors on",
      """
      Scenarios/\u{FFFD}[31m: error: the name contains a control character [file-name]
            = help: rename it
      """
    ) { try $0.write(scenario("body: [{id: a}]"), to: "Scenarios/\u{1B}[31m/b.yaml") },
    beside(
      "a link that leads nowhere",
      "Scenarios/b.yaml: error: this link leads to a file that does not exist [unreadable-file]"
    ) { try $0.link("Scenarios/b.yaml", to: "nowhere.yaml") },
    beside(
      "a link in a circle",
      "Scenarios/b.yaml: error: this link leads to a file that does not exist [unreadable-file]"
    ) { try $0.link("Scenarios/b.yaml", to: "b.yaml") },
    BadInput(
      "a scenario that cannot be read", 2,
      """
      INVALID a

        Scenarios/a.yaml: error: the file cannot be read: \(unreadableReason) [unreadable-file]

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("body: [{id: a}]", in: $0)
      try unreadable("Scenarios/a.yaml", in: $0)
    },
    BadInput(
      "a body that links to nothing", 2,
      """
      INVALID a: One request

        Scenarios/a.yaml:4:21: error: 'Scenarios/body.json' is a symbolic link to a file that does not exist [unreadable-file]
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
      INVALID a: One request

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

        no golden file: Golden/a.json
        1 record:
          1 Post  Post/a {id: "a"}
        create it with: recordspec bless a

      1 new, 1 error outside the scenarios: 0 passed, 2 failed, 0 skipped

      """
    ) {
      try scenario("body: [{id: a}]", in: $0)
      try prepare($0)
    }
  }
}

// MARK: The command line

extension BadInput {
  static let commandLines: [BadInput] = [
    BadInput(
      "an unknown option", 64, "error: unknown option '--tags'; did you mean '--tag'?\n",
      arguments: ["--tags", "x"]
    ) {
      try scenario("body: [{id: a}]", in: $0)
    },
    BadInput(
      "an option far from any", 64,
      "error: unknown option '--a'z'; 'recordspec help run' lists the options\n",
      arguments: ["--a'z"]
    ) { try scenario("body: [{id: a}]", in: $0) },
    BadInput(
      "an unknown value", 64, "error: unknown value 'sqlit' for '--store'; did you mean 'sqlite'?\n",
      arguments: ["--store", "sqlit"]
    ) { try scenario("body: [{id: a}]", in: $0) },
    BadInput(
      "a value far from any", 64,
      "error: unknown value 'core''data' for '--store'; the values are memory, sqlite\n",
      arguments: ["--store", "core''data"]
    ) { try scenario("body: [{id: a}]", in: $0) },
    BadInput(
      "an option of another tool", 64,
      "error: unknown option '--update-snapshots'; 'recordspec bless' writes golden files\n",
      arguments: ["--update-snapshots"]
    ) {
      try scenario("body: [{id: a}]", in: $0)
    },
    BadInput(
      "an option of another tool with a value", 64,
      "error: unknown option '--filter'; select scenarios by name, folder or pattern, as in 'recordspec run books/list', "
        + "or with '--title' or '--tag'\n",
      arguments: ["--filter=x"]
    ) {
      try scenario("body: [{id: a}]", in: $0)
    },
    BadInput(
      "a format as an option", 64,
      "error: unknown option '--junit'; write a report with '--report junit=FILE'\n",
      arguments: ["--junit", "x.xml"]
    ) { try scenario("body: [{id: a}]", in: $0) },
    BadInput(
      "a file of the output", 64,
      "error: unknown option '--output'; write a report with '--report FORMAT=FILE', such as '--report junit=report.xml'\n",
      arguments: ["--output", "x.xml"]
    ) { try scenario("body: [{id: a}]", in: $0) },
    BadInput(
      "a report without its format", 64,
      "error: unknown report format 'out/report.html'; did you mean 'html=out/report.html'?\n",
      arguments: ["--report", "out/report.html"]
    ) { try scenario("body: [{id: a}]", in: $0) },
    BadInput(
      "a report as a scenario", 4,
      "error: no scenario is named 'report.html'; to write a report to this file, write: --report html=report.html\n",
      arguments: ["report.html"]
    ) { try scenario("body: [{id: a}]", in: $0) },
    BadInput(
      "a model file as a scenario", 4,
      """
      error: no scenario is named 'app.model.yaml'; 'Scenarios/app.model.yaml' is a model file; name a scenario that uses it, \
      or print it with 'recordspec model Scenarios/app.model.yaml'

      """, arguments: ["app.model.yaml"]
    ) {
      try $0.write("entities: {}", to: "Scenarios/app.model.yaml")
      try scenario("body: [{id: a}]", in: $0)
    },
    BadInput(
      "an unknown scenario", 4, "error: no scenario is named 'a/ky'; did you mean 'a/key'?\n",
      arguments: ["a/ky"]
    ) { try $0.write(scenario("body: [{id: a}]"), to: "Scenarios/a/key.yaml") },
    BadInput(
      "a file that is not there", 4, "error: no scenario is named 'a/ky.yaml'; did you mean 'a/key'?\n",
      arguments: ["a/ky.yaml"]
    ) { try $0.write(scenario("body: [{id: a}]"), to: "Scenarios/a/key.yaml") },
    BadInput(
      "control characters in a name", 4,
      "error: no scenario is named 'te\u{FFFD}[31mams'; the only scenario is 'a'\n",
      arguments: ["te\u{1B}[31mams"]
    ) {
      try scenario("body: [{id: a}]", in: $0)
    },
    BadInput(
      "control characters in an option", 64,
      "error: unknown option '--\u{FFFD}[31m'; 'recordspec help run' lists the options\n",
      arguments: ["--\u{1B}[31m"]
    ) {
      try scenario("body: [{id: a}]", in: $0)
    },
    BadInput(
      "no name at all", 4, "error: no scenario is named ''; the only scenario is 'a'\n", arguments: ["a", ""]
    ) {
      try scenario("body: [{id: a}]", in: $0)
    },
    BadInput(
      "a scenario far from any", 4, "error: no scenario is named 'everything'; the only scenario is 'a'\n",
      arguments: ["a", "everything"]
    ) { try scenario("body: [{id: a}]", in: $0) },
  ]
}
