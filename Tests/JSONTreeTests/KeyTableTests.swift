import JSONTree
import Testing

/// Looking up many keys in one pass finds the same values as a subscript for each key.
struct KeyTableTests {
  /// Keys of all lengths around those at which the comparison changes.
  private static let keys =
    (0...20).map { String(repeating: "k", count: $0) } + [
      "kkkkkkkkAkkkkkkkk", "kkkkkkkkBkkkkkkkk", "é", "a\"b", "id",
    ]

  @Test func keysOfEveryLength() throws {
    let text =
      "{"
      + Self.keys.enumerated().map { "\(JSONValue.string($1).compactText()):\($0)" }.joined(separator: ",")
      + "}"
    let document = try parse(text)
    var found: [Int32] = []
    document.find(KeyTable(Self.keys.reversed()), inObjectAt: 0, into: &found)
    for (key, place) in zip(Self.keys.reversed(), found) {
      #expect(document.node(at: place).number == document.root[key]?.number, "\(key)")
    }
  }

  @Test func keysThatAreNotThere() throws {
    var found: [Int32] = [7]
    try parse(#"{"ab": 1, "kkkkkkkkCkkkkkkkk": 2, "id ": [{"id": 3}]}"#)
      .find(KeyTable(["id", "a", "kkkkkkkkAkkkkkkkk"]), inObjectAt: 0, into: &found)
    #expect(found == [-1, -1, -1])
    try parse("{}").find(KeyTable([]), inObjectAt: 0, into: &found)
    #expect(found.isEmpty)
  }

  @Test(arguments: [false, true])
  func ofAKeyThatStandsTwiceTheLastCounts(isFirstEnough: Bool) throws {
    let document = try parse(#"{"id": 1, "a": 2, "i\u0064": 3}"#)
    var found: [Int32] = []
    document.find(KeyTable(["id", "a"]), inObjectAt: 0, into: &found, isFirstEnough: isFirstEnough)
    #expect(found.map { document.node(at: $0).number?.int64Value } == [3, 2])
  }

  @Test func sameBytes() throws {
    let document = try parse(
      #"[{"id":1,"a":"x"}, {"id":1,"a":"x"}, {"id":1,"a":"y"}, "1", 1, "12345678a", "12345678b"]"#)
    let places = document.root.elements.map(\.index)
    for left in places {
      for right in places {
        let isSame = document.node(at: left).value == document.node(at: right).value
        #expect(document.haveSameBytes(document.extent(at: left), document.extent(at: right)) == isSame)
      }
    }
  }

  @Test func elementsOfArraysWithinArrays() throws {
    let document = try parse(#"[[1, []], {"a": [2]}, [[[3]]], 4]"#)
    var place: Int32 = 0
    var texts: [String] = []
    while let element = document.nextElement(&place, before: document.index(after: 0)) {
      texts.append(document.node(at: element).value.compactText())
    }
    #expect(texts == ["1", #"{"a":[2]}"#, "3", "4"])
  }

  @Test func textsAreCompared() throws {
    let document = try parse(#"["plain text", "a\nb", 7]"#)
    #expect(
      document.root.elements.map { document.string(at: $0.index, equals: "plain text") } == [
        true, false, false,
      ])
    #expect(
      document.root.elements.map { document.string(at: $0.index, equals: "a\nb") } == [false, true, false])
    #expect(
      document.root.elements.map { document.string(at: $0.index, equals: "7") } == [false, false, false])
  }
}
