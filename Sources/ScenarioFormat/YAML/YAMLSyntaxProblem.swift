import RecordSpecLibYAML

/// An error of libyaml, which is explained to the author in a diagnostic.
struct YAMLSyntaxProblem {
  let file: SourceFile
  /// The message of libyaml.
  let problem: String
  /// The words of libyaml for the surrounding construct; empty without one.
  private let context: String
  /// The byte offset at which libyaml stopped.
  let location: Int
  /// The byte offset at which the surrounding construct begins; nil without one.
  let contextLocation: Int?

  /// The problem of libyaml about a second `: ` in an entry, which is usually part of a string without quotes.
  static let unexpectedColon = "mapping values are not allowed in this context"

  init(_ parser: yaml_parser_t, in file: SourceFile, _ text: YAMLText) {
    self.file = file
    problem = parser.problem.map { String(cString: $0) } ?? ""
    context = parser.context.map { String(cString: $0) } ?? ""
    location = text.offset(ofCharacter: parser.problem_mark.index)
    contextLocation = parser.context == nil ? nil : text.offset(ofCharacter: parser.context_mark.index)
  }

  /// Returns the diagnostic for the error.
  ///
  /// - Parameter lastQuoted: the range of the last quoted scalar.
  func diagnostic(lastQuoted: Range<Int>?) -> AuthorDiagnostic {
    if let conflict = file.conflict {
      return AuthorDiagnostic(
        .yamlSyntax, at: conflict, "the file contains an unresolved merge conflict",
        advice: "resolve it, and remove the lines with '<<<<<<<', '=======' and '>>>>>>>'")
    }
    if location < file.bytes.count, file.bytes[location] == UInt8(ascii: "\t"), !problem.contains("escape") {
      let tabs = file.bytes[location...].prefix { $0 == UInt8(ascii: "\t") }
      return AuthorDiagnostic(
        .yamlTab, at: file.span(location..<tabs.endIndex), "YAML does not allow tabs in the indentation",
        advice: "indent with spaces")
    }
    if let diagnostic = commentDiagnostic ?? layoutDiagnostic { return diagnostic }
    if let lastQuoted, spansLines(lastQuoted) {
      return AuthorDiagnostic(
        .yamlSyntax, at: restOfLine(from: lastQuoted.lowerBound),
        "the string has no closing quote on its line", advice: "close the quote",
        notes: [.init(character(at: lastQuoted.upperBound - 1), "the string ends here")])
    }
    let sentence = sentence
    let start = sentence.pointsAtContext ? contextLocation ?? location : location
    var notes: [AuthorDiagnostic.Note] = []
    if let beginning = sentence.beginning, let contextLocation, contextLocation != start {
      notes.append(.init(character(at: contextLocation), beginning))
    }
    if let end = sentence.end { notes.append(.init(character(at: location), end)) }
    return AuthorDiagnostic(
      .yamlSyntax, at: sentence.pointsAtContext ? restOfLine(from: start) : character(at: start),
      sentence.message, advice: sentence.advice, notes: notes)
  }

  /// Returns a Boolean value that indicates whether a quoted scalar spans several lines and only spaces separate its
  /// end from the location.
  private func spansLines(_ text: Range<Int>) -> Bool {
    text.upperBound <= location
      && file.bytes[text.upperBound..<location].allSatisfy { $0 == UInt8(ascii: " ") }
      && file.mark(at: text.lowerBound).line < file.mark(at: text.upperBound).line
  }

  /// The entry that contains a second colon, with its value in quotes, such as `xfail: "fails: see 12"`; nil if the value
  /// is not a string without quotes.
  private var quotedEntry: String? {
    let line = rangeOfLine(at: location)
    guard location < line.upperBound, line.count <= 200 else { return nil }
    let text = String(decoding: file.bytes[line], as: UTF8.self).trimmingPrefix { $0 == " " || $0 == "-" }
    guard let colon = text.firstRange(of: /:[ \t]/),
      !text[..<colon.lowerBound].contains(where: { "\"'{[#".contains($0) })
    else { return nil }
    let spaces = text[colon.upperBound...].reversed().prefix(while: \.isWhitespace).count
    let value = String(text[colon.upperBound...].dropLast(spaces).drop(while: \.isWhitespace))
    guard let first = value.first, !"\"'{[&*!|>".contains(first), !value.contains(" #") else { return nil }
    let quoted =
      value.contains("\"") || value.contains("\\")
      ? "'\(value.replacing("'", with: "''"))'" : "\"\(value)\""
    return text[..<colon.upperBound] + quoted
  }

  // MARK: Parts of the file

  private func rangeOfLine(at offset: Int) -> Range<Int> { file.rangeOfLine(file.mark(at: offset).line) }

  /// The character at which libyaml stopped, in quotes.
  private var found: String {
    guard location < file.bytes.count else { return "the end of the file" }
    let line = rangeOfLine(at: location)
    guard location < line.upperBound else { return "the end of the line" }
    let rest = String(decoding: file.bytes[location..<line.upperBound], as: UTF8.self)
    return rest.first.map { "'\($0)'" } ?? "the end of the line"
  }

  /// The text before the location on its line, without indentation.
  private var textBefore: String {
    let line = rangeOfLine(at: location)
    let bytes = file.bytes[line.lowerBound..<max(line.lowerBound, min(location, line.upperBound))]
    return String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  private func character(at offset: Int) -> SourceSpan {
    guard offset < file.bytes.count else { return file.span(offset..<offset) }
    let length = file.bytes[(offset + 1)...].prefix { $0 & 0xC0 == 0x80 }.count + 1
    return file.span(offset..<offset + length)
  }

  private func restOfLine(from offset: Int) -> SourceSpan {
    let end = max(offset, rangeOfLine(at: offset).upperBound)
    let trailing = file.bytes[offset..<end].reversed().prefix { $0 == UInt8(ascii: " ") }.count
    return file.span(offset..<end - trailing)
  }
}

extension YAMLSyntaxProblem {
  private struct Sentence {
    var message: String
    var advice: String?
    /// A Boolean value that indicates whether the diagnostic points at the start of the unfinished construct instead of
    /// the location at which libyaml stopped.
    var pointsAtContext = false
    /// The note at the location where the surrounding list, mapping or text begins.
    var beginning: String?
    /// The note at the location where libyaml stopped, if the diagnostic points at the start.
    var end: String?
  }

  /// The message for a structural error.
  private var sentence: Sentence {
    switch problem {
    case "found character that cannot start any token":
      Sentence(message: "a value cannot start with \(found)", advice: quoteAdvice)
    case Self.unexpectedColon:
      Sentence(
        message: "unexpected ':'",
        advice: quotedEntry.map { "write the string in quotes: \($0)" }
          ?? (textBefore.contains(": ")
            ? quoteAdvice : "check the indentation of this line, or write the string in quotes"))
    case "mapping keys are not allowed in this context":
      Sentence(message: "unexpected key", advice: "check the indentation of this line")
    case "block sequence entries are not allowed in this context":
      Sentence(message: "unexpected list", advice: "write its '- ' lines under the key")
    case "could not find expected ':'":
      Sentence(
        message: "missing ':' after this key",
        advice: "write 'key: value', or put a string of several lines in quotes", pointsAtContext: true)
    case "did not find expected key" where !textBefore.isEmpty:
      Sentence(
        message: "unexpected text after the value",
        advice:
          "a quoted string ends at its closing quote; inside, write '' in single and \\\" in double quotes")
    case "did not find expected key":
      Sentence(
        message: "expected a key of the mapping, found \(found)",
        advice: found == "'-'"
          ? "remove the '- ', or indent the line like the elements of a list"
          : "indent the line like the other keys",
        beginning: "the mapping starts here")
    case "did not find expected '-' indicator":
      Sentence(
        message: "expected '- ' and the next element of the list, found \(found)",
        advice: found == "'-'"
          ? "indent the line like the other elements"
          : "begin the element with '- ', or indent the line like the key before the list",
        beginning: "the list starts here")
    case "did not find expected ',' or ']'": unclosed("list", "]")
    case "did not find expected ',' or '}'": unclosed("mapping", "}")
    case "did not find expected node content": Sentence(message: "expected a value, found \(found)")
    case "did not find expected <document start>":
      Sentence(
        message: "expected the end of the file, found \(found)",
        advice: "check the indentation of this line and of the lines before it")
    default: lexicalSentence
    }
  }

  /// Returns the message for a list or mapping in brackets. If a line begins where a comma or the closing bracket is
  /// expected, the bracket is probably missing.
  private func unclosed(_ kind: String, _ bracket: String) -> Sentence {
    if textBefore.isEmpty {
      return Sentence(
        message: "the \(kind) has no closing '\(bracket)'", advice: "close it with '\(bracket)'",
        pointsAtContext: true, end: "expected ',' or '\(bracket)' here")
    }
    return Sentence(
      message: "expected ',' or '\(bracket)', found \(found)",
      advice: ["']'", "'}'", "the end of the line", "the end of the file"].contains(found)
        ? "close the \(kind) with '\(bracket)'"
        : "separate the entries with ',', or write a string with special characters in quotes",
      beginning: "the \(kind) starts here")
  }

  /// The message for an error inside one token.
  private var lexicalSentence: Sentence {
    switch problem {
    case "found unexpected end of stream" where context.hasSuffix("a quoted scalar"),
      "found unexpected document indicator" where context.hasSuffix("a quoted scalar"):
      Sentence(
        message: "the string has no closing quote", advice: "close it with the quote that begins it",
        pointsAtContext: true)
    case "found unknown escape character":
      Sentence(
        message: "unknown escape in a double-quoted string",
        advice: "write '\\\\' for a backslash, or use single quotes")
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      Sentence(
        message: "this escape is not a Unicode character",
        advice: "write it like \"\\u00e9\" or \"\\U0001F600\"")
    case "found an indentation indicator equal to 0":
      Sentence(message: "the indentation of a block scalar must be 1 to 9, not 0")
    case "did not find expected comment or line break":
      Sentence(message: "expected the end of the line, found \(found)")
    case "found undefined tag handle": Sentence(message: "unknown tag", advice: "remove the tag")
    case _ where context.hasSuffix("an anchor") || context.hasSuffix("an alias"):
      Sentence(
        message: "the name of an anchor or alias can only contain letters, digits, '-' and '_'",
        advice: quoteAdvice, pointsAtContext: true)
    case _ where context.contains("tag"):
      Sentence(message: "this is not a valid tag", advice: quoteAdvice, pointsAtContext: true)
    case _ where (context + problem).contains("directive") || problem.contains("incompatible"):
      Sentence(
        message: "unknown YAML directive", advice: "remove the line that starts with '%'",
        pointsAtContext: true)
    case "": Sentence(message: "the YAML is invalid")
    // A message of libyaml that is not listed above is better than none.
    default: Sentence(message: "the YAML is invalid: \(problem)")
    }
  }

  private var quoteAdvice: String { "write the value in quotes if it is a string" }
}
