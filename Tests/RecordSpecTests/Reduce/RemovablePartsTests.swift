import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

struct RemovablePartsTests {
  struct Case: CustomStringConvertible {
    var description: String
    var text: String
    /// The paths of the removed parts, such as `steps/0/urn`.
    var removed: [String]
    var rest: String
  }

  @Test(arguments: [
    Case(
      description: "a key with its comments",
      text: "# file\na: 1\n\n# about b\n# more\nb: # beside\n  - 2 # two\nc: 3 # three\n", removed: ["b"],
      rest: "# file\na: 1\nc: 3 # three\n"),
    Case(
      description: "comments of others remain",
      text: "a: 1 # one\n# detached\n\n# about b\nb: 2\n# about c\nc: 3\n", removed: ["b"],
      rest: "a: 1 # one\n# detached\n# about c\nc: 3\n"),
    Case(
      description: "the comment of the file", text: "# file\na: 1\nb: 2\n", removed: ["a"],
      rest: "# file\nb: 2\n"),
    Case(
      description: "the first key after a dash", text: "- a: 1\n  # about b\n  b: 2\n- c: 3\n",
      removed: ["0/a"],
      rest: "- # about b\n  b: 2\n- c: 3\n"),
    Case(
      description: "another key after a dash", text: "- a: 1\n  b: 2\n", removed: ["0/b"], rest: "- a: 1\n"),
    Case(
      description: "all keys after a dash", text: "- a: 1\n  b: 2\n- c\n", removed: ["0/a", "0/b"],
      rest: "- {}\n- c\n"),
    Case(
      description: "an entry", text: "a:\n- 1\n- b: 2\n  c: 3\n- 4\n", removed: ["a/1"],
      rest: "a:\n- 1\n- 4\n"),
    Case(
      description: "all entries", text: "a: # why\n  - 1\n  - 2\nb: 3\n", removed: ["a/0", "a/1"],
      rest: "a: [] # why\nb: 3\n"),
    Case(
      description: "all keys", text: "a:\n  b: 1\n\n  c: 2\nd: 3\n", removed: ["a/b", "a/c"],
      rest: "a: {}\nd: 3\n"),
    Case(description: "a nested list", text: "- - 1\n  - 2\n- 3\n", removed: ["0/0"], rest: "- - 2\n- 3\n"),
    Case(
      description: "in brackets", text: "a: [1, 2, {b: 3, c: 4}] # x\n", removed: ["a/1", "a/2/c"],
      rest: "a: [1, {b: 3}] # x\n"),
    Case(
      description: "the last in brackets", text: "a: [1, 2, 3 ]\n", removed: ["a/1", "a/2"], rest: "a: [1 ]\n"
    ),
    Case(description: "the first in brackets", text: "{a: 1, b: 2}\n", removed: ["a"], rest: "{b: 2}\n"),
    Case(
      description: "all in brackets", text: "a: [1, 2]\nb: {c: 1}\n", removed: ["a/0", "a/1", "b/c"],
      rest: "a: []\nb: {}\n"),
    Case(
      description: "several lines in brackets", text: "a: [\n  1, # one\n  2, # two\n  3\n]\n",
      removed: ["a/1"],
      rest: "a: [\n  1, # one\n  3\n]\n"),
    Case(
      description: "a text of several lines", text: "a: |\n  one\n\n  two\nb: 1\n", removed: ["a"],
      rest: "b: 1\n"),
    Case(description: "no value", text: "a:\nb: 1\n", removed: ["a"], rest: "b: 1\n"),
    Case(
      description: "an alias", text: "a: &x [1, 2]\nb: *x\nc: 3\n", removed: ["b", "a/0"],
      rest: "a: &x [2]\nc: 3\n"),
    Case(description: "without a last line break", text: "a: 1\nb: 2", removed: ["b"], rest: "a: 1\n"),
    Case(
      description: "Windows line ends", text: "a: 1\r\n# b\r\nb: 2\r\nc: 3\r\n", removed: ["b"],
      rest: "a: 1\r\nc: 3\r\n"),
    Case(
      description: "a part of a removed part", text: "a:\n  b: 1\nc: 2\n", removed: ["a", "a/b"],
      rest: "c: 2\n"),
  ])
  func aPartIsRemovedFromTheText(_ test: Case) throws {
    let parts = RemovableParts(try #require(YAMLParser.parse(file(test.text)).root))
    let numbers = try test.removed.map { try #require(parts.number(at: $0), "\($0)") }
    #expect(String(decoding: parts.text(without: Set(numbers)), as: UTF8.self) == test.rest)
  }

  @Test func aReplacedPartKeepsItsComments() throws {
    let parts = RemovableParts(
      try #require(YAMLParser.parse(file("# a\na: 1 # x\nb: {c: [2], d: 3}\n")).root))
    let replacements = [
      try #require(parts.number(at: "a")): "a:\n  e: 4", try #require(parts.number(at: "b/c")): "c: 5",
    ]
    #expect(
      String(decoding: parts.text(without: [], replacing: replacements), as: UTF8.self)
        == "# a\na:\n  e: 4 # x\nb: {c: 5, d: 3}\n")
  }

  /// The files of the repository, in which random parts are removed from the text and from the tree.
  @Test func theTextIsThatOfTheTreeWithoutTheParts() throws {
    var generator = SeededGenerator(seed: 7)
    var count = 0
    let files = ["Scenarios", "Tests/RecordSpecTests/Format"].flatMap(RepositoryFiles.files)
    for file in sampled(files) {
      let (root, problems) = YAMLParser.parse(SourceFile(path: file.path, bytes: file.bytes))
      // The values of aliases are in several places of the tree.
      guard let root, problems.isEmpty, !file.bytes.contains(UInt8(ascii: "*")) else { continue }
      let parts = RemovableParts(root)
      #expect(parts.outline(of: root, 0, without: []) == root.outline, "\(file.path)")
      for share in [0.02, 0.1, 0.4] {
        let removed = Set(
          parts.parts.indices.filter { _ in Double.random(in: 0..<1, using: &generator) < share })
        let text = parts.text(without: removed)
        let source = SourceFile(path: file.path, bytes: text)
        let expected = parts.outline(of: root, 0, without: removed)
        #expect(
          YAMLParser.parse(source).root?.outline == expected,
          "\(file.path) without \(removed.sorted()):\n\(String(decoding: text, as: UTF8.self))")
        count += 1
      }
    }
    #expect(count > (isTestingAll ? 500 : 125))
  }
}

extension RemovableParts {
  /// Returns the number of the part at a path of keys and positions, such as `steps/0/urn`.
  func number(at path: String) -> Int? {
    var members = topLevel
    var part: Int?
    for name in path.split(separator: "/") {
      part = members.enumerated().first { parts[$1].key ?? String($0) == name }?.element
      members = children(of: part)
    }
    return part
  }

  /// Returns the outline of a value without some of its parts.
  func outline(of node: YAMLNode, _ group: Int?, without removed: Set<Int>) -> String {
    guard let group else { return node.outline }
    let members = groups[group].parts.filter { !removed.contains($0) }.map { number in
      let part = parts[number]
      return (part.key.map { "\($0): " } ?? "") + outline(of: part.value, part.group, without: removed)
    }.joined(separator: ", ")
    return node.pairs == nil ? "[\(members)]" : "{\(members)}"
  }
}
