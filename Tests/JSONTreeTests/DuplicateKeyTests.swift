import JSONTree
import TestSupport
import Testing

@Suite struct DuplicateKeyTests {
  private func listing(_ text: String) throws -> [String] {
    try parse(text).duplicateKeys.map {
      "\($0.key) in '\($0.object)' at \($0.location.line):\($0.location.column)"
    }
  }

  @Test(
    arguments: [
      (#"{"a": 1, "b": 2}"#, []),
      (#"[{"a": 1}, {"a": 1}]"#, []),
      (#"{"a": {"a": {"a": 1}}}"#, []),
      (#"{"": 1, "a": 1}"#, []),
      (#"{"a": 1, "a": 2}"#, ["a in '' at 1:10"]),
      (#"{"a": 1, "a": 2, "a": 3}"#, ["a in '' at 1:10", "a in '' at 1:18"]),
      (#"{"": 1, "": 2}"#, [" in '' at 1:9"]),
      // After unescaping, in both directions
      (#"{"a\n": 1, "a\u000A": 2}"#, ["a\n in '' at 1:12"]),
      (#"{"key": 1, "\u006bey": 2}"#, ["key in '' at 1:12"]),
      (#"{"\u006bey": 1, "key": 2}"#, ["key in '' at 1:17"]),
      (#"{"a\\n": 1, "a\n": 2}"#, []),
      // In the order of the document, although the parser finishes the inner object first
      (
        "{\"x\": 1, \"x\": [0, {\"y\": 1,\n \"y\": 2}],\n \"x\": 3}",
        ["x in '' at 1:10", "y in '/x/1' at 2:2", "x in '' at 3:2"]
      ),
      (
        #"[[], {}, [[{"a": 1, "a": {}}]], {"b": {"c": 1, "d": [], "c": 2}}]"#,
        ["a in '/2/0/0' at 1:21", "c in '/3/b' at 1:57"]
      ),
      // Long keys with equal beginnings and ends
      (
        #"{"aaaaaaaa1bbbbbbbb": 1, "aaaaaaaa2bbbbbbbb": 2, "aaaaaaaa1bbbbbbbb": 3}"#,
        ["aaaaaaaa1bbbbbbbb in '' at 1:50"]
      ),
    ] as [(String, [String])])
  func lists(text: String, expected: [String]) throws {
    #expect(try listing(text) == expected)
  }

  @Test func theLastOneDecides() throws {
    let document = try parse(#"{"a": 1, "b": 2, "a": 3, "\u0061": 4}"#)
    #expect(document.root["a"]?.int64 == 4)
    #expect(document.root["b"]?.int64 == 2)
    #expect(document.root.count == 4)
    #expect(document.root.members.map(\.key) == ["a", "b", "a", "a"])
    #expect(document.root.value.compactText() == #"{"a":4,"b":2}"#)
  }

  /// Tests sizes around the limit above which keys are sorted.
  @Test(arguments: [2, 3, 127, 128, 129, 130, 1_000, 5_000])
  func objectsOfAnySize(count: Int) throws {
    let keys = (0..<count - 1).map { "\"a key of the object \($0 % 10) number \($0)\": 0" }
    let without = "{" + keys.joined(separator: ",") + "}"
    #expect(try parse(without).duplicateKeys.isEmpty)
    let repeated = count / 3
    let with = "{" + (keys + [keys[min(repeated, keys.count - 1)]]).joined(separator: ",") + "}"
    let found = try parse(with).duplicateKeys
    #expect(found.map(\.key) == ["a key of the object \(repeated % 10) number \(repeated)"])
    #expect(found.first?.location.offset == with.utf8.count - 1 - keys[repeated].utf8.count)
  }

  @Test func everyKeyTheSame() throws {
    for count in [100, 5_000] {
      let text = "{" + repeatElement("\"k\":0", count: count).joined(separator: ",") + "}"
      #expect(try parse(text).duplicateKeys.map(\.location.offset) == (1..<count).map { $0 * 6 + 1 })
    }
  }

  @Test func manyObjects() throws {
    let text = "[" + repeatElement(#"{"a":0,"a":1}"#, count: 20_000).joined(separator: ",") + "]"
    let found = try parse(text).duplicateKeys
    #expect(found.count == 20_000)
    #expect(found.last?.object.description == "/19999")
  }

  /// Compares with a set of the previous keys. Keys are written with and without escapes.
  @Test func agreesWithASet() throws {
    var random = SeededGenerator(seed: 6)
    for round in 0..<60 {
      let names = (0..<random.next(below: round.isMultiple(of: 10) ? 400 : 40)).map { _ in
        random.pick(["", "k", "a long name of a key "]) + String(random.next(below: 60))
      }
      let text = "{" + names.map { random.loosely(.string($0)) + ":0" }.joined(separator: ",") + "}"
      var met: Set<String> = []
      let repeated = names.filter { !met.insert($0).inserted }
      let document = try parse(text)
      #expect(document.duplicateKeys.map(\.key) == repeated)
      #expect(document.root.members.map(\.key) == names)
      for name in met { #expect(document.root[name] != nil) }
    }
  }
}
