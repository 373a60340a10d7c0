/// A renderer of diagnostics as text: the message, the source line with the range underlined, and advice.
///
/// ```
/// Scenarios/feed.yaml:12:1: error: unknown key 'answers' [unknown-key]
///    12 | answers:
///       | ^^^^^^^
///       = help: write 'responses'
/// ```
package struct DiagnosticRenderer: Sendable {
  /// A Boolean value that indicates whether the text contains ANSI color codes. Default false.
  package var isColored: Bool

  /// The number of columns that are shown of a longer source line.
  private static let sourceWidth = 100
  /// The number of diagnostics that are shown per file.
  private static let limit = 100

  /// Creates a renderer.
  package init(isColored: Bool = false) { self.isColored = isColored }

  /// Returns the text of all diagnostics in order, separated by empty lines.
  ///
  /// Shows the first 100 diagnostics of each file and counts the rest: a file with more is probably not what the user
  /// meant.
  package func text(of diagnostics: some Sequence<AuthorDiagnostic>) -> String {
    Self.joined(diagnostics.lazy.map { ($0.path, text(of: $0)) })
  }

  /// Returns the texts of diagnostics, each with its path, in the same way.
  package static func joined(_ diagnostics: some Sequence<(path: String, text: String)>) -> String {
    var counts: [String: Int] = [:]
    var texts: [String] = []
    for (path, text) in diagnostics {
      counts[path, default: 0] += 1
      if counts[path, default: 0] <= limit { texts.append(text) }
    }
    for (path, count) in counts.sorted(by: { $0.key < $1.key }) where count > limit {
      texts.append("\(DisplayText.oneLine(path)): and \(count - limit) more\n")
    }
    return texts.joined(separator: "\n")
  }

  /// Returns the text of a diagnostic, with a final newline.
  package func text(of diagnostic: AuthorDiagnostic) -> String {
    var location = diagnostic.path
    if let start = diagnostic.span?.start { location += ":\(start.line):\(start.column)" }
    let style: Style = diagnostic.severity == .error ? .error : .warning
    let severity = styled("\(diagnostic.severity.rawValue):", style)
    let message = DisplayText.oneLine(diagnostic.message)
    var lines = [line(location, "\(severity) \(message)", code: diagnostic.code.rawValue)]
    let spans = [diagnostic.span].compactMap(\.self) + diagnostic.notes.map(\.span)
    let gutter = spans.reduce(5) { max($0, String($1.start.line).count + 1) }
    if let span = diagnostic.span { lines += excerpt(of: span, mark: "^", style: style, gutter: gutter) }
    for note in diagnostic.notes {
      if note.span.file !== diagnostic.span?.file {
        lines.append(margin(gutter, "-->") + "\(note.span.file.path):\(note.span.start.line)")
      }
      lines += excerpt(of: note.span, mark: "-", style: .quiet, gutter: gutter, words: note.text)
    }
    if let expected = diagnostic.expected {
      lines.append(margin(gutter, "=") + "expected: \(DisplayText.oneLine(expected))")
    }
    if let advice = diagnostic.advice {
      lines.append(margin(gutter, "=") + "help: " + DisplayText.oneLine(advice))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the text of a finding that is not an ``AuthorDiagnostic``: a headline, the source line with the range
  /// underlined, and remarks, with a final newline.
  package func text(
    at span: SourceSpan, _ headline: String, isNote: Bool = false, code: String? = nil, remarks: [String]
  ) -> String {
    let location = "\(span.file.path):\(span.start.line):\(span.start.column)"
    let gutter = max(5, String(span.start.line).count + 1)
    let style: Style = isNote ? .note : .error
    let word = styled(isNote ? "note:" : "error:", style)
    var lines = [line(location, "\(word) \(headline)", code: code)]
    lines += excerpt(of: span, mark: "^", style: style, gutter: gutter)
    lines += remarks.map { margin(gutter, "=") + $0 }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the first line of a range and the underline below it, with a final newline.
  package func excerpt(of span: SourceSpan) -> String {
    let gutter = max(5, String(span.start.line).count + 1)
    return excerpt(of: span, mark: "^", style: .error, gutter: gutter).map { $0 + "\n" }.joined()
  }

  /// Returns a remark with the word before its colon in color: green for what was expected, red for what was found.
  package func colored(_ remark: String) -> String {
    for (words, style) in [(["expected:", "missing:"], Style.expected), (["actual:", "extra:"], .actual)] {
      if let word = words.first(where: remark.hasPrefix) {
        return styled(word, style) + remark.dropFirst(word.count)
      }
    }
    return remark
  }

  /// Returns the first line of a text.
  private func line(_ location: String, _ message: String, code: String?) -> String {
    let end = code.map { " " + styled("[\($0)]", .quiet) } ?? ""
    return "\(styled(DisplayText.oneLine(location), .strong)): \(message)\(end)"
  }

  /// Returns the first line of a range and the underline below it.
  private func excerpt(
    of span: SourceSpan, mark: String, style: Style, gutter: Int, words: String? = nil
  ) -> [String] {
    let line = span.file.rangeOfLine(span.start.line)
    let start = min(max(span.start.offset, line.lowerBound), line.upperBound)
    let end = min(max(span.end.offset, start), line.upperBound)
    let bytes = span.file.bytes
    var before = DisplayText(bytes[line.lowerBound..<start])
    var marked = DisplayText(bytes[start..<end], startingAt: before.width)
    var after = DisplayText(bytes[end..<line.upperBound], startingAt: before.width + marked.width)
    Self.clip(&before, &marked, &after)

    let number = String(span.start.line)
    let numbered = String(repeating: " ", count: gutter - number.count) + number
    let source = before.text + marked.text + after.text
    let underline =
      String(repeating: " ", count: before.width)
      + styled(String(repeating: mark, count: max(1, marked.width)), style)
    return [
      styled(numbered + " |", .quiet) + (source.isEmpty ? "" : " " + source),
      margin(gutter, "|") + underline + (words.map { " " + $0 } ?? ""),
    ]
  }

  /// Shortens a long line to the text around the marked part, with `…` for omitted text.
  private static func clip(
    _ before: inout DisplayText, _ marked: inout DisplayText, _ after: inout DisplayText
  ) {
    guard before.width + marked.width + after.width > sourceWidth else { return }
    let ellipsis = DisplayText.Cell(text: "…", width: 1)
    if marked.width > sourceWidth * 3 / 4 {
      marked = marked.prefix(sourceWidth * 3 / 4 - 1)
      marked = DisplayText(cells: marked.cells + [ellipsis])
      after = DisplayText()
    }
    let room = sourceWidth - marked.width
    // The text before the mark explains the location better than the text after it.
    let roomBefore = max(room * 2 / 3, room - after.width)
    if before.width > roomBefore {
      before = DisplayText(cells: [ellipsis] + before.suffix(roomBefore - 1).cells)
    }
    let roomAfter = room - before.width
    if after.width > roomAfter { after = DisplayText(cells: after.prefix(roomAfter - 1).cells + [ellipsis]) }
  }

  private func margin(_ gutter: Int, _ sign: String) -> String {
    String(repeating: " ", count: max(0, gutter + 2 - sign.count)) + styled(sign, .quiet) + " "
  }
}

extension DiagnosticRenderer {
  fileprivate enum Style: String {
    case error = "1;31"
    case warning = "1;33"
    case note = "1;36"
    case strong = "1"
    case expected = "32"
    case actual = "31"
    case quiet = "2"
  }

  fileprivate func styled(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension DisplayText {
  /// Returns as many cells from the start as fit into the columns.
  fileprivate func prefix(_ columns: Int) -> DisplayText { DisplayText(cells: Self.fitting(columns, cells)) }

  /// Returns as many cells from the end as fit into the columns.
  fileprivate func suffix(_ columns: Int) -> DisplayText {
    DisplayText(cells: Self.fitting(columns, cells.reversed()).reversed())
  }

  private static func fitting(_ columns: Int, _ cells: some Sequence<Cell>) -> [Cell] {
    var left = columns
    return Array(
      cells.prefix { cell in
        left -= cell.width
        return left >= 0
      })
  }
}
