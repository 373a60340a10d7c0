import JSONTree
import TestSupport
import Testing

@testable import RecordModel

/// Key paths in raw dictionaries: long paths, and lists within lists.
@Suite("Predicates: key paths")
struct PredicateKeyPathTests {
  private static func path(_ key: String, _ count: Int, _ end: String) -> String {
    (Array(repeating: key, count: count) + [end]).joined(separator: ".")
  }

  @Test func aLongPathTakesNoStack() throws {
    let count = 16_000
    let text = Self.path("parent", count, "name")
    let predicate = try RecordPredicate("\(text) == 'x' OR \(text) == nil")
    #expect(predicate.keyPaths.map(\.keys.count) == [count + 1, count + 1])
    #expect(try RecordPredicate(predicate.tree.description).tree == predicate.tree)
    #expect(predicate.matches(try JSONDocument(parsing: Array(#"{"parent": {}}"#.utf8)).root))

    // The document is as deep as the path, in objects and in lists.
    for (open, close) in [(#"{"parent": "#, "}"), (#"[{"parent": "#, "}]")] {
      let json =
        String(repeating: open, count: count) + #"{"name": "x"}"# + String(repeating: close, count: count)
      let document = try JSONDocument(parsing: Array(json.utf8), maximumDepth: 2 * count + 1)
      #expect(try RecordPredicate("ANY \(text) == 'x'").matches(document.root))
      #expect(try !RecordPredicate("ANY \(text) == 'y'").matches(document.root))
    }
    let lists =
      #"{"a": "# + String(repeating: "[", count: count) + "1" + String(repeating: "]", count: count) + "}"
    let document = try JSONDocument(parsing: Array(lists.utf8), maximumDepth: count + 1)
    let listed: RecordPredicate = "ANY a == 1 AND NONE a == 2 AND NOT a CONTAINS 1 AND NOT a == nil"
    #expect(listed.matches(document.root))
  }

  /// Follows the keys recursively, and nests a list for each array, as the language defines it.
  private static func slowly(_ node: JSONNode, _ keys: ArraySlice<String>) -> PredicateValue {
    guard let key = keys.first else {
      switch node.kind {
      case .array: return .list(node.elements.map { slowly($0, []) })
      case .object: return .opaque(nil)
      default: return node.value(at: [])
      }
    }
    switch node.kind {
    case .array where keys == ["@count"], .object where keys == ["@count"]:
      return .number(JSONNumber(Int64(node.count)))
    case .array: return .list(node.elements.map { slowly($0, keys) })
    case .object: return node[key].map { slowly($0, keys.dropFirst()) } ?? .null
    default: return .null
    }
  }

  private struct Slowly: PredicateSubject {
    let node: JSONNode

    func value(at keyPath: [String]) -> PredicateValue { PredicateKeyPathTests.slowly(node, keyPath[...]) }
  }

  private static func json(_ depth: Int, _ random: inout SeededGenerator) -> String {
    switch depth == 0 ? Int.random(in: 0...2, using: &random) : Int.random(in: 0...7, using: &random) {
    case 0: return "null"
    case 1: return String(Int.random(in: 0...2, using: &random))
    case 2: return Bool.random(using: &random) ? #""a""# : #""b""#
    case 3, 4:
      let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in json(depth - 1, &random) }
      return "[\(elements.joined(separator: ","))]"
    default: return #"{"a": \#(json(depth - 1, &random)), "b": \#(json(depth - 1, &random))}"#
    }
  }

  @Test func anyPathIsFollowedAsTheSlowWayDoes() throws {
    var random = SeededGenerator(seed: 51)
    let comparisons = [
      "ANY % == 1", "ALL % == 'a'", "NONE % == nil", "% CONTAINS 'a'", "% CONTAINS nil", "1 IN %", "% == nil",
      "% == 1",
      "% IN {1, 'a'}", "ANY % > 0", "% == 'b'", "ALL % != nil",
    ]
    var held = 0
    for _ in 0..<20_000 {
      let document = try JSONDocument(parsing: Array(Self.json(4, &random).utf8))
      var keys = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Bool.random(using: &random) ? "a" : "b"
      }
      if Int.random(in: 0...4, using: &random) == 0 { keys.append("@count") }
      let path = keys.isEmpty ? "SELF" : keys.joined(separator: ".")
      let comparison = comparisons.randomElement(using: &random) ?? ""
      // ANY requires a key path, and SELF is not one.
      if keys.isEmpty, !comparison.hasPrefix("%"), !comparison.hasPrefix("1") { continue }
      let predicate = try RecordPredicate(
        comparison.split(separator: "%", omittingEmptySubsequences: false).joined(separator: path))
      let holds = predicate.matches(document.root)
      #expect(
        holds == predicate.matches(Slowly(node: document.root)), "\(predicate) of \(document.root.value)")
      held += holds ? 1 : 0
    }
    #expect(held > 2_000)
  }

  @Test func aPartIsFoundAsTheSlowWayDoes() {
    var random = SeededGenerator(seed: 52)
    func word(_ length: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: length, using: &random)).map { _ in
          Int.random(in: 0...2, using: &random) == 0 ? "b" : "a"
        })
    }
    var found = 0
    for _ in 0..<20_000 {
      let (text, part) = (Array(word(0...12)), Array(word(0...5)))
      let expected =
        text.count >= part.count
        && (0...text.count - part.count).contains { Array(text[$0..<$0 + part.count]) == part }
      let holds = PredicateValue.string(String(text)).holds(.string(String(part)), [])
      #expect(holds == expected, "\(String(text)) CONTAINS \(String(part))")
      found += holds ? 1 : 0
    }
    #expect(found > 2_000)
  }
}
