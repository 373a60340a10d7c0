import RecordSpecLibYAML

/// An error of libyaml, which is explained to the author in a diagnostic.
struct YAMLSyntaxProblem {
  private let isOutOfMemory: Bool
  let problem: String
  private let context: String
  /// The index of the character at which libyaml stopped.
  private let character: Int
  /// The index of the character at which the surrounding construct begins; nil without a context.
  private let contextCharacter: Int?

  init(_ parser: yaml_parser_t) {
    isOutOfMemory = parser.error == YAML_MEMORY_ERROR
    problem = parser.problem.map { String(cString: $0) } ?? ""
    context = parser.context.map { String(cString: $0) } ?? ""
    character = parser.problem_mark.index
    contextCharacter = parser.context == nil ? nil : parser.context_mark.index
  }

  /// Returns the diagnostic for the error.
  ///
  /// - Parameters:
  ///   - offset: a function that returns the byte offset of a character.
  ///   - lastQuoted: the range of the last quoted scalar.
  func diagnostic(in file: SourceFile, offset: (Int) -> Int, lastQuoted: Range<Int>?) -> AuthorDiagnostic {
    let location = offset(character)
    let contextPlace = contextCharacter.map(offset)
    if isOutOfMemory {
      return AuthorDiagnostic(
        .yamlSyntax, at: .file(file.path), "not enough memory to read the file")
    }
    if let conflict = file.conflict {
      return AuthorDiagnostic(
        .yamlSyntax, at: conflict, "the file contains an unresolved merge conflict",
        advice: "resolve it, and remove the lines with '<<<<<<<', '=======' and '>>>>>>>'")
    }
    if location < file.bytes.count, file.bytes[location] == UInt8(ascii: "\t"), !problem.contains("escape") {
      return Self.tab(in: file, at: location)
    }
    if Self.problemsAfterComments.contains(problem),
      let comment = Self.comment(before: location, in: file)
    {
      return comment
    }
    if let diagnostic = layoutDiagnostic(in: file, at: location, context: contextPlace) { return diagnostic }
    var sentence = sentence(
      found: Self.character(in: file, at: location), before: Self.textBefore(location, in: file))
    if problem == Self.unexpectedColon, let line = Self.quotedLine(in: file, at: location) {
      sentence.advice = "write the string in quotes: \(line)"
    }
    let start = sentence.pointsAtContext ? contextPlace ?? location : location
    var notes: [AuthorDiagnostic.Note] = []
    if let beginning = sentence.beginning, let contextPlace, contextPlace != start {
      notes.append(.init(Self.firstCharacter(in: file, at: contextPlace), beginning))
    }
    if sentence.pointsAtContext, let end = sentence.end {
      notes.append(.init(Self.firstCharacter(in: file, at: location), end))
    }
    if let lastQuoted, Self.spansLines(lastQuoted, endingBefore: location, in: file) {
      return AuthorDiagnostic(
        .yamlSyntax, at: Self.restOfLine(in: file, from: lastQuoted.lowerBound),
        "the string has no closing quote on its line", advice: "close the quote",
        notes: [.init(Self.firstCharacter(in: file, at: lastQuoted.upperBound - 1), "the string ends here")])
    }
    return AuthorDiagnostic(
      .yamlSyntax,
      at: sentence.pointsAtContext
        ? Self.restOfLine(in: file, from: start) : Self.firstCharacter(in: file, at: start),
      sentence.message, advice: sentence.advice, notes: notes)
  }

  private static func tab(in file: SourceFile, at location: Int) -> AuthorDiagnostic {
    let run = file.bytes[location...].prefix { $0 == UInt8(ascii: "\t") }
    return AuthorDiagnostic(
      .yamlTab, at: file.span(location..<run.endIndex), "YAML does not allow tabs in the indentation",
      advice: "indent with spaces")
  }

  private static func character(in file: SourceFile, at offset: Int) -> String {
    guard offset < file.bytes.count else { return "the end of the file" }
    let line = file.rangeOfLine(file.mark(at: offset).line)
    guard offset < line.upperBound else { return "the end of the line" }
    let rest = String(decoding: file.bytes[offset..<line.upperBound], as: UTF8.self)
    return rest.first.map { "'\($0)'" } ?? "the end of the line"
  }

  /// Returns a Boolean value that indicates whether a quoted scalar spans several lines and only spaces separate its
  /// end from a location.
  private static func spansLines(_ text: Range<Int>, endingBefore location: Int, in file: SourceFile) -> Bool
  {
    let between = file.bytes[min(text.upperBound, location)..<location]
    return text.upperBound <= location && between.allSatisfy { $0 == UInt8(ascii: " ") }
      && file.mark(at: text.lowerBound).line < file.mark(at: text.upperBound).line
  }

  /// The problems of libyaml that a comment in a list or mapping in brackets can cause.
  private static let problemsAfterComments = [
    "did not find expected ',' or ']'", "did not find expected ',' or '}'",
    "did not find expected node content",
  ]

  /// The problem of libyaml about a second `: ` in an entry, which is usually part of a string without quotes.
  private static let unexpectedColon = "mapping values are not allowed in this context"

  /// Returns the entry that contains a second colon with its value in quotes, such as `xfail: "fails: see 12"`; nil if the
  /// value is not a string without quotes.
  private static func quotedLine(in file: SourceFile, at location: Int) -> String? {
    let line = file.rangeOfLine(file.mark(at: location).line)
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

  /// Returns the text before a location on its line, without indentation.
  private static func textBefore(_ offset: Int, in file: SourceFile) -> String {
    let line = file.rangeOfLine(file.mark(at: offset).line)
    let bytes = file.bytes[line.lowerBound..<max(line.lowerBound, min(offset, line.upperBound))]
    return String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  private static func firstCharacter(in file: SourceFile, at offset: Int) -> SourceSpan {
    guard offset < file.bytes.count else { return file.span(offset..<offset) }
    let length = file.bytes[(offset + 1)...].prefix { $0 & 0xC0 == 0x80 }.count + 1
    return file.span(offset..<offset + length)
  }

  private static func restOfLine(in file: SourceFile, from offset: Int) -> SourceSpan {
    let line = file.rangeOfLine(file.mark(at: offset).line)
    let text = file.bytes[offset..<max(offset, line.upperBound)]
    let trailing = text.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    return file.span(offset..<max(offset, line.upperBound - trailing))
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

  /// Returns the message for a structural error.
  ///
  /// - Parameters:
  ///   - found: the character at which libyaml stopped, in quotes.
  ///   - before: the text before it on its line, without indentation.
  private func sentence(found: String, before: String) -> Sentence {
    switch problem {
    case "found character that cannot start any token":
      return Sentence(message: "a value cannot start with \(found)", advice: quoteAdvice)
    case Self.unexpectedColon:
      return Sentence(
        message: "unexpected ':'",
        advice: before.contains(": ")
          ? quoteAdvice
          : "check the indentation of this line, or write the string in quotes")
    case "mapping keys are not allowed in this context":
      return Sentence(message: "unexpected key", advice: "check the indentation of this line")
    case "block sequence entries are not allowed in this context":
      return Sentence(message: "unexpected list", advice: "write its '- ' lines under the key")
    case "could not find expected ':'":
      return Sentence(
        message: "missing ':' after this key",
        advice: "write 'key: value', or put a string of several lines in quotes", pointsAtContext: true)
    case "did not find expected key" where !before.isEmpty:
      return Sentence(
        message: "unexpected text after the value",
        advice:
          "a quoted string ends at its closing quote; inside, write '' in single and \\\" in double quotes")
    case "did not find expected key":
      return Sentence(
        message: "expected a key of the mapping, found \(found)",
        advice: found == "'-'"
          ? "remove the '- ', or indent the line like the elements of a list"
          : "indent the line like the other keys",
        beginning: "the mapping starts here")
    case "did not find expected '-' indicator":
      return Sentence(
        message: "expected '- ' and the next element of the list, found \(found)",
        advice: found == "'-'"
          ? "indent the line like the other elements"
          : "begin the element with '- ', or indent the line like the key before the list",
        beginning: "the list starts here")
    case "did not find expected ',' or ']'":
      return unclosed("list", "]", found: found, isOnLaterLine: before.isEmpty)
    case "did not find expected ',' or '}'":
      return unclosed("mapping", "}", found: found, isOnLaterLine: before.isEmpty)
    case "did not find expected node content":
      return Sentence(message: "expected a value, found \(found)")
    case "did not find expected <document start>":
      return Sentence(
        message: "expected the end of the file, found \(found)",
        advice: "check the indentation of this line and of the lines before it")
    default: return lexicalSentence(found: found)
    }
  }

  /// Returns the message for a list or mapping in brackets. If a line begins where a comma or the closing bracket is
  /// expected, the bracket is probably missing.
  private func unclosed(_ kind: String, _ bracket: String, found: String, isOnLaterLine: Bool) -> Sentence {
    if isOnLaterLine {
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

  /// Returns the message for an error inside one token.
  private func lexicalSentence(found: String) -> Sentence {
    let isQuoted = context.hasSuffix("a quoted scalar")
    switch problem {
    case "found unexpected end of stream" where isQuoted,
      "found unexpected document indicator" where isQuoted:
      return Sentence(
        message: "the string has no closing quote", advice: "close it with the quote that begins it",
        pointsAtContext: true)
    case "found unknown escape character":
      return Sentence(
        message: "unknown escape in a double-quoted string",
        advice: "write '\\\\' for a backslash, or use single quotes")
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      return Sentence(
        message: "this escape is not a Unicode character",
        advice: "write it like \"\\u00e9\" or \"\\U0001F600\"")
    case "found an indentation indicator equal to 0":
      return Sentence(message: "the indentation of a block scalar must be 1 to 9, not 0")
    case "did not find expected comment or line break":
      return Sentence(message: "expected the end of the line, found \(found)")
    case "found undefined tag handle":
      return Sentence(message: "unknown tag", advice: "remove the tag")
    default: break
    }
    if context.hasSuffix("an anchor") || context.hasSuffix("an alias") {
      return Sentence(
        message: "the name of an anchor or alias can only contain letters, digits, '-' and '_'",
        advice: quoteAdvice,
        pointsAtContext: true)
    }
    if context.contains("tag") {
      return Sentence(message: "this is not a valid tag", advice: quoteAdvice, pointsAtContext: true)
    }
    if context.contains("directive") || problem.contains("directive") || problem.contains("incompatible") {
      return Sentence(
        message: "unknown YAML directive", advice: "remove the line that starts with '%'",
        pointsAtContext: true)
    }
    // A message of libyaml that is not listed above is better than none.
    return Sentence(message: problem.isEmpty ? "the YAML is invalid" : "the YAML is invalid: \(problem)")
  }

  private var quoteAdvice: String { "write the value in quotes if it is a string" }
}
