/// The pairs of one mapping: each key once, merge keys laid in where they stand.
struct YAMLMappingBuilder {
  private(set) var diagnostics: [AuthorDiagnostic] = []
  private var slots: [Slot] = []
  private var written: [String: Int] = [:]
  private var mergeKeyRange: Range<Int>?

  private enum Slot {
    case pair(YAMLPair)
    case merged([YAMLPair])
  }

  /// Adds a pair as written. A second one with its key is left out and reported.
  mutating func add(_ pair: YAMLPair) {
    if let first = written[pair.key], case .pair(let earlier) = slots[first] {
      reportDuplicate(pair.key, at: pair.keySpan, first: earlier.keySpan)
      return
    }
    written[pair.key] = slots.count
    slots.append(.pair(pair))
  }

  /// Lays in what `<<:` names: a mapping, or a list of mappings of which earlier ones win.
  mutating func merge(_ node: YAMLNode, keyRange: Range<Int>) throws(YAMLRefusal) {
    if let first = mergeKeyRange {
      reportDuplicate("<<", at: node.file.span(keyRange), first: node.file.span(first))
      return
    }
    mergeKeyRange = keyRange
    if let pairs = node.pairs {
      slots.append(.merged(pairs))
      return
    }
    guard let elements = node.elements else { throw refusal(of: node, keyRange) }
    for element in elements {
      guard let pairs = element.pairs else { throw refusal(of: element, keyRange) }
      slots.append(.merged(pairs))
    }
  }

  /// All pairs in order. What is written here wins over what is merged, and what was merged earlier over the rest.
  func finish() -> [YAMLPair] {
    guard mergeKeyRange != nil else {
      return slots.compactMap { if case .pair(let pair) = $0 { pair } else { nil } }
    }
    var pairs: [YAMLPair] = []
    var merged: Set<String> = []
    for slot in slots {
      switch slot {
      case .pair(let pair): pairs.append(pair)
      case .merged(let others):
        pairs += others.filter { written[$0.key] == nil && merged.insert($0.key).inserted }
      }
    }
    return pairs
  }

  private mutating func reportDuplicate(_ key: String, at span: SourceSpan, first: SourceSpan) {
    diagnostics.append(
      AuthorDiagnostic(
        .duplicateKey, at: span, "duplicate key '\(key)'", advice: "keep one of the two",
        notes: [.init(first, "first here")]))
  }

  private func refusal(of node: YAMLNode, _ keyRange: Range<Int>) -> YAMLRefusal {
    YAMLRefusal(
      .init(
        .yamlMergeKey, at: node.file.span(keyRange),
        "'<<' lays a mapping or a list of mappings into this one, not \(node.kindName)",
        advice: "write \"<<\" in quotes if the key is meant as text"))
  }
}
