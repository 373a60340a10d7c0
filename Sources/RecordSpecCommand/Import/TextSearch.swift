import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioReport

/// Finds many values in texts. A value is found where no letter or digit adjoins it, and the longest value wins.
///
/// The values are the paths of an Aho-Corasick automaton that reads them and the texts from the end. Its state at an offset
/// therefore knows the longest value that starts there. A symbol stands for each boundary of a word, so that a value that
/// starts or ends with a letter or digit matches only at a boundary.
struct TextSearch {
  struct Match {
    var length: Int
    /// The identifier of the value.
    var id: Int
  }

  private struct Node {
    var parent: Int32
    var symbol: UInt16
    var depth: Int32
    /// The node of the longest proper suffix of the path that is a path, too.
    var fallback: Int32 = 0
    /// The longest value that the path or one of its suffixes is; -1 if there is none.
    var value: Int32 = -1
  }

  private var nodes = [Node(parent: 0, symbol: 0, depth: 0)]
  /// The next nodes, by node and symbol.
  private var next: [UInt64: Int32] = [:]
  private var values: [Match] = []

  /// Creates a search for values of at least three bytes. Of equal values, the first one counts.
  ///
  /// - Complexity: linear in the number of bytes of the values.
  init(_ values: [(text: String, id: Int)]) {
    for value in values { insert(Array(value.text.utf8), value.id) }
    connect()
  }

  var isEmpty: Bool { values.isEmpty }

  // MARK: Automaton

  private static let boundary: UInt16 = 256

  private static func key(_ node: Int32, _ symbol: UInt16) -> UInt64 {
    UInt64(UInt32(bitPattern: node)) << 16 | UInt64(symbol)
  }

  private mutating func insert(_ bytes: [UInt8], _ id: Int) {
    guard bytes.count >= 3 else { return }
    var node: Int32 = 0
    func step(_ symbol: UInt16, _ search: inout TextSearch) {
      let key = Self.key(node, symbol)
      if let known = search.next[key] {
        node = known
      } else {
        let depth = search.nodes[Int(node)].depth + 1
        search.nodes.append(Node(parent: node, symbol: symbol, depth: depth))
        node = Int32(search.nodes.count - 1)
        search.next[key] = node
      }
    }
    Self.forEachSymbol(of: bytes) { symbol, _ in step(symbol, &self) }
    guard nodes[Int(node)].value < 0 else { return }
    nodes[Int(node)].value = Int32(values.count)
    values.append(Match(length: bytes.count, id: id))
  }

  /// Sets the fallbacks, those of the shortest paths first.
  private mutating func connect() {
    let deepest = nodes.map(\.depth).max() ?? 0
    var byDepth = Array(repeating: [Int32](), count: Int(deepest) + 1)
    for (index, node) in nodes.enumerated() { byDepth[Int(node.depth)].append(Int32(index)) }
    for index in byDepth.dropFirst().joined() {
      let node = nodes[Int(index)]
      let fallback = node.parent == 0 ? 0 : step(from: nodes[Int(node.parent)].fallback, node.symbol)
      nodes[Int(index)].fallback = fallback
      if node.value < 0 { nodes[Int(index)].value = nodes[Int(fallback)].value }
    }
  }

  private func step(from start: Int32, _ symbol: UInt16) -> Int32 {
    var node = start
    while true {
      if let found = next[Self.key(node, symbol)] { return found }
      if node == 0 { return 0 }
      node = nodes[Int(node)].fallback
    }
  }

  // MARK: Search

  /// Returns the longest value that starts at each byte of a text, nil where there is none; an empty array if the text
  /// contains no value.
  ///
  /// - Complexity: linear in the number of bytes.
  func matches(in bytes: [UInt8]) -> [Match?] {
    guard !isEmpty else { return [] }
    var found: [Match?] = []
    var node: Int32 = 0
    Self.forEachSymbol(of: bytes, isText: true) { symbol, offset in
      node = step(from: node, symbol)
      let value = nodes[Int(node)].value
      // A value that starts with a letter or digit starts with a boundary.
      guard value >= 0, offset < bytes.count else { return }
      if found.isEmpty { found = Array(repeating: nil, count: bytes.count) }
      found[offset] = values[Int(value)]
    }
    return found
  }

  /// Calls a closure with the symbols of a value or a text, the last one first, and with the offset of the byte of each, or
  /// of the byte after a boundary.
  private static func forEachSymbol(
    of bytes: [UInt8], isText: Bool = false, _ body: (UInt16, Int) -> Void
  ) {
    guard let first = bytes.first, let last = bytes.last else { return }
    if isText || isWord(last) { body(boundary, bytes.count) }
    for offset in bytes.indices.reversed() {
      body(UInt16(bytes[offset]), offset)
      if offset > 0, isBoundary(offset, in: bytes) { body(boundary, offset) }
    }
    if isText || isWord(first) { body(boundary, 0) }
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte >= 0x80 }

  /// Returns a Boolean value that indicates whether a word starts or ends at an offset. A word also starts after a
  /// percent-encoded character.
  private static func isBoundary(_ offset: Int, in bytes: [UInt8]) -> Bool {
    guard isWord(bytes[offset - 1]), isWord(bytes[offset]) else {
      return isWord(bytes[offset - 1]) || isWord(bytes[offset])
    }
    return offset >= 3 && bytes[offset - 3] == UInt8(ascii: "%") && bytes[offset - 1].hexadecimalValue != nil
      && bytes[offset - 2].hexadecimalValue != nil
  }
}
