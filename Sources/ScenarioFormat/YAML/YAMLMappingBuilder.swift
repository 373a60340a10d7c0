/// The pairs of one mapping, with unique keys and with merged pairs at the position of the merge key.
struct YAMLMappingBuilder {
  private(set) var diagnostics: [AuthorDiagnostic] = []
  private var slots: [Slot] = []
  private var written: [String: Int] = [:]
  private var mergeKeyRange: Range<Int>?
  /// A Boolean value that indicates whether the mapping is an entry of a list.
  private let isEntry: Bool
  /// A Boolean value that indicates whether the next entry of the list probably began without its `- `.
  private var hasNextEntry = false

  init(isEntry: Bool) { self.isEntry = isEntry }

  private enum Slot {
    case pair(YAMLPair)
    case merged([YAMLPair])
  }

  /// Adds a pair. Reports and ignores a second pair with the same key.
  mutating func add(_ pair: YAMLPair) {
    if let first = written[pair.key], case .pair(let earlier) = slots[first] {
      // The other keys of an entry without `- ` are duplicates for the same reason.
      if hasNextEntry { return }
      hasNextEntry = isEntry && first == 0
      reportDuplicate(
        pair.key, at: pair.keySpan, first: earlier.keySpan,
        advice: hasNextEntry
          ? "remove one of them, or write '- ' before it to begin the next entry" : "remove one of them")
      return
    }
    written[pair.key] = slots.count
    slots.append(.pair(pair))
  }

  /// Adds the value of `<<:`: a mapping, or a list of mappings in which earlier ones take precedence. Reports and
  /// ignores a second merge key.
  mutating func merge(_ node: YAMLNode, keyRange: Range<Int>) throws(AuthorDiagnostic) {
    if let first = mergeKeyRange {
      reportDuplicate(
        "<<", at: node.file.span(keyRange), first: node.file.span(first), advice: "remove one of them")
      return
    }
    mergeKeyRange = keyRange
    for element in node.elements ?? [node] {
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

  private mutating func reportDuplicate(
    _ key: String, at span: SourceSpan, first: SourceSpan, advice: String
  ) {
    let note = AuthorDiagnostic.Note(first, "first here")
    diagnostics.append(
      .init(.duplicateKey, at: span, "duplicate key '\(key)'", advice: advice, notes: [note]))
  }

  private func refusal(of node: YAMLNode, _ keyRange: Range<Int>) -> AuthorDiagnostic {
    let isName = node.scalar?.style == .plain && !node.isNull
    return AuthorDiagnostic(
      .yamlMergeKey, at: isName ? node.span : node.file.span(keyRange),
      "'<<' must be a mapping or a list of mappings, not \(node.kindName)",
      advice: isName
        ? "write '<<: *\(node.scalar?.text ?? "")' to merge the mapping with this anchor"
        : "write \"<<\" for a key with this name")
  }
}
