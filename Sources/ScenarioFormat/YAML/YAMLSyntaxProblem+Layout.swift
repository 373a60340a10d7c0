import RecordModel

/// Errors of layout: indentation, and the spaces after `-` and `:`. libyaml notices most of them lines later, or as
/// another error.
extension YAMLSyntaxProblem {
  /// A line of the file, without its indentation.
  private struct Line {
    /// The byte offset of the text.
    let offset: Int
    /// The number of spaces before the text.
    let indentation: Int
    let text: Substring.UTF8View

    var isElement: Bool {
      text.first == UInt8(ascii: "-") && (text.count == 1 || text.dropFirst().first == 0x20)
    }
    /// The indentation of the keys in the line, which may begin with `- `.
    var indentationOfKeys: Int {
      isElement ? indentation + 1 + text.dropFirst().prefix { $0 == 0x20 }.count : indentation
    }
  }

  /// The maximum number of lines to search for the element before an error.
  private static let maximumDistance = 100
  /// The maximum length of a line that advice repeats.
  private static let maximumQuotedLength = 100

  /// Returns the diagnostic for an error of layout; nil if the error is another one.
  ///
  /// - Parameters:
  ///   - location: the byte offset at which libyaml stopped.
  ///   - context: the byte offset of the surrounding list or mapping; nil if it is not known.
  func layoutDiagnostic(in file: SourceFile, at location: Int, context: Int?) -> AuthorDiagnostic? {
    guard location < file.bytes.count else { return nil }
    let number = file.mark(at: location).line
    let line = Self.line(number, in: file)
    switch problem {
    case "mapping values are not allowed in this context":
      let lines = Self.lines(before: number, in: file)
      guard let before = lines.first else { return nil }
      return Self.missingSpace(in: before, file)
        ?? Self.tooFarIn(line, after: before, lines.dropFirst().first, file)
    case "could not find expected ':'":
      guard let context else { return nil }
      let key = Self.line(file.mark(at: context).line, in: file)
      return Self.missingSpace(in: key, file) ?? Self.equalsSign(in: key, file)
    case "did not find expected key" where line.offset == location && !line.isElement:
      return Self.wrongIndentation(of: line, number, file)
    case "did not find expected '-' indicator" where line.offset == location && !line.isElement:
      return context.flatMap { Self.keyAfterElement(line, number, listAt: $0, file) }
    case "did not find expected key", "did not find expected '-' indicator":
      guard line.offset == location, line.isElement else { return nil }
      let lines = Self.lines(before: number, in: file)
      guard
        let other = lines.first(where: {
          $0.isElement && abs($0.indentation - line.indentation) <= 2
        }), other.indentation != line.indentation
      else { return nil }
      return AuthorDiagnostic(
        .yamlSyntax, at: file.span(location..<location + 1),
        "the element is not indented like the other elements of its list",
        advice: "indent it by \(counted(other.indentation, "space")), not \(line.indentation)",
        notes: [.init(file.span(other.offset..<other.offset + 1), "another element")])
    default: return nil
    }
  }

  /// Returns the diagnostic for `-request: Post` and for `urn:posts`.
  private static func missingSpace(in line: Line, _ file: SourceFile) -> AuthorDiagnostic? {
    if line.text.first == UInt8(ascii: "-"), !line.isElement, !line.text.starts(with: "--".utf8) {
      return missingSpace(after: "-", line.text.prefix(1), of: line, file)
    }
    let text = line.text.dropFirst(line.indentationOfKeys - line.indentation)
    let key = text.prefix { $0 == UInt8(ascii: "_") || UInt8.letters.contains($0 | 0x20) }
    let rest = text.dropFirst(key.count)
    guard !key.isEmpty, rest.first == UInt8(ascii: ":"), let first = rest.dropFirst().first,
      first != 0x20, first != UInt8(ascii: "/")
    else { return nil }
    return missingSpace(after: ":", line.text.prefix(line.text.count - rest.count + 1), of: line, file)
  }

  /// Returns the diagnostic for a sign that ends the first part of a line and has no space after it.
  private static func missingSpace(
    after sign: String, _ start: Substring.UTF8View, of line: Line, _ file: SourceFile
  ) -> AuthorDiagnostic {
    let rest = line.text.dropFirst(start.count)
    let isShort = line.text.count <= maximumQuotedLength
    return AuthorDiagnostic(
      .yamlSyntax, at: file.span(line.offset..<line.offset + line.text.count),
      "missing space after '\(sign)'",
      advice: isShort ? "write '\(Substring(start)) \(Substring(rest))'" : "write '\(sign) '")
  }

  /// Returns the diagnostic for `urn = posts`.
  private static func equalsSign(in line: Line, _ file: SourceFile) -> AuthorDiagnostic? {
    guard line.text.count <= maximumQuotedLength else { return nil }
    let words = String(Substring(line.text)).split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[1] == "=" else { return nil }
    return AuthorDiagnostic(
      .yamlSyntax, at: file.span(line.offset..<line.offset + line.text.count), "unexpected '='",
      advice: "write '\(words[0]): \(words[2])'")
  }

  /// Returns the diagnostic for a line whose indentation differs slightly from the nearest keys before it.
  private static func wrongIndentation(of line: Line, _ number: Int, _ file: SourceFile) -> AuthorDiagnostic?
  {
    guard
      let other = lines(before: number, in: file).first(where: {
        abs($0.indentationOfKeys - line.indentation) <= 2
      }), other.indentationOfKeys != line.indentation
    else { return nil }
    let key = line.text.prefix { $0 != UInt8(ascii: ":") }
    let start = other.offset + other.indentationOfKeys - other.indentation
    return AuthorDiagnostic(
      .yamlSyntax, at: file.span(line.offset..<line.offset + key.count),
      "the line is not indented like the keys before it",
      advice: "indent it by \(counted(other.indentationOfKeys, "space")), not \(line.indentation)",
      notes: [.init(file.span(start..<start + 1), "another key")])
  }

  /// Returns the diagnostic for a key after an element of a list that is meant as a key of this element: after an element in
  /// braces, or indented too little.
  ///
  /// - Parameter start: the byte offset of the list.
  private static func keyAfterElement(
    _ line: Line, _ number: Int, listAt start: Int, _ file: SourceFile
  ) -> AuthorDiagnostic? {
    let list = Self.line(file.mark(at: start).line, in: file)
    let key = line.text.prefix { $0 == UInt8(ascii: "_") || UInt8.letters.contains($0 | 0x20) }
    guard !key.isEmpty, key.count <= maximumQuotedLength,
      line.text.dropFirst(key.count).first == UInt8(ascii: ":"),
      let element = lines(before: number, in: file).first(where: {
        $0.isElement && $0.indentation == list.indentation
      })
    else { return nil }
    let isInBraces =
      element.text.dropFirst(element.indentationOfKeys - element.indentation).first == UInt8(ascii: "{")
    let name = String(Substring(key))
    // A key below the dash of the element may also belong to the mapping around the list.
    let isBelowDash = line.indentation == element.indentation
    let fix =
      isInBraces
      ? "put '\(name)' inside the braces, or "
        + (isBelowDash ? "indent it like the key before the list" : "write the element without braces")
      : "indent it by \(counted(element.indentationOfKeys, "space")) like the other keys of the element"
        + (isBelowDash ? ", or like the key before the list" : "")
    return AuthorDiagnostic(
      .yamlSyntax, at: file.span(line.offset..<line.offset + key.count),
      "expected '- ' and the next element of the list, found '\(name)'",
      advice: fix,
      notes: [.init(file.span(element.offset..<element.offset + 1), "the element before it")])
  }

  /// Returns the diagnostic for a `#` in a list or mapping in brackets that comments out the closing bracket; nil if the
  /// lines at and before a location have none.
  static func comment(before location: Int, in file: SourceFile) -> AuthorDiagnostic? {
    func openBrackets(_ text: Substring) -> Int {
      text.utf8.reduce(0) { $0 + (UInt8.opening.contains($1) ? 1 : UInt8.closing.contains($1) ? -1 : 0) }
    }
    let number = file.mark(at: location).line
    for line in [Self.line(number, in: file)] + lines(before: number, in: file).prefix(1) {
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

  /// Returns the diagnostic for a line that is indented more than the line before it, which has a value.
  ///
  /// - Parameter parent: the line before these two lines. If it is indented less, either of the two can be wrong.
  private static func tooFarIn(
    _ line: Line, after before: Line, _ parent: Line?, _ file: SourceFile
  ) -> AuthorDiagnostic? {
    guard line.indentation > before.indentationOfKeys, !line.isElement else { return nil }
    let isFirst = !before.isElement && parent.map { $0.indentationOfKeys < before.indentation } ?? false
    let isStep = isFirst && (parent?.text.elementsEqual("steps:".utf8) ?? false)
    let key = line.text.prefix { $0 != UInt8(ascii: ":") }
    let advice =
      if isStep {
        "begin the line before it with '- ', because 'steps' is a list"
      } else if isFirst {
        "indent both lines by \(before.indentation) spaces, or both by \(line.indentation)"
      } else {
        "indent it by \(counted(before.indentationOfKeys, "space")), not \(line.indentation)"
      }
    return AuthorDiagnostic(
      .yamlSyntax, at: file.span(line.offset..<line.offset + key.count),
      "the line is indented more than the line before it, which already has a value", advice: advice,
      notes: [.init(file.span(before.offset..<before.offset + before.text.count), "the line before it")])
  }

  // MARK: Lines

  private static func line(_ number: Int, in file: SourceFile) -> Line {
    let range = file.rangeOfLine(number)
    let bytes = file.bytes[range]
    let start = bytes.firstIndex { $0 != 0x20 } ?? bytes.endIndex
    let trailing = bytes[start...].reversed().prefix { $0 == 0x20 }.count
    let text = String(decoding: bytes[start..<(bytes.endIndex - trailing)], as: UTF8.self)
    return Line(offset: start, indentation: start - range.lowerBound, text: Substring(text).utf8)
  }

  /// Returns the lines before a line that are neither empty nor comments, the nearest one first.
  private static func lines(before number: Int, in file: SourceFile) -> [Line] {
    (max(1, number - maximumDistance)..<number).reversed().map { line($0, in: file) }.filter {
      !$0.text.isEmpty && $0.text.first != UInt8(ascii: "#")
    }
  }
}

extension UInt8 {
  fileprivate static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
  fileprivate static let opening = Array("{[".utf8)
  fileprivate static let closing = Array("}]".utf8)
}
