import JSONTree
import RecordModel

/// The reader of `drift:` in an expectation.
struct DriftReader {
  let findings: Findings
  let records: RecordReader

  /// Reads `{Post: {unused: [age]}}` or `none`.
  func drift(_ pair: YAMLPair?) -> DriftExpectation? {
    guard let pair else { return nil }
    if pair.value.isNone { return DriftExpectation(entities: [], isExhaustive: true, span: pair.value.span) }
    if case .boolean(let isExpected)? = pair.value.scalar?.value {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'drift'",
        advice: isExpected
          ? "write 'drift: true' in 'options', and the expected drift here, or 'none'" : "write 'none'")
      return nil
    }
    if reportsNothing(pair) { return nil }
    let entities = findings.mapping(pair)?.compactMap(entity)
    return entities.map { DriftExpectation(entities: $0, isExhaustive: false, span: pair.keySpan) }
  }

  private func entity(_ pair: YAMLPair) -> EntityDriftExpectation? {
    guard let entity = records.entity(pair.key, at: pair.keySpan) else { return nil }
    var expectation = EntityDriftExpectation(entity: entity, span: pair.keySpan)
    if pair.value.isNone {
      let nothing = DriftCountsExpectation(lines: [], span: pair.value.span)
      (expectation.unused, expectation.missing, expectation.types) = (nothing, nothing, [])
      return expectation
    }
    guard !reportsNothing(pair),
      let reader = MappingReader(pair, as: .drift, findings: findings)
    else { return nil }
    expectation.items = findings.located(reader["items"]) { findings.count($0) }
    expectation.unused = counts(reader["unused"], named: path)
    expectation.missing = missing(reader["missing"], of: entity)
    expectation.types = types(reader["types"], of: entity)
    return expectation
  }

  /// Reports an empty list or 0 in place of `none`. Returns a Boolean value that indicates whether the value is one.
  private func reportsNothing(_ pair: YAMLPair) -> Bool {
    guard pair.value.elements?.isEmpty ?? pair.value.isZero else { return false }
    findings.wrongKind(pair.value, expected: "a mapping", for: "'\(pair.key)'", advice: "write 'none'")
    return true
  }

  private func missing(_ pair: YAMLPair?, of entity: EntityName) -> DriftCountsExpectation? {
    guard let pair else { return nil }
    let names = findings.strings(pair)
    for name in names { _ = records.property(name.value, at: name.span, of: entity) }
    return DriftCountsExpectation(
      lines: names.map { .init(name: $0.value, span: $0.span) }, span: pair.keySpan)
  }

  private func types(_ pair: YAMLPair?, of entity: EntityName) -> [DriftTypeExpectation]? {
    findings.mapping(pair)?.compactMap { pair in
      let name = pair.key.hasSuffix("[]") ? String(pair.key.dropLast(2)) : pair.key
      _ = records.property(name, at: pair.keySpan, of: entity)
      return counts(pair, named: kind).map {
        DriftTypeExpectation(name: pair.key, kinds: $0, span: pair.keySpan)
      }
    }
  }

  /// Reads `[age, user.nick]`, or `{age: 2}` with numbers of occurrences.
  ///
  /// - Parameter name: a function that returns the canonical form of a name, or reports an invalid name and returns
  ///   nil.
  private func counts(
    _ pair: YAMLPair?, named name: (_ text: String, _ node: YAMLNode?, SourceSpan) -> String?
  ) -> DriftCountsExpectation? {
    guard let pair else { return nil }
    if let pairs = pair.value.pairs {
      let lines = pairs.compactMap { pair -> DriftCountsExpectation.Line? in
        guard let name = name(pair.key, nil, pair.keySpan) else { return nil }
        return .init(name: name, count: findings.integer(pair, in: 1...Int.max), span: pair.keySpan)
      }
      return DriftCountsExpectation(lines: lines, span: pair.keySpan)
    }
    guard let elements = findings.list(pair) else { return nil }
    let lines = elements.compactMap { element -> DriftCountsExpectation.Line? in
      guard
        let text = element.elements != nil ? "" : findings.text(element, for: "an element of '\(pair.key)'"),
        let name = name(text, element, element.span)
      else { return nil }
      return .init(name: name, span: element.span)
    }
    return DriftCountsExpectation(lines: lines, span: pair.keySpan)
  }

  private func path(_ text: String, _ node: YAMLNode?, _ span: SourceSpan) -> String? {
    if let node { return findings.path(node, for: "an element of 'unused'")?.description }
    do throws(MappingPathSyntaxError) {
      return try MappingPath(text).description
    } catch {
      findings.report(.pathSyntax, at: span, error.message, advice: error.advice)
      return nil
    }
  }

  private func kind(_ text: String, _ node: YAMLNode?, _ span: SourceSpan) -> String? {
    let names = FormatMapping.driftKinds
    if names.contains(text) { return text }
    findings.report(
      .unknownValue, at: span, "unknown kind of value '\(text)'", expected: Findings.oneOf(names),
      advice: nearestName(to: text, among: names).map { "did you mean '\($0)'?" })
    return nil
  }
}
