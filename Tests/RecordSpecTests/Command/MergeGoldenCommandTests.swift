import Foundation
import Testing

@testable import RecordSpec

/// Tests for `recordspec merge-golden`, also as a merge driver of Git.
struct MergeGoldenCommandTests {
  private let suite: CommandSuite

  init() throws {
    suite = try CommandSuite()
    for (name, text) in [("base", "Hello"), ("ours", "Hi"), ("theirs", "Bye")] {
      try suite.folder.write(Self.golden(text: text), to: "\(name).json")
    }
  }

  /// Returns a golden file in its canonical form.
  private static func golden(text: String, name: String = "Ada") -> String {
    """
    {
      "graph": {
        "Post": {
          "Post/1": { "id": "1", "text": "\(text)" }
        },
        "User": {
          "User/7": { "id": "7", "name": "\(name)" }
        }
      },
      "steps": [
        { "records": ["Post/1"], "request": "Post", "urn": "posts" }
      ]
    }

    """
  }

  /// Merges files of the folder as Git does.
  private func merge(_ base: String, _ ours: String, _ theirs: String) throws -> CommandSuite.Outcome {
    try suite.bash("$recordspec merge-golden \(base) \(ours) \(theirs) Golden/feed.json")
  }

  @Test func aCleanMergeIsWrittenToOurs() throws {
    try suite.folder.write(Self.golden(text: "Hello", name: "Eva"), to: "theirs.json")
    #expect(try merge("base.json", "ours.json", "theirs.json") == .init(status: 0, output: "", errors: ""))
    #expect(try suite.folder.read("ours.json") == Self.golden(text: "Hi", name: "Eva"))
  }

  @Test func conflictsAreListedAndKeepOurs() throws {
    #expect(
      try merge("base.json", "ours.json", "theirs.json")
        == .init(
          status: 1, output: "",
          errors: """
            Golden/feed.json: 1 conflict
              Post/1: 'text'
                base:   "Hello"
                ours:   "Hi"
                theirs: "Bye"
              The file keeps the values of ours. Resolve the conflicts in the scenario and its responses, then bless it.

            """))
    #expect(try suite.folder.read("ours.json") == Self.golden(text: "Hi"))
  }

  @Test func anEmptyAncestorIsAFileThatBothAdded() throws {
    try suite.folder.write("", to: "base.json")
    #expect(try merge("base.json", "ours.json", "ours.json").status == 0)
    #expect(
      try merge("base.json", "ours.json", "theirs.json").errors.hasPrefix(
        "Golden/feed.json: 1 conflict\n  Post/1\n"))
  }

  @Test func aFileThatIsNoGoldenFileLeavesOursUnchanged() throws {
    try suite.folder.write("<<<<<<< HEAD\n", to: "theirs.json")
    let outcome = try merge("base.json", "ours.json", "theirs.json")
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.hasPrefix(
        "Golden/feed.json (theirs):1:1: error: the golden file contains an unresolved merge conflict"))
    #expect(
      try merge("base.json", "ours.json", "absent.json")
        == .init(status: 2, output: "", errors: "error: 'absent.json' does not exist\n"))
    #expect(try suite.folder.read("ours.json") == Self.golden(text: "Hi"))
  }

  @Test func withoutAPathEachFileHasItsOwnName() throws {
    try suite.folder.write("<<<<<<< HEAD\n", to: "theirs.json")
    let refused = try suite.bash("$recordspec merge-golden base.json ours.json theirs.json")
    #expect(refused.status == 2)
    #expect(
      refused.errors.hasPrefix(
        "theirs.json:1:1: error: the golden file contains an unresolved merge conflict"))
    try suite.folder.write(Self.golden(text: "Bye"), to: "theirs.json")
    let merged = try suite.bash("$recordspec merge-golden base.json ours.json theirs.json")
    #expect(merged.errors.hasPrefix("ours.json: 1 conflict\n"))
  }

  /// The setup of the help, in a repository where two branches have changed different records of a golden file.
  @Test func gitMergesWithTheDriver() throws {
    try suite.folder.write(Self.golden(text: "Hello"), to: "Golden/feed.json")
    try suite.folder.write("Golden/** merge=recordspec\n", to: ".gitattributes")
    let commit = "git -c user.name=a -c user.email=a@b.c commit --quiet --all --message change"
    let outcome = try suite.bash(
      """
      set -e
      git init --quiet --initial-branch main
      git config merge.recordspec.driver "$recordspec merge-golden %O %A %B %P"
      git add Golden .gitattributes
      \(commit)
      git checkout --quiet -b other
      sed -i.bak s/Ada/Eva/ Golden/feed.json
      \(commit)
      git checkout --quiet main
      sed -i.bak s/Hello/Hi/ Golden/feed.json
      \(commit)
      git -c user.name=a -c user.email=a@b.c merge --quiet --no-edit other
      git status --short --untracked-files=no
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try suite.folder.read("Golden/feed.json") == Self.golden(text: "Hi", name: "Eva"))
  }
}
