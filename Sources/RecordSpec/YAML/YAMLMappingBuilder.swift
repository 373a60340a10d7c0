/// The pairs of one mapping, with unique keys and with merged pairs at the position of the merge key.
struct YAMLMappingBuilder {
  private(set) var diagnostics: [AuthorDiagnostic] = []
  private var slots: [Slot] = []
  private var written: [String: Int] = [:]
  private var mergeKeyRange: Range<Int>?

  private enum Slot {
    case pair(YAMLPair)
    case merged([YAMLPair])
  }

  /// Adds a pair. Reports and ignores a second pair with the same key.
  mutating func add(_ pair: YAMLPair) {
    if let first = written[pair.key], case .pair(let earlier) = slots[first] {
      reportDuplicate(pair.key, at: pair.keySpan, first: earlier.keySpan)
      return
    }
    written[pair.key] = slots.count
    slots.append(.pair(pair))
  }

  /// Adds the value of `<<:`: a mapping, or a list of mappings in which earlier ones take precedence. Reports and
  /// ignores a second merge key.
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

  /// Returns all pairs in order. Pairs of the mapping itself take precedence over merged ones, and earlier merged pairs
  /// over later ones.
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
        .duplicateKey, at: span, "duplicate key '\(key)'", advice: "remove one of them",
        notes: [.init(first, "first here")]))
  }

  private func refusal(of node: YAMLNode, _ keyRange: Range<Int>) -> YAMLRefusal {
    YAMLRefusal(
      .init(
        .yamlMergeKey, at: node.file.span(keyRange),
        "'<<' must be a mapping or a list of mappings, not \(node.kindName)",
        advice: "write \"<<\" for a key with this name"))
  }
}
