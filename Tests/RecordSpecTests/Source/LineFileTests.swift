import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat

/// Tests for the reading of a file line by line.
struct LineFileTests {
  @Test(
    arguments: [
      ("", []), ("a", []), ("a\n", ["a"]), ("\n\na\nb", ["", "", "a"]),
      (String(repeating: "x", count: 700_000) + "\ny\n", [String(repeating: "x", count: 700_000), "y"]),
      (
        (0..<60_000).map { "\($0)\n" }.joined(), (0..<60_000).map { "\($0)" }
      ),
    ] as [(String, [String])])
  func linesAreThoseOfTheText(text: String, lines: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "file.txt")
    let file = try LineFile(folder.path + "/file.txt")
    var found: [LineFile.Line] = []
    while let line = try file.next() { found.append(line) }
    #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == lines)
    for line in found.suffix(10) {
      #expect(
        try FileBytes.read(folder.path + "/file.txt", at: line.offset, count: line.bytes.count) == line.bytes)
    }
    #expect(try FileBytes.read(folder.path + "/file.txt", at: text.utf8.count, count: 10) == [])
  }

  @Test func aMissingFileIsAProblem() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileProblem(path: folder.path + "/none", reason: "does not exist")) {
      _ = try LineFile(folder.path + "/none")
    }
  }
}
