/// An index of the pairs of mappings by their keys. The keys of each long mapping are read only once, because a file may
/// have a problem for each of them.
final class YAMLPairIndex {
  private var pairs: [YAMLNode.Location: [String: YAMLPair]] = [:]

  func pair(_ key: String, in node: YAMLNode) -> YAMLPair? {
    guard let pairs = node.pairs else { return nil }
    if pairs.count <= 16 { return pairs.first { $0.key == key } }
    let known =
      self.pairs[node.location]
      ?? Dictionary(pairs.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    self.pairs[node.location] = known
    return known[key]
  }
}

extension YAMLNode {
  /// The location of a node, which identifies it.
  struct Location: Hashable {
    let path: String
    let range: Range<Int>
  }

  var location: Location { Location(path: file.path, range: range) }
}
