import RecordModel

/// The reader of `paging:` in a scenario and in the options of a request.
struct PagingReader {
  let findings: Findings

  /// Other names of the kinds.
  private static let otherNames = [
    "link": ["linkHeader"], "links": ["linkHeader"], "header": ["linkHeader"], "next": ["address"],
    "url": ["address"], "nexturl": ["address"], "after": ["cursor"], "token": ["cursor"], "skip": ["offset"],
    "limit": ["offset"], "page": ["pageNumber"], "number": ["pageNumber"], "pages": ["pageNumber"],
  ]

  /// Reads `linkHeader`, or a mapping of a kind to its details: `{cursor: {at: meta.cursor}}`.
  func paging(_ pair: YAMLPair?) -> PagingRule? {
    guard let pair else { return nil }
    if let word = pair.value.scalar?.text, !pair.value.isNull { return bare(word, pair) }
    guard
      let reader = MappingReader(
        pair, as: .pagingRule, hints: hints(pair.value), otherNames: Self.otherNames, findings: findings),
      let kind = reader.onlyPair()
    else { return nil }
    switch kind.key {
    case "address": return address(kind)
    case "linkHeader": return linkHeader(kind)
    case "cursor": return cursor(kind)
    case "offset": return offset(kind)
    default: return pageNumber(kind)
    }
  }

  /// Returns the advice for other names of kinds that need the path of their content.
  private func hints(_ node: YAMLNode) -> [String: String] {
    var hints: [String: String] = [:]
    for pair in node.pairs?.prefix(10) ?? [] {
      guard let kind = KeyAdvice.meant(by: pair.key, in: Self.otherNames).first,
        ["address", "cursor"].contains(kind), let scalar = pair.value.scalar
      else { continue }
      let path = if case .string(let text) = scalar.value { text } else { "meta.next" }
      hints[pair.key] = "write '\(kind): {at: \(path)}'"
    }
    return hints
  }

  /// Returns the rule of a kind that needs no details.
  private func bare(_ word: String, _ pair: YAMLPair) -> PagingRule? {
    switch word {
    case "none": return PagingRule.none
    case "linkHeader": return .linkHeader(totalHeader: nil)
    case "offset": return .offset(parameter: nil, sizeParameter: nil, pageSize: nil, total: nil)
    case "pageNumber":
      return .pageNumber(
        parameter: nil, firstPage: nil, sizeParameter: nil, pageSize: nil, pageCount: nil, total: nil)
    case "address", "cursor":
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'\(pair.key)'", advice: "write {\(word): {at: meta.next}}")
      return nil
    default:
      if let kind = KeyAdvice.meant(by: word, in: Self.otherNames).first {
        let needsDetails = kind == "address" || kind == "cursor"
        findings.report(
          .unknownValue, at: pair.value.span, "unknown paging '\(word)'",
          advice: needsDetails ? "write {\(kind): {at: meta.next}}" : "did you mean '\(kind)'?")
        return nil
      }
      findings.unknownName(
        .unknownValue, "unknown paging '\(word)'", name: word, at: pair.value.span,
        among: ["none", "linkHeader", "offset", "pageNumber"])
      return nil
    }
  }

  private func reader(_ pair: YAMLPair, _ mapping: FormatMapping) -> MappingReader? {
    if mapping.keyNames.contains("at"), case .string(let text) = pair.value.scalar?.value {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'\(pair.key)'", advice: "write {at: \(text)}")
      return nil
    }
    return MappingReader(
      pair, as: mapping, otherNames: mapping.keyNames.contains("at") ? Self.otherPathNames : [:],
      findings: findings)
  }

  /// Other names of the key with the path of an address or cursor.
  private static let otherPathNames = Dictionary(
    uniqueKeysWithValues: ["url", "next", "path", "from", "key", "keypath", "link"].map { ($0, ["at"]) })

  private func address(_ pair: YAMLPair) -> PagingRule? {
    guard let reader = reader(pair, .addressPaging) else { return nil }
    let (previous, total) = (findings.path(reader["previous"]), findings.path(reader["total"]))
    return findings.path(reader.required("at")).map { .address(at: $0, previous: previous, total: total) }
  }

  private func linkHeader(_ pair: YAMLPair) -> PagingRule? {
    reader(pair, .linkHeaderPaging).map { .linkHeader(totalHeader: findings.string($0["totalHeader"])) }
  }

  private func cursor(_ pair: YAMLPair) -> PagingRule? {
    guard let reader = reader(pair, .cursorPaging) else { return nil }
    let parameter = findings.string(reader["parameter"])
    let (hasMore, total) = (findings.path(reader["hasMore"]), findings.path(reader["total"]))
    return findings.path(reader.required("at")).map {
      .cursor(at: $0, parameter: parameter, hasMore: hasMore, total: total)
    }
  }

  private func offset(_ pair: YAMLPair) -> PagingRule? {
    guard let reader = reader(pair, .offsetPaging) else { return nil }
    return .offset(
      parameter: findings.string(reader["parameter"]),
      sizeParameter: findings.string(reader["sizeParameter"]),
      pageSize: findings.integer(reader["pageSize"], in: 1...Int.max), total: findings.path(reader["total"]))
  }

  private func pageNumber(_ pair: YAMLPair) -> PagingRule? {
    guard let reader = reader(pair, .pageNumberPaging) else { return nil }
    return .pageNumber(
      parameter: findings.string(reader["parameter"]), firstPage: findings.count(reader["firstPage"]),
      sizeParameter: findings.string(reader["sizeParameter"]),
      pageSize: findings.integer(reader["pageSize"], in: 1...Int.max),
      pageCount: findings.path(reader["pageCount"]), total: findings.path(reader["total"]))
  }
}
