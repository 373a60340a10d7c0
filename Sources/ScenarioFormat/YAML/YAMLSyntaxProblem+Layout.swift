import RecordModel

/// Errors of layout: indentation, and the spaces after `-` and `:`. libyaml notices most of them lines later, or as
/// another error.
extension YAMLSyntaxProblem {
  /// A line of the file, without its indentation.
  private struct Line {
    let file: SourceFile
    /// The byte offset of the text.
    let offset: Int
    /// The number of spaces before the text.
    let indentation: Int
    let text: Substring.UTF8View

    init(_ number: Int, in file: SourceFile) {
      self.file = file
      let range = file.rangeOfLine(number)
      let bytes = file.bytes[range]
      offset = bytes.firstIndex { $0 != 0x20 } ?? bytes.endIndex
      indentation = offset - range.lowerBound
      let trailing = bytes[offset...].reversed().prefix { $0 == 0x20 }.count
      text = Substring(decoding: bytes[offset..<(bytes.endIndex - trailing)], as: UTF8.self).utf8
    }

    var isElement: Bool {
      text.first == UInt8(ascii: "-") && (text.count == 1 || text.dropFirst().first == 0x20)
    }
    /// The indentation of the keys in the line, which may begin with `- `.
    var indentationOfKeys: Int {
      isElement ? indentation + 1 + text.dropFirst().prefix { $0 == 0x20 }.count : indentation
    }
    /// The text after the `- ` of an element.
    var textOfKeys: Substring.UTF8View { text.dropFirst(indentationOfKeys - indentation) }

    var span: SourceSpan { span(ofFirst: text.count) }
    /// The range of the text before the first colon.
    var keySpan: SourceSpan { span(ofFirst: text.prefix { $0 != UInt8(ascii: ":") }.count) }

    func span(ofFirst count: Int) -> SourceSpan { file.span(offset..<offset + count) }
  }

  /// The maximum number of lines to search for the element before an error.
  private static let maximumDistance = 100
  /// The maximum length of a line that advice repeats.
  private static let maximumQuotedLength = 100

  /// The diagnostic for an error of layout; nil if the error is another one.
  var layoutDiagnostic: AuthorDiagnostic? {
    guard location < file.bytes.count else { return nil }
    let line = line(at: location)
    switch problem {
    case Self.unexpectedColon:
      let lines = linesBefore(location)
      guard let before = lines.first else { return nil }
      return missingSpace(in: before) ?? tooFarIn(line, after: before, lines.dropFirst().first)
    case "could not find expected ':'":
      guard let key = contextLocation.map(self.line) else { return nil }
      return missingSpace(in: key) ?? equalsSign(in: key)
    case "did not find expected key", "did not find expected '-' indicator":
      guard line.offset == location else { return nil }
      return problem.hasSuffix("key") || line.isElement ? wrongIndentation(of: line) : keyAfterElement(line)
    default: return nil
    }
  }

  /// Returns the diagnostic for `-request: Post` and for `urn:posts`.
  private func missingSpace(in line: Line) -> AuthorDiagnostic? {
    if line.text.first == UInt8(ascii: "-"), !line.isElement, !line.text.starts(with: "--".utf8) {
      return missingSpace(after: "-", line.text.prefix(1), of: line)
    }
    let key = Self.word(line.textOfKeys)
    let rest = line.textOfKeys.dropFirst(key.count)
    guard !key.isEmpty, rest.first == UInt8(ascii: ":"), let first = rest.dropFirst().first,
      first != 0x20, first != UInt8(ascii: "/")
    else { return nil }
    return missingSpace(after: ":", line.text.dropLast(rest.count - 1), of: line)
  }

  /// Returns the diagnostic for a sign that ends the first part of a line and has no space after it.
  private func missingSpace(after sign: String, _ start: Substring.UTF8View, of line: Line)
    -> AuthorDiagnostic
  {
    let rest = line.text.dropFirst(start.count)
    let isShort = line.text.count <= Self.maximumQuotedLength
    return AuthorDiagnostic(
      .yamlSyntax, at: line.span, "missing space after '\(sign)'",
      advice: isShort ? "write '\(Substring(start)) \(Substring(rest))'" : "write '\(sign) '")
  }

  /// Returns the diagnostic for `urn = posts`.
  private func equalsSign(in line: Line) -> AuthorDiagnostic? {
    guard line.text.count <= Self.maximumQuotedLength else { return nil }
    let words = Substring(line.text).split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[1] == "=" else { return nil }
    return AuthorDiagnostic(
      .yamlSyntax, at: line.span, "unexpected '='", advice: "write '\(words[0]): \(words[2])'")
  }

  /// Returns the diagnostic for an element or a key whose indentation differs slightly from the nearest one before it.
  private func wrongIndentation(of line: Line) -> AuthorDiagnostic? {
    let isElement = line.isElement
    func indentation(_ other: Line) -> Int { isElement ? other.indentation : other.indentationOfKeys }
    let other = linesBefore(location).first {
      (!isElement || $0.isElement) && abs(indentation($0) - line.indentation) <= 2
    }
    guard let other, indentation(other) != line.indentation else { return nil }
    let start = other.offset + indentation(other) - other.indentation
    return AuthorDiagnostic(
      .yamlSyntax, at: isElement ? line.span(ofFirst: 1) : line.keySpan,
      isElement
        ? "the element is not indented like the other elements of its list"
        : "the line is not indented like the keys before it",
      advice: "indent it by \(counted(indentation(other), "space")), not \(line.indentation)",
      notes: [.init(file.span(start..<start + 1), isElement ? "another element" : "another key")])
  }

  /// Returns the diagnostic for a key after an element of a list that is meant as a key of this element: after an element in
  /// braces, or indented too little.
  private func keyAfterElement(_ line: Line) -> AuthorDiagnostic? {
    let key = Self.word(line.text)
    guard let list = contextLocation.map(self.line), !key.isEmpty, key.count <= Self.maximumQuotedLength,
      line.text.dropFirst(key.count).first == UInt8(ascii: ":"),
      let element = linesBefore(location).first(where: { $0.isElement && $0.indentation == list.indentation })
    else { return nil }
    let name = String(Substring(key))
    // A key below the dash of the element may also belong to the mapping around the list.
    let isBelowDash = line.indentation == element.indentation
    let fix =
      element.textOfKeys.first == UInt8(ascii: "{")
      ? "put '\(name)' inside the braces, or "
        + (isBelowDash ? "indent it like the key before the list" : "write the element without braces")
      : "indent it by \(counted(element.indentationOfKeys, "space")) like the other keys of the element"
        + (isBelowDash ? ", or like the key before the list" : "")
    return AuthorDiagnostic(
      .yamlSyntax, at: line.span(ofFirst: key.count),
      "expected '- ' and the next element of the list, found '\(name)'", advice: fix,
      notes: [.init(element.span(ofFirst: 1), "the element before it")])
  }

  /// Returns the diagnostic for a line that is indented more than the line before it, which has a value.
  ///
  /// - Parameter parent: the line before these two lines. If it is indented less, either of the two can be wrong.
  private func tooFarIn(_ line: Line, after before: Line, _ parent: Line?) -> AuthorDiagnostic? {
    guard line.indentation > before.indentationOfKeys, !line.isElement else { return nil }
    let isFirst = !before.isElement && parent.map { $0.indentationOfKeys < before.indentation } ?? false
    let isStep = isFirst && (parent?.text.elementsEqual("steps:".utf8) ?? false)
    let advice =
      if isStep {
        "begin the line before it with '- ', because 'steps' is a list"
      } else if isFirst {
        "indent both lines by \(before.indentation) spaces, or both by \(line.indentation)"
      } else {
        "indent it by \(counted(before.indentationOfKeys, "space")), not \(line.indentation)"
      }
    return AuthorDiagnostic(
      .yamlSyntax, at: line.keySpan,
      "the line is indented more than the line before it, which already has a value", advice: advice,
      notes: [.init(before.span, "the line before it")])
  }

  // MARK: Comments

  /// The diagnostic for a `#` in a list or mapping in brackets that comments out the closing bracket; nil if the lines at
  /// and before the location have none.
  var commentDiagnostic: AuthorDiagnostic? {
    let problems = [
      "did not find expected ',' or ']'", "did not find expected ',' or '}'",
      "did not find expected node content",
    ]
    guard problems.contains(problem) else { return nil }
    func openBrackets(_ text: Substring) -> Int {
      text.reduce(0) { $0 + ("{[".contains($1) ? 1 : "}]".contains($1) ? -1 : 0) }
    }
    for line in [line(at: location)] + linesBefore(location).prefix(1) {
      let text = Substring(line.text)
      guard let space = text.firstRange(of: " #") else { continue }
      let (before, comment) = (text[..<space.lowerBound], text[space.lowerBound...].dropFirst())
      let start = line.offset + line.text.count - comment.utf8.count
      guard start < location, openBrackets(before) > 0, openBrackets(comment) < 0,
        before.count(where: { $0 == "\"" }).isMultiple(of: 2),
        before.count(where: { $0 == "'" }).isMultiple(of: 2)
      else { continue }
      return AuthorDiagnostic(
        .yamlSyntax, at: file.span(start..<start + comment.utf8.count),
        "' #' starts a comment, which contains the closing bracket",
        advice: "write the value that contains '#' in quotes")
    }
    return nil
  }

  // MARK: Lines

  private func line(at offset: Int) -> Line { Line(file.mark(at: offset).line, in: file) }

  /// Returns the lines before that of an offset that are neither empty nor comments, the nearest one first.
  private func linesBefore(_ offset: Int) -> [Line] {
    let number = file.mark(at: offset).line
    return (max(1, number - Self.maximumDistance)..<number).reversed().map { Line($0, in: file) }.filter {
      !$0.text.isEmpty && $0.text.first != UInt8(ascii: "#")
    }
  }

  /// Returns the letters and underscores at the start of a text.
  private static func word(_ text: Substring.UTF8View) -> Substring.UTF8View {
    text.prefix { $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
  }
}
