import RecordModel

/// The sort order of steps that fetch records.
extension StepReader {
  /// Reads `[-date, user.name]`, or one key path.
  func sort(_ pair: YAMLPair?, _ entity: EntityName?) -> [SortKey] {
    guard let pair, !reportsOrders(pair) else { return [] }
    let nodes = pair.value.scalar == nil ? findings.list(pair) ?? [] : [pair.value]
    return nodes.compactMap { node in
      guard let text = findings.nonEmptyString(node, for: "'sort'") else { return nil }
      let isAscending = !text.hasPrefix("-")
      let keyPath = isAscending ? text : String(text.dropFirst())
      if let entity, let outline = records.outline {
        if case .unknown = outline.property(PropertyName(text), of: entity),
          reportsOrder(in: text, at: node.span)
        {
          return nil
        }
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard leadsToAttribute(names, from: entity, at: node.span) else { return nil }
      }
      return SortKey(keyPath: keyPath, isAscending: isAscending)
    }
  }

  /// Returns a Boolean value that indicates whether the names are to-one relationships followed by an attribute.
  /// Reports the first name that is not.
  private func leadsToAttribute(_ names: [String], from entity: EntityName, at span: SourceSpan) -> Bool {
    var entity = entity
    for (position, name) in names.enumerated() {
      let isLast = position == names.count - 1
      switch records.property(name, at: span, of: entity) {
      case .attribute where isLast: return true
      case .attribute:
        findings.report(
          .unknownProperty, at: span, "'\(name)' is an attribute, and a key path cannot continue after one")
        return false
      case .relationship where isLast:
        findings.report(
          .unknownProperty, at: span, "'\(name)' is a relationship, and records are sorted by attributes")
        return false
      case .relationship(let relationship) where relationship.isToMany:
        findings.report(
          .unknownProperty, at: span,
          "'\(name)' is a to-many relationship, and records are sorted by a single value")
        return false
      case .relationship(let relationship): entity = relationship.destination
      case .unclear, .unknown, nil: return false
      }
    }
    return false
  }

  /// Returns the key path with the sign of an order such as `desc`; nil if the word is not an order.
  private static func sortKey(_ keyPath: some StringProtocol, _ order: some StringProtocol) -> String? {
    let keyPath = keyPath.drop { $0 == "-" }
    return switch order.lowercased() {
    case "asc", "ascending", "1", "true": String(keyPath)
    case "desc", "descending", "-1", "false": "-\(keyPath)"
    default: nil
    }
  }

  /// Reports `{text: desc}` in place of `-text`. Returns a Boolean value that indicates whether the value, or an element
  /// of it, is such a mapping.
  private func reportsOrders(_ pair: YAMLPair) -> Bool {
    let nodes = pair.value.elements ?? [pair.value]
    guard let node = nodes.first(where: { $0.pairs != nil }) else { return false }
    let pairs = nodes.prefix(10).flatMap { $0.pairs?.prefix(10) ?? [] }
    let keys = pairs.compactMap { Self.sortKey($0.key, $0.value.scalar?.text ?? "") }
    let list = keys.joined(separator: ", ")
    findings.wrongKind(
      node, expected: pair.value.pairs == nil ? "a string" : "a list", for: "'\(pair.key)'",
      advice: keys.isEmpty || keys.count != pairs.count
        ? "write a key path, with '-' before it for descending order"
        : "write \(keys.count == 1 && pair.value.pairs != nil ? list : "[\(list)]")")
    return true
  }

  /// Reports `text DESC` in place of `-text`. Returns a Boolean value that indicates whether the text has an order.
  private func reportsOrder(in text: String, at span: SourceSpan) -> Bool {
    let words = text.split(separator: " ")
    guard words.count == 2, let key = Self.sortKey(words[0], words[1]) else { return false }
    findings.report(.unknownProperty, at: span, "'\(text)' is not a key path", advice: "write \(key)")
    return true
  }
}
