import RecordModel

/// The diagnostics that are collected while files are read, so that no error hides another and none is reported twice.
///
/// A reader that cannot read a value reports it and returns nil. A caller that receives nil reports nothing.
package final class Findings {
  package private(set) var diagnostics: [AuthorDiagnostic] = []
  private(set) var errorCount = 0
  /// The names that must be verified later.
  package internal(set) var names: [ForeignName] = []
  /// The entries of `allows`.
  var allowedWarnings: [AllowedWarning] = []
  /// The layers of the model, which locate its parts.
  package internal(set) var modelLayers: [ModelSourceMap.Layer] = []
  /// The contents of the scenario and of its model file, if that is YAML.
  package internal(set) var roots: [YAMLNode] = []
  /// The files that were read, in order.
  package internal(set) var sources: [SourceBytes] = []
  /// The files that are named, in order, whether or not they exist. Each has its stamp from before it was read.
  package private(set) var files: [StampedFile] = []
  private var suggestions = NameSuggestions()

  package func add(_ diagnostic: AuthorDiagnostic) {
    diagnostics.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  package func add(_ others: some Sequence<AuthorDiagnostic>) { for diagnostic in others { add(diagnostic) } }

  /// Returns the nearest name. Only the first unknown names get one.
  package func nearest(to name: String, among names: [String]) -> String? {
    suggestions.nearestName(to: name, among: names)
  }

  /// Records a name that must be verified later.
  package func note(_ kind: ForeignName.Kind, _ name: String, at span: SourceSpan) {
    names.append(ForeignName(kind: kind, name: name, location: .span(span)))
  }

  /// Records a file that is about to be read, and returns it with its stamp.
  @discardableResult
  func noteFile(_ path: String) -> StampedFile {
    let file = StampedFile(path)
    files.append(file)
    return file
  }

  package func report(
    _ code: AuthorDiagnostic.Code, at span: SourceSpan, _ message: String, expected: String? = nil,
    advice: String? = nil, notes: [AuthorDiagnostic.Note] = []
  ) {
    add(AuthorDiagnostic(code, at: span, message, expected: expected, advice: advice, notes: notes))
  }

  package func report(
    _ code: AuthorDiagnostic.Code, at location: AuthorDiagnostic.Location, _ message: String,
    expected: String? = nil, advice: String? = nil
  ) {
    add(AuthorDiagnostic(code, at: location, message, expected: expected, advice: advice))
  }
}

// MARK: Shared messages

extension Findings {
  /// Reports a value of another kind than expected.
  func wrongKind(_ node: YAMLNode, expected: String, for what: String, advice: String? = nil) {
    report(
      .wrongKind, at: node.span, "expected \(expected) for \(what), found \(node.kindName)", advice: advice)
  }

  /// Reports an unknown key. Gives as advice the hint, the keys that are probably meant, the location of the key in the
  /// format, or the list of all keys. Returns the keys that are probably meant.
  ///
  /// - Parameter otherNames: the keys that other names stand for, in lower case and without `_` and `-`.
  @discardableResult
  func unknownKey(
    _ pair: YAMLPair, of subject: String, among keys: [String], hint: String? = nil,
    otherNames: [String: [String]] = [:]
  ) -> [String] {
    let message = "unknown key '\(pair.key)'"
    if let advice = hint ?? Self.spaceAdvice(pair.key, among: keys) {
      report(.unknownKey, at: pair.keySpan, message, advice: advice)
      return []
    }
    var meant = KeyAdvice.meant(by: pair.key, in: otherNames).filter(keys.contains)
    // A key with swapped letters is misspelled, even if it is a key elsewhere: 'form' for 'from'.
    if meant.isEmpty { meant = keys.filter { $0 != pair.key && $0.sorted() == pair.key.sorted() } }
    if meant.isEmpty, let home = KeyAdvice.home(of: pair.key) {
      report(.unknownKey, at: pair.keySpan, message, advice: "'\(pair.key)' belongs \(home)")
      return []
    }
    if meant.isEmpty { meant = [nearestName(to: pair.key, among: keys)].compactMap(\.self) }
    report(
      .unknownKey, at: pair.keySpan, message,
      expected: meant.isEmpty ? "\(Self.oneOf(keys)) in \(subject)" : nil,
      advice: meant.isEmpty ? nil : "did you mean \(Self.oneOf(meant.map { "'\($0)'" }))?")
    return meant
  }

  /// Returns the advice for a name such as `id:7`, which lacks the space after the colon.
  private static func spaceAdvice(_ name: String, among names: [String]) -> String? {
    guard let colon = name.firstIndex(of: ":"), names.contains(String(name[..<colon])) else { return nil }
    return "write a space after ':', \(name[...colon]) \(name[name.index(after: colon)...])"
  }

  /// Reports an unknown name, and gives the nearest name or a list of at most 12 names as advice.
  ///
  /// - Parameter otherwise: the advice if no name is near.
  func unknownName(
    _ code: AuthorDiagnostic.Code, _ message: String, name: String, at span: SourceSpan,
    among names: [String], otherwise: String? = nil
  ) {
    if let advice = Self.spaceAdvice(name, among: names) {
      report(code, at: span, message, advice: advice)
      return
    }
    let near = nearest(to: name, among: names)
    let isListed = near == nil && !names.isEmpty && names.count <= 12
    report(
      code, at: span, message, expected: isListed ? Self.oneOf(names) : nil,
      advice: near.map { "did you mean '\($0)'?" } ?? otherwise)
  }

  /// Returns the advice for a value that must be a mapping.
  static func mappingAdvice(for node: YAMLNode) -> String? {
    if node.isNone { return "write {}" }
    if let entries = mappingOfTexts(in: node) { return "write \(entries)" }
    guard let elements = node.elements else { return nil }
    // Other formats list entries with their name among the keys.
    let name = elements.first?.pairs?.first { ["name", "url", "urn", "path", "address"].contains($0.key) }
    if let name, let text = name.value.scalar?.text {
      return "write '\(text): …' in place of '- \(name.key): \(text)'"
    }
    // A label is not the name of an entry.
    if let text = elements.first?.scalar?.text, !text.isEmpty, !text.contains("/") {
      return "write each entry with its value, as in '\(text): …', without '- ' or brackets"
    }
    return "write 'key: value' for each entry, without '- ' or brackets"
  }

  func notSupportedYet(_ pair: YAMLPair) {
    report(.notSupportedYet, at: pair.keySpan, "'\(pair.key)' is not supported yet")
  }

  /// Returns a list such as `a, b or c`.
  package static func oneOf(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}
