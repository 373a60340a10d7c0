import JSONTree
import Testing

/// Pairs of texts that are equal as values of Swift's `String`.
private let equivalents = [
  ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), (";", "\u{37E}"),
  ("\u{AC00}", "\u{1100}\u{1161}"),
  (
    "a long name that needs a buffer of its own: \u{E9}",
    "a long name that needs a buffer of its own: e\u{301}"
  ),
  ("q\u{307}\u{323}", "q\u{323}\u{307}"),
]

@Suite struct ScalarStringTests {
  @Test(arguments: equivalents)
  func tellsEquivalentTextsApart(left: String, right: String) {
    #expect(left == right)
    let (first, second) = (ScalarString(left), ScalarString(right))
    #expect(first != second)
    #expect((first < second) != (second < first))
    #expect(Set([first, second, first]).count == 2)
  }

  @Test func hasOneHashForEqualTexts() {
    let text = "a text from \u{E9}lsewhere"
    let slice = String(("…" + text).dropFirst())
    #expect(ScalarString(text) == ScalarString(slice))
    #expect(ScalarString(text).hashValue == ScalarString(slice).hashValue)
    #expect(ScalarString("") == "")
  }

  @Test func sortsByScalars() {
    let texts: [ScalarString] = ["", "B", "e\u{301}", "f", "\u{E9}", "\u{FF5E}", "\u{1F600}"]
    #expect(texts.reversed().sorted() == texts)
  }
}

/// The names of members are sequences of code points: RFC 8259 §8.3.
@Suite struct EquivalentNamesTests {
  @Test(arguments: equivalents)
  func bothMembersAreKept(left: String, right: String) throws {
    let names = [left, right].map { JSONValue.string($0).compactText() }
    let text = "{\(names[0]):1,\(names[1]):2}"
    let document = try parse(text)
    #expect(document.duplicateKeys.isEmpty)
    #expect(document.root[left]?.int64 == 1)
    #expect(document.root[right]?.int64 == 2)
    let value = document.root.value
    #expect(value.compactText() == text)
    #expect(value[left] == 1)
    #expect(value[right] == 2)
    let sorted =
      scalarsPrecede(left, right) ? [(names[0], 1), (names[1], 2)] : [(names[1], 2), (names[0], 1)]
    let canonical = value.canonicalText()
    #expect(
      try parse(canonical).root.members.map { JSONValue.string($0.key).compactText() } == sorted.map(\.0))
    #expect(try parse(canonical).root.value == value)
  }

  @Test(arguments: equivalents)
  func valuesDiffer(left: String, right: String) {
    #expect(JSONValue.string(left) != .string(right))
    #expect(JSONValue.object([left: 1]) != .object([right: 1]))
    #expect(JSONValue.object([left: 1, right: 2]) == .object([right: 2, left: 1]))
    #expect(JSONValue.object([left: 1, right: 2]) != .object([left: 2, right: 1]))
    #expect(Set<JSONValue>([.string(left), .string(right), [left: 1], [right: 1]]).count == 4)
    #expect(JSONPointer(tokens: [left]) != JSONPointer(tokens: [right]))
  }

  @Test func onlyTheSameScalarsRepeatAName() throws {
    let document = try parse("{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\\u00e9\": 3, \"e\\u0301\": 4}")
    #expect(document.duplicateKeys.map { Array($0.key.unicodeScalars).count } == [1, 2])
    #expect(document.root.value.compactText() == "{\"\u{E9}\":3,\"e\u{301}\":4}")
  }
}

@Suite struct JSONObjectTests {
  @Test func keepsTheOrderOfItsMembers() {
    var object: JSONObject = ["b": 1, "a": 2, "b": 3]
    #expect(object.keys == ["b", "a"])
    #expect(object.values == [3, 2])
    object["c"] = true
    object["b"] = nil
    #expect(object.map { "\($0.key)=\($0.value.compactText())" } == ["a=2", "c=true"])
    object["a"] = .null
    #expect(object.count == 2)
    #expect(object["d"] == nil)
  }

  @Test func takesOverMembers() {
    var object: JSONObject = ["a": 1, "b": 2]
    object.merge(["b": 3, "c": 4])
    #expect(JSONValue.object(object).compactText() == #"{"a":1,"b":3,"c":4}"#)
    object.removeAll { $0.key == "b" }
    #expect(object.keys == ["a", "c"])
  }
}
