import JSONTree
import TestSupport
import Testing

@testable import RecordModel

@Suite("Mapping paths: syntax")
struct MappingPathSyntaxTests {
  typealias Component = MappingPath.Component

  static let paths: [(text: String, components: [Component], description: String)] = [
    ("user", [.key("user")], "user"),
    ("a.b.c", [.key("a"), .key("b"), .key("c")], "a.b.c"),
    ("items[0].url", [.key("items"), .index(0), .key("url")], "items[0].url"),
    ("items[-1].url", [.key("items"), .index(-1), .key("url")], "items[-1].url"),
    (
      #"links[ meta.rel='a"]' ].url"#,
      [.key("links"), .first(where: "meta.rel", equals: #"a"]"#), .key("url")],
      #"links[meta.rel = "a\"]"].url"#
    ),
    ("links[n = 2]", [.key("links"), .first(where: "n", equals: 2)], "links[n = 2]"),
    (
      #"[links, [rel = "a"], "b.c"]"#, [.key("links"), .first(where: "rel", equals: "a"), .key("b.c")],
      #"[links, [rel = "a"], "b.c"]"#
    ),
    ("@parent.@parent.id", [.around(.parent), .around(.parent), .key("id")], "@parent.@parent.id"),
    ("@request.path[-1]", [.around(.request), .key("path"), .index(-1)], "@request.path[-1]"),
    ("@index", [.around(.index)], "@index"),
    ("matrix[1][20]", [.key("matrix"), .index(1), .index(20)], "matrix[1][20]"),
    ("@count", [.count], "@count"),
    ("tags.@count", [.key("tags"), .count], "tags.@count"),
    (
      "tags.@unionOfObjects.text", [.key("tags"), .unionOfObjects, .key("text")], "tags.@unionOfObjects.text"
    ),
    (
      "größe.full name.a-b.$ref", [.key("größe"), .key("full name"), .key("a-b"), .key("$ref")],
      "größe.full name.a-b.$ref"
    ),
    ("mail@home", [.key("mail@home")], "mail@home"),
    ("0.1", [.key("0"), .key("1")], "0.1"),
    (#"[user, "a.b"]"#, [.key("user"), .key("a.b")], #"[user, "a.b"]"#),
    (#"[ 'a.b' , user ]"#, [.key("a.b"), .key("user")], #"["a.b", user]"#),
    ("[user, a.b]", [.key("user"), .key("a.b")], #"[user, "a.b"]"#),
    ("[user, name]", [.key("user"), .key("name")], "user.name"),
    (
      #"["a.b", 0, "0", "@count", @count]"#,
      [.key("a.b"), .index(0), .key("0"), .key("@count"), .count], #"["a.b", 0, "0", "@count", @count]"#
    ),
    ("[0, url]", [.index(0), .key("url")], "[0, url]"),
    ("[007]", [.key("007")], "007"),
    (#"["q\"\\\n\t\r\'", ""]"#, [.key("q\"\\\n\t\r'"), .key("")], #"["q\"\\\n\t\r'", ""]"#),
    (
      #"[" a", "[", "]", "x,y.z"]"#, [.key(" a"), .key("["), .key("]"), .key("x,y.z")],
      #"[" a", "[", "]", "x,y.z"]"#
    ),
    ("[]", [], "[]"),
    ("[ ]", [], "[]"),
  ]

  @Test(arguments: paths)
  func parsesAndWritesBack(text: String, components: [Component], description: String) throws {
    let path = try MappingPath(text)
    #expect(path.components == components)
    #expect(path.description == description)
    #expect(try MappingPath(path.description) == path)
    #expect(MappingPath(stringLiteral: text) == path)
    #expect(MappingPath(components: components) == path)
  }

  /// Keys are compared by their Unicode scalars, as in the response.
  @Test func keysDifferByScalars() throws {
    let (composed, apart) = (MappingPath("user.\u{E9}"), MappingPath("user.e\u{301}"))
    #expect(composed != apart)
    #expect(Set([composed, apart, composed]).count == 2)
    #expect(try MappingPath(apart.description) == apart)
  }

  static let listAdvice =
    #"if a key contains dots, brackets or quotes, write the path as a list: [user, "a.b"]"#

  static let mistakes: [(text: String, range: Range<Int>, message: String, advice: String?)] = [
    ("", 0..<0, "the path is empty", "write the key to look up, 'user' or 'user.name'"),
    (".a", 0..<1, "missing key before '.'", nil),
    ("a..b", 2..<3, "missing key before '.'", nil),
    ("a.", 1..<2, "missing key after '.'", nil),
    ("a.[0]", 2..<3, "missing key before '['", nil),
    ("tags.@cuont", 5..<11, "unknown operator '@cuont'", "did you mean '@count'?"),
    ("tags.@unionOfObject.x", 5..<19, "unknown operator '@unionOfObject'", "did you mean '@unionOfObjects'?"),
    (
      "tags.@sum", 5..<9, "unknown operator '@sum'",
      #"for a key with this name, write the path as a list: ["@sum"], or [["@sum"]] in a list of paths such as 'from'"#
    ),
    ("tags.@count.x", 5..<11, "'@count' must be the last part of a path", "remove the part after it"),
    (
      "tags.@unionOfObjects", 5..<20, "'@unionOfObjects' requires a path after it",
      "write '@unionOfObjects.name', or remove it to get the elements themselves"
    ),
    ("items[", 5..<6, "missing ']' for '['", listAdvice),
    ("items[0", 5..<7, "missing ']' for '['", listAdvice),
    (
      "items[0.x]", 5..<10, "expected an index or a condition in the brackets, found '0.x'",
      "write [0] for the first element, [-1] for the last, or [rel = \"next\"]"
    ),
    (
      "items[rel = next]", 5..<17, "expected a text in quotes, a number, true or false, found 'next'",
      #"write [rel = "next"]"#
    ),
    (#"items[= "next"]"#, 6..<6, "the path is empty", "write the key to look up, 'user' or 'user.name'"),
    ("items[@root = 1]", 6..<11, "the path of a condition can contain only keys", nil),
    (
      "a.@root.b", 2..<7, "'@root' must be at the start of a path",
      "a value from around the item cannot follow another part; only '@parent' can be repeated"
    ),
    ("@index.x", 0..<6, "'@index' must be the last part of a path", "remove the part after it"),
    ("items]", 5..<6, "missing '[' for ']'", listAdvice),
    (
      "items[]", 5..<7, "expected an index or a condition in the brackets, found ''",
      "without brackets, the path reads every element of an array"
    ),
    (
      "items[*].x", 5..<8, "expected an index or a condition in the brackets, found '*'",
      "without brackets, the path reads every element of an array"
    ),
    (
      "items[99999999999999999999]", 5..<27,
      "expected an index or a condition in the brackets, found '99999999999999999999'",
      "write [0] for the first element, [-1] for the last, or [rel = \"next\"]"
    ),
    ("items[0]url", 8..<9, "expected '.' after ']', found 'u'", nil),
    (
      "user. name", 5..<10, "the key has spaces around it",
      #"remove the spaces; if they belong to the key, write the path as a list: [" name"]"#
    ),
    (
      "   ", 0..<3, "the key has spaces around it",
      #"remove the spaces; if they belong to the key, write the path as a list: ["   "]"#
    ),
    (#""a.b""#, 0..<2, "unexpected quote", listAdvice),
    ("user.'a.b'", 5..<7, "unexpected quote", listAdvice),
    ("[a", 0..<1, "missing ']' at the end of the list", nil),
    ("[a,", 0..<1, "missing ']' at the end of the list", nil),
    ("[", 0..<1, "missing ']' at the end of the list", nil),
    ("[a,]", 3..<4, "expected a key, found ']'", nil),
    ("[,a]", 1..<2, "expected a key, found ','", nil),
    (#"["a" "b"]"#, 5..<6, #"expected ',' or ']', found '"'"#, nil),
    (#"["a]"#, 1..<2, "missing closing quote", nil),
    (#"["\d"]"#, 2..<4, "unknown escape in the key", #"write '\\' for a backslash"#),
    (#"["\"#, 2..<3, "unknown escape in the key", #"write '\\' for a backslash"#),
    (
      "[0].url", 3..<7, "expected the end of the path after the list, found '.url'",
      "write the whole path as one list: [0, url]"
    ),
    ("[a, @count, b]", 4..<10, "'@count' must be the last part of a path", "remove the part after it"),
    ("[@conut]", 1..<7, "unknown operator '@conut'", "did you mean '@count'?"),
  ]

  @Test(arguments: mistakes)
  func reports(text: String, range: Range<Int>, message: String, advice: String?) {
    let expected = MappingPathSyntaxError(text: text, range: range, message: message, advice: advice)
    #expect(throws: expected) { try MappingPath(text) }

    let literal = MappingPath(stringLiteral: text)
    #expect(literal.syntaxError == expected)
    #expect(literal.description == text)
    #expect(literal.components.isEmpty)
    #expect(literal != MappingPath(keys: []))
  }

  @Test func componentsThatNoTextHas() {
    let path = MappingPath(components: [.count, .key("a")])
    #expect(path.components.isEmpty)
    #expect(path.syntaxError?.message == "'@count' must be the last part of a path")
    #expect(path.description == "@count.a")
  }

  @Test func singleKeys() {
    #expect(MappingPath(keys: ["a.b"]).singleKey == "a.b")
    #expect(MappingPath("a").isSingleKey)
    for path: MappingPath in ["a.b", "@count", "a[0]", "[]", "a..b"] { #expect(path.singleKey == nil) }
  }

  @Test func anyPathIsWrittenBack() throws {
    var random = SeededGenerator(seed: 11)
    let keys = [
      "a", "b c", "a.b", "@x", "", "[", "]", "0", "01", ",", "\"", "'", " ", "\\", "\n", "é", "@count",
    ]
    for _ in 0..<2_000 {
      var components: [Component] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        switch Int.random(in: 0...5, using: &random) {
        case 0: components.append(.index(Int.random(in: 0...100, using: &random)))
        case 1: components.append(.unionOfObjects)
        default: components.append(.key(keys.randomElement(using: &random) ?? ""))
        }
      }
      components.append(Bool.random(using: &random) ? .count : .key("end"))
      let path = MappingPath(components: components)
      #expect(path.syntaxError == nil)
      #expect(try MappingPath(path.description) == path, "\(path)")
    }
  }

  @Test func noTextStopsTheProgram() {
    var random = SeededGenerator(seed: 12)
    let pieces = [
      "a", ".", "[", "]", "0", "@count", "@", "\"", "'", "\\", ",", " ", "é", "@unionOfObjects", "-1",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...8, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let path = MappingPath(stringLiteral: text)
      if let error = path.syntaxError {
        #expect(error.range.upperBound <= text.unicodeScalars.count, "\(text)")
        #expect(path.description == text)
      } else {
        #expect(MappingPath(stringLiteral: path.description) == path, "\(text)")
      }
    }
  }
}

@Suite("Mapping paths: finding values")
struct MappingPathFindingTests {
  static let item = """
    {
      "id": 7, "none": null, "a.b": "dotted", "@x": "at", "name": "Ada",
      "user": {"name": "Grace", "address": null, "pets": [{"name": "Rex"}, {"age": 3}, {"name": null}]},
      "items": [{"url": "u0"}, {"url": "u1"}, 5, null, {"other": 1}],
      "matrix": [[{"v": 1}, {"v": 2}], [], [{"v": 3}, {}]],
      "empty": [], "twice": {"k": 1, "k": 2},
      "posts": [{"tags": [{"t": "a"}, {"t": "b"}]}, {"tags": []}, {}, {"tags": null}]
    }
    """

  /// The finding as compact JSON; nil if the path is absent.
  static let lookups: [(path: MappingPath, found: String?)] = [
    ("id", "7"),
    ("missing", nil),
    ("none", "null"),
    ("none.name", nil),
    ("user.address", "null"),
    ("user.address.street", nil),
    ("user.name", #""Grace""#),
    ("user.name.length", nil),
    ("id.x", nil),
    (MappingPath(keys: ["a.b"]), #""dotted""#),
    ("a.b", nil),
    (MappingPath(keys: ["@x"]), #""at""#),
    ("twice.k", "2"),
    ("items.url", #"["u0","u1"]"#),
    ("items[1].url", #""u1""#),
    ("items[2]", "5"),
    ("items[3]", "null"),
    ("items[3].url", nil),
    ("items[5]", nil),
    ("items[2].url", nil),
    ("user[0]", nil),
    ("user.pets.name", #"["Rex",null]"#),
    ("user.pets[1].age", "3"),
    ("matrix.v", "[[1,2],[],[3]]"),
    ("matrix[0].v", "[1,2]"),
    ("matrix[0][1].v", "2"),
    ("matrix.@count", "3"),
    ("empty", "[]"),
    ("empty.url", "[]"),
    ("empty.@count", "0"),
    ("missing.@count", nil),
    ("none.@count", nil),
    ("name.@count", nil),
    ("items.@count", "5"),
    ("user.@count", "3"),
    ("posts.tags.@count", "[2,0]"),
    ("posts.tags.t", #"[["a","b"],[]]"#),
    ("posts.tags", #"[[{"t":"a"},{"t":"b"}],[],null]"#),
    ("items.@unionOfObjects.url", #"["u0","u1"]"#),
    ("posts.@unionOfObjects.tags.t", #"[["a","b"],[]]"#),
    ("user.@unionOfObjects.name", nil),
    ("items..url", nil),
  ]

  @Test(arguments: lookups)
  func finds(path: MappingPath, found: String?) throws {
    let node = try parse(Self.item)
    #expect(path.find(in: node)?.node.value.compactText() == found)
  }

  @Test func theEmptyPathFindsTheItem() throws {
    let node = try parse("[1]")
    #expect(MappingPath(keys: []).find(in: node)?.node.value.compactText() == "[1]")
  }

  @Test func aRootArrayIsWalked() throws {
    let node = try parse(#"[{"a": 1}, {"b": 2}, {"a": 3}]"#)
    #expect(MappingPath("a").find(in: node)?.node.value.compactText() == "[1,3]")
    #expect(MappingPath("@count").find(in: node)?.node.value.compactText() == "3")
    #expect(MappingPath("[1, b]").find(in: node)?.node.value.compactText() == "2")
  }

  @Test(arguments: [
    ("matrix.v", ["1", "2", "3"]),
    ("user", [#"{"name":"Grace","address":null,"pets":[{"name":"Rex"},{"age":3},{"name":null}]}"#]),
    ("matrix", [#"{"v":1}"#, #"{"v":2}"#, #"{"v":3}"#, "{}"]), ("none", ["null"]), ("empty", []),
    ("posts.tags.t", [#""a""#, #""b""#]), ("items.@count", ["5"]),
  ])
  func flattensToNodes(text: String, leaves: [String]) throws {
    let finding = MappingPath(stringLiteral: text).find(in: try parse(Self.item))
    #expect(finding?.nodes.map { $0.value.compactText() } == leaves)
  }

  private func parse(_ text: String) throws -> JSONNode { try JSONDocument(parsing: Array(text.utf8)).root }
}
