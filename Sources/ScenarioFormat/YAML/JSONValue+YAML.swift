package import JSONTree

extension JSONValue {
  /// Returns the value as YAML, with the order of the keys and the digits of the numbers preserved. `YAMLParser` reads
  /// an equal value, unless the value has more than `YAMLParser.maximumDepth` levels.
  ///
  /// - A list or mapping is written on one line if it contains no mapping with members and the line has at most 100
  ///   bytes: `{to: User, inverse: posts}`. Other lists and mappings have a line for each element.
  /// - Texts are quoted only if YAML would read them differently, or if an editor might.
  /// - A list or mapping that contains a commented value has a line for each element, too.
  /// - Complexity: linear in the size of the value, and in the depth for each line.
  ///
  /// - Parameter comments: the comments on the value and its parts.
  package func yamlText(comments: YAMLComments = YAMLComments()) -> String {
    var writer = YAMLWriter()
    writer.appendRoot(self, comments)
    return writer.text
  }
}

private struct YAMLWriter {
  private static let maximumLength = 100
  /// libyaml reads keys of more than 1024 characters only after a question mark.
  private static let maximumKeyLength = 1000

  private(set) var text = ""
  /// The offset of the start of the current line in UTF-8.
  private var lineStart = 0

  mutating func appendRoot(_ value: JSONValue, _ comments: YAMLComments) {
    for line in comments.above {
      text += YAMLComments.line(line)
      endLine()
    }
    if !comments.above.isEmpty { endLine() }
    if !comments.hasParts, appendOnOneLine(value) {
      endLine()
    } else {
      appendParts(of: value, comments, indent: 0)
    }
  }

  /// Appends a value after its key, on the same line if possible.
  private mutating func appendValue(_ value: JSONValue, _ comments: YAMLComments?, indent: Int) {
    text += " "
    if comments?.hasParts != true, appendOnOneLine(value) { return endLine(with: comments?.beside) }
    text.removeLast()
    endLine(with: comments?.beside)
    startLine(indent + 1)
    appendParts(of: value, comments, indent: indent + 1)
  }

  /// Appends an element after its dash. The first part of a list or mapping is on the same line.
  private mutating func appendElement(_ value: JSONValue, _ comments: YAMLComments?, indent: Int) {
    text += " "
    if comments?.hasParts != true, appendOnOneLine(value) {
      endLine(with: comments?.beside)
    } else {
      appendParts(of: value, comments, indent: indent + 1)
    }
  }

  /// Appends the parts of a list or mapping, one per line. The first line has been indented.
  private mutating func appendParts(of value: JSONValue, _ comments: YAMLComments?, indent: Int) {
    switch value {
    case .array(let elements):
      for (position, element) in elements.enumerated() {
        let comments = comments?.part(String(position))
        startPart(comments, isFirst: position == 0, indent: indent)
        text += "-"
        appendElement(element, comments, indent: indent)
      }
    case .object(let members):
      for (position, member) in members.enumerated() {
        let comments = comments?.part(member.key)
        startPart(comments, isFirst: position == 0, indent: indent)
        appendKey(member.key, indent: indent)
        appendValue(member.value, comments, indent: indent)
      }
    case .null, .boolean, .number, .string:
      text += Self.scalar(value)
      endLine()
    }
  }

  /// Starts the line of a part, after its comments. The line of the first part has been started.
  private mutating func startPart(_ comments: YAMLComments?, isFirst: Bool, indent: Int) {
    if !isFirst {
      if comments?.followsEmptyLine == true { endLine() }
      startLine(indent)
    }
    for line in comments?.above ?? [] {
      text += YAMLComments.line(line)
      endLine()
      startLine(indent)
    }
  }

  private mutating func appendKey(_ key: String, indent: Int) {
    let written = Self.key(key)
    guard written.utf8.count > Self.maximumKeyLength else {
      text += written + ":"
      return
    }
    text += "? " + written
    endLine()
    startLine(indent)
    text += ":"
  }

  private mutating func startLine(_ indent: Int) { text += String(repeating: "  ", count: indent) }

  private mutating func endLine(with comment: String? = nil) {
    if let comment { text += " " + YAMLComments.line(comment) }
    text += "\n"
    lineStart = text.utf8.count
  }

  // MARK: One line

  /// Appends a value if it can be written on the current line. A scalar always can.
  private mutating func appendOnOneLine(_ value: JSONValue) -> Bool {
    var line = ""
    let room = Self.maximumLength - (text.utf8.count - lineStart)
    guard Self.append(value, to: &line, room: room) else { return false }
    text += line
    return true
  }

  /// Appends a value to a line. Returns false as soon as a list or mapping does not fit, or contains a mapping with
  /// members.
  private static func append(
    _ value: JSONValue, to line: inout String, room: Int, isInFlow: Bool = false
  ) -> Bool {
    switch value {
    case .array(let elements):
      line += "["
      for (position, element) in elements.enumerated() {
        if position > 0 { line += ", " }
        if case .object(let members) = element, !members.isEmpty { return false }
        guard append(element, to: &line, room: room, isInFlow: true), line.utf8.count < room else {
          return false
        }
      }
      line += "]"
    case .object(let members):
      line += "{"
      for (position, member) in members.enumerated() {
        if position > 0 { line += ", " }
        if case .object(let inner) = member.value, !inner.isEmpty { return false }
        line += key(member.key, isInFlow: true) + ": "
        guard append(member.value, to: &line, room: room, isInFlow: true), line.utf8.count < room else {
          return false
        }
      }
      line += "}"
    case .null, .boolean, .number, .string: line += scalar(value, isInFlow: isInFlow)
    }
    return true
  }

  // MARK: Scalars

  /// Returns the text of a scalar.
  ///
  /// - Parameter isInFlow: a Boolean value that indicates whether the scalar is inside of `[]` or `{}`.
  private static func scalar(_ value: JSONValue, isInFlow: Bool = false) -> String {
    guard case .string(let text) = value else { return value.compactText() }
    let isUnambiguous =
      isPlain(text, isInFlow: isInFlow) && YAMLScalarValue(plain: text) == .string(text)
      && !isOtherValueInYAML11(text)
    return isUnambiguous ? text : quoted(text)
  }

  /// Returns the text of a key, which is never read as a number, a Boolean or null.
  private static func key(_ text: String, isInFlow: Bool = false) -> String {
    isPlain(text, isInFlow: isInFlow) && !isBooleanInYAML11(text) ? text : quoted(text)
  }

  private static func isBooleanInYAML11(_ text: String) -> Bool {
    ["yes", "no", "on", "off"].contains(text.lowercased())
  }

  /// Returns a Boolean value that indicates whether YAML 1.1, which many tools read, has another value for a text without
  /// quotes: a Boolean, a date, or a number with underscores or in binary digits.
  private static func isOtherValueInYAML11(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x30...0x39).contains(first) else { return isBooleanInYAML11(text) }
    return text.wholeMatch(of: /[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?/) != nil
      || text.wholeMatch(of: /[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|0b[01_]+|0x[0-9a-fA-F_]+/) != nil
  }

  private static func quoted(_ text: String) -> String {
    let json = JSONValue.string(text).compactText()
    let needsEscapes = json.utf8.count != text.utf8.count + 2
    guard needsEscapes || text.unicodeScalars.contains(where: isNoncharacter) else { return json }
    // Without control characters, single quotes are easier to read than escaped double quotes and backslashes.
    if !text.unicodeScalars.contains(where: { $0.garblesText || isNoncharacter($0) }) {
      var quoted = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        quoted.append(contentsOf: scalar == "'" ? [scalar, scalar] : [scalar])
      }
      return "'" + String(quoted) + "'"
    }
    var escaped = ""
    for scalar in json.unicodeScalars {
      if isNoncharacter(scalar) {
        escaped += "\\u" + String(scalar.value, radix: 16, uppercase: true)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns a Boolean value that indicates whether YAML requires a character to be escaped that JSON does not.
  private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFFFE || scalar.value == 0xFFFF
  }

  /// The characters that a text without quotes may contain besides letters and digits, in any position but the first.
  private static let plainPunctuation = Set(#" _-./+=()'"<>!@$%^*&;|~?\"#.unicodeScalars)

  /// Returns a Boolean value that indicates whether the characters of a text need no quotes. Some readers take a question
  /// mark inside of `[]` or `{}` for the start of a key.
  private static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
    if isInFlow, text.unicodeScalars.contains("?") { return false }
    guard let first = text.unicodeScalars.first, isWordCharacter(first), text.unicodeScalars.last != " "
    else { return false }
    return text.unicodeScalars.allSatisfy { isWordCharacter($0) || plainPunctuation.contains($0) }
  }

  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || ("0"..."9").contains(scalar) || scalar.properties.isAlphabetic
  }
}
