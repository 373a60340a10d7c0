import Testing

@testable import JSONTree

@Suite struct NodeTests {
  let document: JSONDocument
  var root: JSONNode { document.root }

  init() throws {
    document = try parse(
      #"""
      {"null": null, "yes": true, "no": false, "number": -1.50, "text": "a\nb", "plain": "é",
       "list": [1, [2, 3], {"x": {}}, "y"], "k\u0065y": 7, "a/b~": 8, "": 9}
      """#)
  }

  @Test func kinds() {
    let kinds = root.members.map { "\($0.key) \($0.value.kind.rawValue)" }
    #expect(
      kinds == [
        "null null", "yes boolean", "no boolean", "number number", "text string", "plain string",
        "list array",
        "key number", "a/b~ number", " number",
      ])
    #expect(root.kind == .object)
  }

  @Test func scalars() {
    #expect(root["null"]?.isNull == true)
    #expect(root["yes"]?.boolean == true)
    #expect(root["no"]?.boolean == false)
    #expect(root["number"]?.number?.digits == "-1.50")
    #expect(root["text"]?.string == "a\nb")
    #expect(root["plain"]?.string == "é")
  }

  @Test func otherKindsAnswerNil() {
    for (key, node) in root.members {
      #expect(node.isNull == (node.kind == .null), "\(key)")
      #expect((node.boolean != nil) == (node.kind == .boolean), "\(key)")
      #expect((node.number != nil) == (node.kind == .number), "\(key)")
      #expect((node.string != nil) == (node.kind == .string), "\(key)")
      if node.kind != .array {
        #expect(node[0] == nil && Array(node.elements).isEmpty && node.count == 0, "\(key)")
      }
      #expect(node["x"] == nil && Array(node.members).isEmpty, "\(key)")
    }
    #expect(root[0] == nil)
    #expect(Array(root.elements).isEmpty)
  }

  @Test func children() throws {
    let list = try #require(root["list"])
    #expect(root.count == 10)
    #expect(list.count == 4)
    #expect(list.elements.map(\.kind) == [.number, .array, .object, .string])
    #expect(list[1]?[1]?.number?.int64Value == 3)
    #expect(list[2]?["x"]?.count == 0)
    #expect(list[3]?.string == "y")
    #expect(list[4] == nil && list[-1] == nil && list[.max] == nil)
    #expect(root["key"]?.int64 == 7)
    #expect(root["kEy"] == nil && root["ke"] == nil && root["keyy"] == nil)
    #expect(root[""]?.int64 == 9)
  }

  @Test func keysAreComparedByScalars() throws {
    let document = try parse("{\"e\u{301}\": 1, \"\u{E9}\": 2, \"\\u00e8\": 3}")
    #expect(document.root["e\u{301}"]?.int64 == 1)
    #expect(document.root["\u{E9}"]?.int64 == 2)
    #expect(document.root["\u{E8}"]?.int64 == 3)
    #expect(document.root["e\u{300}"] == nil)
    #expect(document.duplicateKeys.isEmpty)
  }

  @Test func bytesAndPlaces() throws {
    func text(_ node: JSONNode?) throws -> String {
      String(decoding: document.bytes[try #require(node).byteRange], as: UTF8.self)
    }
    #expect(try text(root["text"]) == #""a\nb""#)
    #expect(try text(root["number"]) == "-1.50")
    #expect(try text(root["list"]) == #"[1, [2, 3], {"x": {}}, "y"]"#)
    #expect(try text(root["null"]) == "null")
    #expect(root.byteRange == 0..<document.bytes.count)
    let y = try #require(root["list"]?[3])
    #expect(y.location == JSONLocation(offset: y.byteRange.lowerBound, line: 2, column: 33))
    #expect(document.location(ofByte: .max).offset == document.bytes.count)
    #expect(document.location(ofByte: -1) == root.location)
  }

  @Test func pointersLeadThereAndBack() throws {
    var pointers: [String] = []
    func visit(_ node: JSONNode) throws {
      let pointer = node.pointer
      pointers.append(pointer.description)
      #expect(root.value(at: pointer)?.index == node.index)
      for child in node.elements { try visit(child) }
      for (_, child) in node.members { try visit(child) }
    }
    try visit(root)
    #expect(
      pointers == [
        "", "/null", "/yes", "/no", "/number", "/text", "/plain", "/list", "/list/0", "/list/1", "/list/1/0",
        "/list/1/1", "/list/2", "/list/2/x", "/list/3", "/key", "/a~1b~0", "/",
      ])
  }

  @Test(arguments: [
    "/list/4", "/list/-", "/list/01", "/list/-1", "/list/", "/nope", "/yes/0", "/list/99999999999999999999",
  ])
  func pointersToNothing(text: String) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(root.value(at: pointer) == nil)
  }

  @Test func valueIsRelativeToTheNode() throws {
    let list = try #require(root["list"])
    #expect(list.value(at: JSONPointer(tokens: ["1", "0"]))?.int64 == 2)
  }

  @Test func rawAccess() throws {
    let text = try #require(root["text"])
    let plain = try #require(root["plain"])
    #expect(text.string(equals: "a\nb") && !text.string(equals: "a\\nb") && !text.string(equals: "a\nc"))
    #expect(plain.string(equals: "é") && !plain.string(equals: "e") && !plain.string(equals: ""))
    #expect(root["number"]?.string(equals: "-1.50") == false)
    #expect(text.rawBytes == nil)
    #expect(plain.rawBytes.map(Array.init) == Array("é".utf8))
    #expect(root["number"]?.rawBytes.map(Array.init) == Array("-1.50".utf8))
    #expect(root["list"]?.rawBytes == nil && root["null"]?.rawBytes == nil)

    let members = Array(root.rawMembers)
    #expect(members.map(\.key.string) == root.members.map(\.key))
    #expect(members.map(\.value.index) == root.members.map(\.value.index))
    let key = members[7].key
    #expect(key == "key" && !(key == "k\\u0065y") && key == Array("key".utf8) && key.rawBytes == nil)
    #expect(members[0].key.rawBytes.map(Array.init) == Array("null".utf8))
    #expect(members[0].key == "null" && !(members[0].key == "nulL"))
    #expect(key.location.line == 2)
  }

  @Test(
    arguments: [
      ("7", 7), ("-7", -7), ("1.0", 1), ("1e3", 1000), ("10e-1", 1), ("1.5", nil),
      ("9223372036854775807", .max),
      ("9223372036854775808", nil), ("-9223372036854775808", .min), ("\"7\"", nil), ("true", nil),
    ] as [(String, Int64?)])
  func int64(text: String, value: Int64?) throws {
    #expect(try parse(text).root.int64 == value)
  }

  @Test func documentOfAValue() throws {
    let value: JSONValue = [
      "id": 7, "big": 1e300, "texts": ["", "plain", "a\"\\\n\u{1}é"], "no": nil, "yes": [true, false],
      "k\n": [:],
      "deep": [["a": [["b": -1]]]],
    ]
    let document = JSONDocument(value)
    #expect(document.bytes == Array(value.compactText().utf8))
    #expect(document.root.value == value)
    // The tape equals the tape that the parser creates from the bytes.
    let parsed = try JSONDocument(parsing: document.bytes)
    #expect(document.tape.words.map(\.bits) == parsed.tape.words.map(\.bits))
    #expect(document.root["k\n"]?.pointer.description == "/k\n")
    #expect(JSONDocument(nil).root.isNull)
  }
}
