/// The reader of a mapping with known keys. Unknown keys are reported when it is created.
package struct MappingReader {
  package let findings: Findings
  /// The kind of the mapping with its article, such as `a response`.
  package let subject: String
  /// The location of messages about missing keys.
  package let location: AuthorDiagnostic.Location
  package let node: YAMLNode

  private let pairs: [String: YAMLPair]
  /// The names of the allowed keys.
  private let keyNames: [String]
  /// The keys that a misspelled key was probably meant to be, and keys that are not supported yet. Their absence is not
  /// reported.
  private let excused: Set<String>

  /// Creates a reader. Returns nil if the node is not a mapping, which is reported.
  ///
  /// - Parameters:
  ///   - pair: the key that names the mapping; nil for an element of a list.
  ///   - location: the location of messages about missing keys. Nil for the key, or for the first pair in a list.
  ///   - mapping: the mapping of the format, with the allowed keys.
  ///   - subject: the kind of the mapping with its article; nil for that of the format.
  ///   - hints: the advice for unknown keys that an author may expect.
  ///   - otherNames: the keys that other names stand for, in lower case and without `_` and `-`.
  package init?(
    _ node: YAMLNode, named pair: YAMLPair? = nil, at location: AuthorDiagnostic.Location? = nil,
    as mapping: FormatMapping, of subject: String? = nil, hints: [String: String] = [:],
    otherNames: [String: [String]] = [:], findings: Findings
  ) {
    let subject = subject ?? mapping.subject
    guard let pairs = node.pairs else {
      let what = pair.map { "'\($0.key)'" } ?? subject
      findings.wrongKind(node, expected: "a mapping", for: what, advice: Findings.mappingAdvice(for: node))
      return nil
    }
    self.findings = findings
    self.subject = subject
    self.node = node
    keyNames = mapping.keyNames
    self.location = location ?? .span(pair?.keySpan ?? pairs.first?.keySpan ?? node.span)
    var known: [String: YAMLPair] = [:]
    var excused: Set<String> = []
    for pair in pairs {
      if mapping.keyNames.contains(pair.key) {
        known[pair.key] = pair
      } else if mapping.later.contains(pair.key) {
        findings.notSupportedYet(pair)
        excused.insert(pair.key)
      } else {
        excused.formUnion(
          findings.unknownKey(
            pair, of: subject, among: mapping.keyNames, hint: hints[pair.key], otherNames: otherNames))
      }
    }
    self.pairs = known
    self.excused = excused
  }

  /// Creates a reader of the value of a pair.
  package init?(
    _ pair: YAMLPair, as mapping: FormatMapping, of subject: String? = nil, hints: [String: String] = [:],
    otherNames: [String: [String]] = [:], findings: Findings
  ) {
    self.init(
      pair.value, named: pair, as: mapping, of: subject, hints: hints, otherNames: otherNames,
      findings: findings)
  }

  /// The pair for a key; nil if the key is not written.
  package subscript(key: String) -> YAMLPair? { pairs[key] }

  /// Returns the pair for a key. Reports a missing key.
  package func required(_ key: String, advice: String? = nil) -> YAMLPair? {
    if let pair = pairs[key] { return pair }
    reportMissing([key], advice: advice)
    return nil
  }

  /// Reports that one of the keys is missing.
  ///
  /// - Parameter others: other sufficient keys, which the message does not name.
  func reportMissing(_ keys: [String], orOf others: [String] = [], advice: String? = nil) {
    guard excused.isDisjoint(with: keys + others) else { return }
    let what = Findings.oneOf(keys.map { "'\($0)'" })
    findings.report(.missingKey, at: location, "missing key \(what) in \(subject)", advice: advice)
  }

  /// Reports an empty mapping, which needs at least one of its keys.
  func requireAnyKey() { if node.pairs?.isEmpty ?? true { reportMissing(keyNames) } }

  /// Returns the only written pair of a mapping whose keys exclude each other. Reports further keys, and an empty mapping.
  func onlyPair() -> YAMLPair? {
    requireAnyKey()
    return atMostOne(of: keyNames)
  }

  /// Returns the first written pair of mutually exclusive keys; nil if none is written. Reports the other written keys.
  package func atMostOne(of keys: [String]) -> YAMLPair? {
    let written = keys.compactMap { pairs[$0] }.sorted { $0.keyRange.lowerBound < $1.keyRange.lowerBound }
    for pair in written.dropFirst() {
      findings.report(
        .conflictingKeys, at: pair.keySpan, "'\(pair.key)' cannot be combined with '\(written[0].key)'",
        advice: "remove one of them", notes: [.init(written[0].keySpan, "here")])
    }
    return written.first
  }
}
