import Foundation
import Testing

/// A suite with an error, and the output of the command line for it.
struct BadInput: Sendable, CustomTestStringConvertible {
  var name: String
  var status: Int32
  /// The output of `recordspec run`: standard output, or standard error if it cannot run any scenario.
  var text: String
  /// Writes the files of the suite.
  var prepare: @Sendable (TemporaryFolder) throws -> Void
  /// The arguments after `recordspec run`.
  var arguments: [String] = []

  init(
    _ name: String, _ status: Int32, _ text: String, arguments: [String] = [],
    prepare: @escaping @Sendable (TemporaryFolder) throws -> Void
  ) {
    self.name = name
    self.status = status
    self.text = text
    self.arguments = arguments
    self.prepare = prepare
  }

  var testDescription: String { name }

  /// Returns a scenario with one response, such as `body: [{id: a}]`, in line 4.
  static func scenario(_ response: String) -> String {
    """
    title: One request
    model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
    responses:
      posts: {\(response)}
    steps: [{request: Post, urn: posts}]

    """
  }

  /// Writes the scenario `a` as the only file.
  static func scenario(_ response: String, in folder: TemporaryFolder) throws {
    try folder.write(scenario(response), to: "Scenarios/a.yaml")
  }

  /// The reason why the file of `unreadable(_:in:)` cannot be read.
  static var unreadableReason: String { geteuid() == 0 ? "Input/output error" : "Permission denied" }

  /// Makes a file unreadable. Root can read all files, so for root the file links to one that fails to read.
  static func unreadable(_ name: String, in folder: TemporaryFolder) throws {
    if geteuid() == 0 {
      try folder.link(name, to: "/proc/self/mem")
    } else {
      try folder.setPermissions(0o000, of: name)
    }
  }
}

// MARK: Contents of files

extension BadInput {
  static let contents: [BadInput] = [
    BadInput(
      "a body that is cut off", 1,
      """
      FAIL  a: One request

        Scenarios/a.yaml:4:21: error: the body is not valid JSON: expected ',' or '}', found the end of the document; the \
      object that starts in line 1, column 2 is not closed [no-json]
            4 |   posts: {bodyText: "[{\\"id\\": \\"1\\""}
              |                     ^
              = help: correct it, or expect the failure: 'expect: {failure: invalid-response-format}'

        Scenarios/a.yaml:5:10: error: step 1: the step failed: invalid-response-format Post of posts: line 1, column 12: expected ',' or '}', found the end of the \
      document; the object that starts in line 1, column 2 is not closed [extra]
            5 | steps: [{request: Post, urn: posts}]
              |          ^^^^^^^
              = expected: success
              = actual:   failure invalid-response-format

      0 passed, 1 failed, 0 skipped

      """
    ) { try scenario(#"bodyText: "[{\"id\": \"1\"""#, in: $0) },

    BadInput(
      "a body of 5,000 levels", 1,
      """
      FAIL  a: One request

        Scenarios/deep.json:1:513: error: the body is not valid JSON: the document is nested more than 512 levels deep [no-json]
            1 | …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
              |                                                                   ^
            --> Scenarios/a.yaml:4
            4 |   posts: {bodyFile: deep.json}
              |   ----- served here
              = help: correct it, or expect the failure: 'expect: {failure: invalid-response-format}'

        Scenarios/a.yaml:5:10: error: step 1: the step failed: invalid-response-format Post of posts: line 1, column 513: the document is nested more than 512 levels deep [extra]
            5 | steps: [{request: Post, urn: posts}]
              |          ^^^^^^^
              = expected: success
              = actual:   failure invalid-response-format

      0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("bodyFile: deep.json", in: $0)
      let levels = 5000
      try $0.write(
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels),
        to: "Scenarios/deep.json")
    },

    BadInput(
      "aliases of aliases", 2,
      """
      INVALID a

        Scenarios/a.yaml:7:10: error: the aliases expand to more than 100000 values [yaml-alias-limit]
            7 |   f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
              |          ^^
              = help: use fewer nested aliases

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      var text = "store:\n  a: &a [x, x, x, x, x, x, x, x, x]\n"
      for (name, last) in zip("bcdefghij", "abcdefghi") {
        let aliases = Array(repeating: "*\(last)", count: 9).joined(separator: ", ")
        text += "  \(name): &\(name) [\(aliases)]\n"
      }
      try $0.write(text, to: "Scenarios/a.yaml")
    },

    BadInput(
      "a model that contradicts itself", 2,
      """
      INVALID a: A model

        Scenarios/a.yaml:4:54: error: the destination of the inverse 'User.posts' is 'Tag', not 'Post' [inverse-mismatch]
            4 |     Post: {relationships: {user: {to: User, inverse: posts}}}
              |                                                      ^^^^^
            5 |     User: {relationships: {posts: {toMany: Tag, inverse: user}}}
              |                            ----- declared here

        Scenarios/a.yaml:5:58: error: 'Tag' has no relationship 'user' [unknown-inverse]
            5 |     User: {relationships: {posts: {toMany: Tag, inverse: user}}}
              |                                                          ^^^^
              = help: add 'user: {to: User, inverse: posts}' to the relationships of 'Tag', or remove 'inverse'

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try $0.write(
        """
        title: A model
        model:
          entities:
            Post: {relationships: {user: {to: User, inverse: posts}}}
            User: {relationships: {posts: {toMany: Tag, inverse: user}}}
            Tag: {}
        steps: [save: true]

        """, to: "Scenarios/a.yaml")
    },

    BadInput(
      "a body that is not there", 2,
      """
      INVALID a: One request

        Scenarios/a.yaml:4:21: error: the file 'Scenarios/recordng.json' does not exist [unreadable-file]
            4 |   posts: {bodyFile: recordng.json}
              |                     ^^^^^^^^^^^^^
              = help: did you mean 'recording.json'?

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("bodyFile: recordng.json", in: $0)
      try $0.write("[]", to: "Scenarios/recording.json")
    },

    BadInput(
      "a pointer that finds nothing", 2,
      """
      INVALID a: One request

        Scenarios/a.yaml:4:41: error: no value at this pointer in 'Scenarios/recording.json': '/0' has no 'respons' [missing-value]
            4 |   posts: {bodyFile: recording.json, at: /0/respons}
              |                                         ^^^^^^^^^^
              = help: did you mean 'response'?

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try scenario("bodyFile: recording.json, at: /0/respons", in: $0)
      try $0.write(#"[{"response": []}]"#, to: "Scenarios/recording.json")
    },

    BadInput(
      "a zero byte", 2,
      #"""
      INVALID a

        Scenarios/a.yaml:1:9: error: a control character, U+0000, must be escaped in YAML [control-character]
            1 | title: O�e request
              |         ^
              = help: remove it, or write "\u0000" in double quotes

      1 invalid: 0 passed, 1 failed, 0 skipped

      """#
    ) { try $0.write(scenario("body: [{id: a}]").replacing("One", with: "O\0e"), to: "Scenarios/a.yaml") },

    BadInput(
      "bytes that are no UTF-8", 2,
      """
      INVALID a

        Scenarios/a.yaml:1:8: error: the byte 0xFF is not valid UTF-8 [encoding]
            1 | title: �
              |        ^
              = help: save the file as UTF-8

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) { try $0.write(Array("title: ".utf8) + [0xFF, 0x0A], to: "Scenarios/a.yaml") },

    BadInput(
      "an empty file", 2,
      """
      INVALID a

        Scenarios/a.yaml: error: the file is empty [yaml-empty]

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) { try $0.write("", to: "Scenarios/a.yaml") },

    BadInput(
      "an invalid code", 2,
      """
      INVALID a: One request

        Scenarios/a.yaml:6:19: error: unknown code 'save-eror' [unknown-code]
            6 | expect: {failure: save-eror}
              |                   ^^^^^^^^^
              = help: did you mean 'save-error'?

      1 invalid: 0 passed, 1 failed, 0 skipped

      """
    ) {
      try $0.write(scenario("body: [{id: a}]") + "expect: {failure: save-eror}\n", to: "Scenarios/a.yaml")
    },
  ]
}
