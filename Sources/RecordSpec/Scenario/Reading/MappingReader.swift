/// Reads one mapping whose keys are known: unknown keys are reported when it is opened.
struct MappingReader {
  let findings: Findings
  /// What the mapping is, with its article: `a response`.
  let subject: String
  /// What names the mapping, for a message about something that is not in it.
  let location: AuthorDiagnostic.Location
  let node: YAMLNode

  private let pairs: [String: YAMLPair]
  /// Keys that an unknown key was probably meant to be, and keys of later versions: their absence is no second mistake.
  private let excused: Set<String>

  /// Nil, and reported, if the node is no mapping.
  ///
  /// - Parameters:
  ///   - pair: the key that names the mapping; nil where it is an element of a list.
  ///   - place: where to tell of something that is not in it; nil for the key, or for the first pair in a list.
  ///   - keys: what may stand in it.
  ///   - later: what is part of the format, but not of this version.
  ///   - hints: what does the job of keys that somebody may think of.
  init?(
    _ node: YAMLNode, named pair: YAMLPair? = nil, at location: AuthorDiagnostic.Location? = nil,
    of subject: String, keys: [String], later: [String] = [], hints: [String: String] = [:],
    findings: Findings
  ) {
    guard let pairs = node.pairs else {
      let what = pair.map { "'\($0.key)'" } ?? subject
      findings.wrongKind(node, expected: "a mapping", for: what)
      return nil
    }
    self.findings = findings
    self.subject = subject
    self.node = node
    self.location = location ?? .span(pair?.keySpan ?? pairs.first?.keySpan ?? node.span)
    var known: [String: YAMLPair] = [:]
    var excused: Set<String> = []
    for pair in pairs {
      if keys.contains(pair.key) {
        known[pair.key] = pair
      } else if later.contains(pair.key) {
        findings.notSupportedYet(pair)
        excused.insert(pair.key)
      } else if let near = findings.unknownKey(pair, of: subject, among: keys, hint: hints[pair.key]) {
        excused.insert(near)
      }
    }
    self.pairs = known
    self.excused = excused
  }

  /// What stands under a key; nil if it is not written.
  subscript(key: String) -> YAMLPair? { pairs[key] }

  /// What stands under a key; reported if it is not written.
  func required(_ key: String, advice: String? = nil) -> YAMLPair? {
    if let pair = pairs[key] { return pair }
    reportMissing([key], advice: advice)
    return nil
  }

  /// `a response needs 'body', 'bodyFile' or 'bodyText'`
  ///
  /// - Parameter others: keys that would do as well, but are not named.
  func reportMissing(_ keys: [String], orOf others: [String] = [], advice: String? = nil) {
    guard excused.isDisjoint(with: keys + others) else { return }
    let what = Findings.oneOf(keys.map { "'\($0)'" })
    findings.report(.missingKey, at: location, "\(subject) needs \(what)", advice: advice)
  }

  /// Reports the later ones of keys that exclude each other. Nil if none is written, else the first one.
  func atMostOne(of keys: [String]) -> YAMLPair? {
    let written = keys.compactMap { pairs[$0] }.sorted { $0.keyRange.lowerBound < $1.keyRange.lowerBound }
    for pair in written.dropFirst() {
      findings.report(
        .conflictingKeys, at: pair.keySpan,
        "'\(pair.key)' cannot stand beside '\(written[0].key)'", advice: "keep one of the two",
        notes: [.init(written[0].keySpan, "here")])
    }
    return written.first
  }
}
