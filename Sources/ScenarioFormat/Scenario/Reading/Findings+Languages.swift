package import RecordModel

/// Values that contain another language: paths, predicates and date formats. A syntax error is located inside the text
/// if the file contains the text verbatim.
extension Findings {
  /// Reads a path as text, or as a list of literal keys: `[user, "a.b", 0]`.
  package func path(_ node: YAMLNode, for what: String) -> MappingPath? {
    if let elements = node.elements { return path(ofKeys: elements, in: node, for: what) }
    guard let text = string(node, for: what) else { return nil }
    do {
      return try MappingPath(text)
    } catch {
      report(
        .pathSyntax, at: node.span(ofScalars: error.range), error.message, advice: error.advice)
      return nil
    }
  }

  private func path(ofKeys elements: [YAMLNode], in node: YAMLNode, for what: String) -> MappingPath? {
    guard !elements.isEmpty else {
      report(.pathSyntax, at: node.span, "the path is empty")
      return nil
    }
    var components: [MappingPath.Component] = []
    for element in elements {
      guard let scalar = element.scalar, !element.isNull else {
        wrongKind(element, expected: "a key", for: what)
        return nil
      }
      if case .number(let digits, isInteger: true) = scalar.value, let index = Int(digits) {
        components.append(.index(index))
      } else {
        components.append(.key(scalar.text))
      }
    }
    let path = MappingPath(components: components)
    if let error = path.syntaxError {
      report(.pathSyntax, at: node.span, error.message, advice: error.advice)
      return nil
    }
    return path
  }

  /// Reads one path, or a list of alternative paths.
  package func paths(_ pair: YAMLPair?) -> [MappingPath]? {
    guard let pair else { return nil }
    let what = "'\(pair.key)'"
    guard let elements = pair.value.elements else { return path(pair.value, for: what).map { [$0] } }
    let paths = elements.compactMap { path($0, for: what) }
    return paths.count == elements.count ? paths : nil
  }

  package func path(_ pair: YAMLPair?) -> MappingPath? { pair.flatMap { path($0.value, for: "'\($0.key)'") } }

  /// Reads a location in a response: a path, or `[]` for the response itself.
  func responsePath(_ pair: YAMLPair?) -> MappingPath? {
    if let pair, let elements = pair.value.elements, elements.isEmpty { return MappingPath(keys: []) }
    if let pair, pair.value.scalar?.value == .string("") {
      report(
        .pathSyntax, at: pair.value.span(ofScalars: 0..<0), "the path is empty",
        advice: "write [] for the response itself")
      return nil
    }
    return path(pair)
  }

  package func predicate(_ pair: YAMLPair?) -> RecordPredicate? {
    guard let pair else { return nil }
    if let first = pair.value.pairs?.first {
      wrongKind(pair.value, expected: "a predicate", for: "'\(pair.key)'", advice: "write \(first.key) == …")
      return nil
    }
    guard let text = string(pair.value, for: "'\(pair.key)'") else { return nil }
    do {
      return try RecordPredicate(text)
    } catch {
      report(
        .predicateSyntax, at: pair.value.span(ofScalars: error.range), error.message, advice: error.advice)
      return nil
    }
  }

  package func dateFormat(_ pair: YAMLPair?) -> String? {
    guard let pair else { return nil }
    if let elements = pair.value.elements, !elements.isEmpty, elements.allSatisfy({ $0.scalar != nil }) {
      wrongKind(
        pair.value, expected: "a date format", for: "'\(pair.key)'",
        advice: "write \(elements.compactMap { $0.scalar?.text }.joined(separator: " | "))")
      return nil
    }
    guard let text = string(pair.value, for: "'\(pair.key)'") else { return nil }
    let scalars = Array(text.unicodeScalars)
    if let percent = scalars.firstIndex(of: "%"), scalars.indices.contains(percent + 1),
      scalars[percent + 1].properties.isAlphabetic
    {
      report(
        .dateSyntax, at: pair.value.span(ofScalars: percent..<percent + 2),
        "'%\(scalars[percent + 1])' is not a field of a date pattern",
        advice: "write Unicode letters, yyyy-MM-dd HH:mm:ss, or iso8601")
      return nil
    }
    do {
      return try DateFormat(text).pattern
    } catch {
      report(.dateSyntax, at: pair.value.span(ofScalars: error.range), error.message, advice: error.advice)
      return nil
    }
  }
}

extension YAMLNode {
  /// Returns the location of a part of a scalar's text, given in Unicode scalars. If the file writes the text with
  /// escapes or over several lines, returns the location of the whole value.
  package func span(ofScalars part: Range<Int>) -> SourceSpan {
    guard let text = scalar?.text else { return span }
    let isQuoted = scalar?.style == .quoted
    let inner = isQuoted ? range.dropFirst().dropLast() : range[...]
    guard file.bytes[inner].elementsEqual(text.utf8) else { return span }
    func offset(_ scalars: Int) -> Int {
      inner.startIndex + text.unicodeScalars.prefix(scalars).reduce(0) { $0 + UTF8.width($1) }
    }
    return file.span(offset(part.lowerBound)..<offset(part.upperBound))
  }
}
