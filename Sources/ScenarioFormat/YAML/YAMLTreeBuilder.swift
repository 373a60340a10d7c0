import RecordModel

/// A builder that creates the tree of nodes from events and rejects YAML that scenarios do not support.
struct YAMLTreeBuilder {
  private(set) var root: YAMLNode?
  private(set) var diagnostics: [AuthorDiagnostic] = []

  private let file: SourceFile
  /// A Boolean value that indicates whether the tags of other programs are ignored. They are errors in scenarios.
  private let ignoresTags: Bool
  private var open: [OpenCollection] = []
  private var anchors: [String: Built] = [:]
  private var aliasedNodeCount = 0
  private var hasDocument = false

  init(file: SourceFile, ignoringTags ignoresTags: Bool = false) {
    (self.file, self.ignoresTags) = (file, ignoresTags)
  }

  /// A finished node, with its size and depth after its aliases are resolved.
  private struct Built {
    var node: YAMLNode
    var nodeCount: Int
    var depth: Int
  }

  /// A list or mapping whose end has not been read.
  private struct OpenCollection {
    var anchor: String?
    var range: Range<Int>
    var isMapping: Bool
    var elements: [YAMLNode] = []
    var mapping: YAMLMappingBuilder
    var key: (text: String, range: Range<Int>, isMerge: Bool)?
    var nodeCount = 1
    var depth = 1
    /// The end of the last element. libyaml ends a block collection where the next token begins.
    var end: Int
    var isFlow: Bool
  }

  /// Processes an event. Returns a Boolean value that indicates whether more events are expected.
  mutating func take(_ item: YAMLEvents.Item) throws(AuthorDiagnostic) -> Bool {
    switch item.event {
    case .streamEnd:
      if root == nil { throw AuthorDiagnostic(.yamlEmpty, at: .file(file.path), "the file is empty") }
      return false
    case .documentStart:
      if hasDocument {
        throw AuthorDiagnostic(
          .yamlDocuments, at: file.span(item.range.lowerBound..<item.range.lowerBound + 3),
          "unexpected second document", advice: "write each document in its own file")
      }
      hasDocument = true
    case .documentEnd: break
    case .scalar(let text, let tag, let style): try takeScalar(text, tag, style, item)
    case .alias: try takeAlias(item)
    case .sequenceStart(let tag): try begin(item, isMapping: false, tag: tag)
    case .mappingStart(let tag): try begin(item, isMapping: true, tag: tag)
    case .sequenceEnd, .mappingEnd: try finishCollection(item)
    }
    return true
  }

  // MARK: Scalars and aliases

  private mutating func takeScalar(
    _ text: String, _ tag: String?, _ style: YAMLScalar.Style, _ item: YAMLEvents.Item
  ) throws(AuthorDiagnostic) {
    var scalar = YAMLScalar(text: text, style: style, tag: nil)
    let range = style == .block ? trimmed(item.range) : item.range
    if ignoresTags, tag == "tag:yaml.org,2002:binary",
      let bytes = data(base64: text.utf8, allowingLineBreaks: true),
      let decoded = String(validating: bytes, as: UTF8.self)
    {
      scalar.text = decoded
    }
    if let tag { scalar.tag = try scalarTag(tag, text: text, at: range) }
    let node = YAMLNode(content: .scalar(scalar), file: file, range: range)
    try add(Built(node: node, nodeCount: 1, depth: 0), anchor: item.anchor)
  }

  private mutating func takeAlias(_ item: YAMLEvents.Item) throws(AuthorDiagnostic) {
    let name = item.anchor ?? ""
    guard let target = anchors[name] else {
      let isInside = open.contains { $0.anchor == name }
      throw AuthorDiagnostic(
        .yamlAlias, at: file.span(item.range),
        isInside
          ? "the alias '*\(name)' refers to a value that contains it"
          : "unknown anchor '&\(name)' for the alias '*\(name)'",
        advice: isInside
          ? nil
          : nearestName(to: name, among: anchors.keys.sorted()).map { "did you mean '*\($0)'?" }
            ?? "write \"*\(name)\" in quotes if it is a string")
    }
    aliasedNodeCount += target.nodeCount
    if aliasedNodeCount > YAMLParser.maximumAliasedNodes {
      throw AuthorDiagnostic(
        .yamlAliasLimit, at: file.span(item.range),
        "the aliases expand to more than \(YAMLParser.maximumAliasedNodes) values",
        advice: "use fewer nested aliases")
    }
    try checkDepth(open.count + target.depth, at: item.range)
    try add(target, anchor: nil, range: item.range)
  }

  // MARK: Collections

  private mutating func begin(
    _ item: YAMLEvents.Item, isMapping: Bool, tag: String?
  ) throws(AuthorDiagnostic) {
    if let tag, !ignoresTags, tag != "!", tag != "tag:yaml.org,2002:" + (isMapping ? "map" : "seq") {
      throw unknownTag(tag, at: item.range)
    }
    if let parent = open.last, parent.isMapping, parent.key == nil {
      throw AuthorDiagnostic(
        .yamlKey, at: file.span(item.range), "a key cannot be \(isMapping ? "a mapping" : "a list")",
        advice: "use a string as the key")
    }
    try checkDepth(open.count + 1, at: item.range)
    // The start event of a block collection has an empty range.
    open.append(
      OpenCollection(
        anchor: item.anchor, range: item.range, isMapping: isMapping,
        mapping: YAMLMappingBuilder(isEntry: open.last.map { !$0.isMapping } ?? false),
        end: item.range.upperBound, isFlow: !item.range.isEmpty && isBracket(item.range.upperBound - 1)))
  }

  private mutating func finishCollection(_ item: YAMLEvents.Item) throws(AuthorDiagnostic) {
    guard let collection = open.popLast() else { return }
    let start = collection.range.lowerBound
    let end = collection.isFlow ? item.range.upperBound : collection.end
    let content: YAMLNode.Content
    if collection.isMapping {
      let mapping = collection.mapping
      content = .mapping(mapping.finish())
      diagnostics += mapping.diagnostics
    } else {
      content = .sequence(collection.elements)
    }
    let node = YAMLNode(content: content, file: file, range: start..<max(start, end))
    try add(
      Built(node: node, nodeCount: collection.nodeCount, depth: collection.depth), anchor: collection.anchor)
  }

  /// Adds a finished node to the open list or mapping, as the next key, or as the root.
  ///
  /// - Parameter range: the range of the alias, if the node replaces one.
  private mutating func add(
    _ built: Built, anchor: String?, range: Range<Int>? = nil
  ) throws(AuthorDiagnostic) {
    if let anchor { anchors[anchor] = built }
    guard !open.isEmpty else {
      root = built.node
      return
    }
    let last = open.count - 1
    let range = range ?? built.node.range
    open[last].end = max(open[last].end, range.upperBound)
    if open[last].isMapping, open[last].key == nil {
      open[last].key = try key(built.node, range: range)
      return
    }
    open[last].nodeCount += built.nodeCount
    open[last].depth = max(open[last].depth, built.depth + 1)
    guard let key = open[last].key else {
      open[last].elements.append(built.node)
      return
    }
    open[last].key = nil
    if key.isMerge {
      try open[last].mapping.merge(built.node, keyRange: key.range)
    } else {
      open[last].mapping.add(YAMLPair(key: key.text, keyRange: key.range, value: built.node))
    }
  }

  private func key(
    _ node: YAMLNode, range: Range<Int>
  ) throws(AuthorDiagnostic) -> (text: String, range: Range<Int>, isMerge: Bool) {
    guard let scalar = node.scalar else {
      throw AuthorDiagnostic(
        .yamlKey, at: file.span(range), "a key cannot be \(node.kindName)", advice: "use a string as the key")
    }
    if scalar.text.isEmpty, scalar.style == .plain {
      throw AuthorDiagnostic(
        .yamlKey, at: file.span(range), "missing key before ':'", advice: "write \"\" for an empty key")
    }
    return (scalar.text, range, scalar.style == .plain && scalar.text == "<<")
  }

  // MARK: Tags, depth and ranges

  private func scalarTag(
    _ tag: String, text: String, at range: Range<Int>
  ) throws(AuthorDiagnostic) -> YAMLScalarTag {
    if tag == "!" { return .string }
    let prefix = "tag:yaml.org,2002:"
    guard tag.hasPrefix(prefix), let known = YAMLScalarTag(rawValue: String(tag.dropFirst(prefix.count)))
    else {
      if ignoresTags { return .string }
      throw unknownTag(tag, at: range)
    }
    if YAMLScalar.value(of: text, tagged: known) == nil {
      throw AuthorDiagnostic(
        .yamlTag, at: file.span(range), "the value does not match its tag '!!\(known.rawValue)'")
    }
    return known
  }

  private func unknownTag(_ tag: String, at range: Range<Int>) -> AuthorDiagnostic {
    let prefix = "tag:yaml.org,2002:"
    let shown = tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    return AuthorDiagnostic(
      .yamlTag, at: file.span(range), "unknown tag '\(shown)'",
      expected: "!!str, !!int, !!float, !!bool, !!null, !!seq or !!map",
      advice: tag.lowercased().contains("include")
        ? "remove the tag, and name the file with 'bodyFile'" : "remove the tag")
  }

  private func checkDepth(_ depth: Int, at range: Range<Int>) throws(AuthorDiagnostic) {
    guard depth > YAMLParser.maximumDepth else { return }
    throw AuthorDiagnostic(
      .yamlDepth, at: file.span(range),
      "lists and mappings are more than \(YAMLParser.maximumDepth) levels deep here")
  }

  private func isBracket(_ offset: Int) -> Bool {
    file.bytes[offset] == UInt8(ascii: "[") || file.bytes[offset] == UInt8(ascii: "{")
  }

  /// Returns the range of a block scalar without its trailing line breaks and spaces.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let trailing = file.bytes[range].reversed().prefix { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }.count
    return range.lowerBound..<range.upperBound - trailing
  }
}
