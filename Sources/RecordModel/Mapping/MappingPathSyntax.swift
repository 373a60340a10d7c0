internal import JSONTree

/// Parses the two forms of a path: `user.tags[0]` and `[user, "a.b", 0]`.
struct MappingPathParser {
  private typealias Part = (component: MappingPath.Component, range: Range<Int>)

  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var parts: [Part] = []

  static func components(of text: String) throws(MappingPathSyntaxError) -> [MappingPath.Component] {
    var parser = MappingPathParser(text)
    try parser.parse()
    return parser.parts.map(\.component)
  }

  private init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  private mutating func parse() throws(MappingPathSyntaxError) {
    if scalars.isEmpty {
      throw error(0..<0, "the path is empty", "write the key to look up, 'user' or 'user.name'")
    }
    if scalars[0] == "[" { try parseList() } else { try parseDotted() }
    if let problem = MappingPathProblem(in: parts.map(\.component)) {
      throw error(parts[problem.position].range, problem.message, problem.advice)
    }
  }

  // MARK: Dotted

  private mutating func parseDotted() throws(MappingPathSyntaxError) {
    while true {
      try parseKeyOrOperator()
      while peek == "[" { try parseBrackets() }
      guard let next = peek else { return }
      if next != "." {
        throw error(position..<position + 1, "expected '.' after ']', found '\(next)'")
      }
      position += 1
    }
  }

  private mutating func parseKeyOrOperator() throws(MappingPathSyntaxError) {
    let start = position
    while let next = peek, next != ".", next != "[" {
      if next == "]" {
        throw error(position..<position + 1, "missing '[' for ']'", Self.listAdvice)
      }
      position += 1
    }
    let range = start..<position
    let key = string(range)
    if range.isEmpty {
      // A missing key has no width, so the adjacent dot or bracket is marked.
      let shown = peek == nil ? start - 1..<start : start..<start + 1
      throw error(shown, "missing key \(peek == nil ? "after" : "before") '\(string(shown))'")
    }
    if key.hasPrefix("@") {
      parts.append((try operatorNamed(key, range), range))
      return
    }
    if Self.isSpace(scalars[start]) || Self.isSpace(scalars[position - 1]) {
      throw error(
        range, "the key has spaces around it",
        "remove the spaces; if they belong to the key, write the path as a list: [\(Self.quoted(key))]"
      )
    }
    if key.hasPrefix("\"") || key.hasPrefix("'") {
      throw error(range, "unexpected quote", Self.listAdvice)
    }
    parts.append((.key(key), range))
  }

  /// Parses an index or a condition in brackets: `[0]`, `[-1]` or `[rel = "next"]`.
  private mutating func parseBrackets() throws(MappingPathSyntaxError) {
    let start = position
    position += 1
    var equals: Int?
    var quote: Unicode.Scalar?
    while let next = peek, quote != nil || next != "]" && (equals != nil || next != "[") {
      if quote != nil, next == "\\" {
        position += 1
      } else if next == quote {
        quote = nil
      } else if quote == nil, next == "\"" || next == "'" {
        quote = next
      } else if quote == nil, next == "=", equals == nil {
        equals = position
      }
      position += 1
    }
    position = min(position, scalars.count)
    guard peek == "]" else {
      throw error(start..<position, "missing ']' for '['", Self.listAdvice)
    }
    position += 1
    let range = start..<position
    if let equals {
      let (path, value) = (start + 1..<equals, equals + 1..<position - 1)
      parts.append((try condition(trimmed(path), trimmed(value), in: range), range))
      return
    }
    let digits = string(start + 1..<position - 1)
    guard let index = Self.index(digits) else {
      throw error(
        range, "expected an index or a condition in the brackets, found '\(digits)'",
        digits.isEmpty || digits == "*"
          ? "without brackets, the path reads every element of an array"
          : "write [0] for the first element, [-1] for the last, or [rel = \"next\"]")
    }
    parts.append((.index(index), range))
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var range = range
    while let first = range.first, Self.isSpace(scalars[first]) { range = first + 1..<range.upperBound }
    while let last = range.last, Self.isSpace(scalars[last]) { range = range.lowerBound..<last }
    return range
  }

  /// Returns the component of a condition, such as `rel = "next"`.
  private func condition(
    _ path: Range<Int>, _ value: Range<Int>, in brackets: Range<Int>
  ) throws(MappingPathSyntaxError) -> MappingPath.Component {
    let parsed: MappingPath
    do {
      parsed = try MappingPath(string(path))
    } catch {
      let range = path.lowerBound + error.range.lowerBound..<path.lowerBound + error.range.upperBound
      throw self.error(range, error.message, error.advice)
    }
    guard parsed.components.allSatisfy({ if case .key = $0 { true } else { false } }) else {
      throw error(path, "the path of a condition can contain only keys")
    }
    let text = string(value)
    if text.count > 1, text.first == "'", text.last == "'" {
      return .first(where: parsed, equals: .string(String(text.dropFirst().dropLast())))
    }
    guard let literal = try? JSONDocument(parsing: Array(text.utf8)).root.value,
      ![.array, .object, .null].contains(literal.kind)
    else {
      throw error(
        brackets, "expected a text in quotes, a number, true or false, found '\(text)'",
        "write [\(string(path)) = \(Self.quoted(text))]")
    }
    return .first(where: parsed, equals: literal)
  }

  // MARK: List

  private mutating func parseList() throws(MappingPathSyntaxError) {
    position = 1
    skipSpace()
    if peek == "]" {
      position += 1
    } else {
      repeat {
        skipSpace()
        try parseListElement()
        skipSpace()
      } while try consumesComma()
    }
    skipSpace()
    if position < scalars.count {
      throw error(
        position..<scalars.count,
        "expected the end of the path after the list, found '\(string(position..<scalars.count))'",
        "write the whole path as one list: [0, url]")
    }
  }

  /// Consumes a comma or the end of the list. Returns whether another element follows.
  private mutating func consumesComma() throws(MappingPathSyntaxError) -> Bool {
    guard let next = peek else {
      throw error(0..<1, "missing ']' at the end of the list")
    }
    guard next == "," || next == "]" else {
      throw error(position..<position + 1, "expected ',' or ']', found '\(next)'")
    }
    position += 1
    return next == ","
  }

  private mutating func parseListElement() throws(MappingPathSyntaxError) {
    let start = position
    if let quote = peek, quote == "\"" || quote == "'" {
      let key = try parseQuoted(quote)
      parts.append((.key(key), start..<position))
      return
    }
    if peek == "[" { return try parseBrackets() }
    while let next = peek, next != ",", next != "]", next != "[", next != "\"" { position += 1 }
    while position > start, Self.isSpace(scalars[position - 1]) { position -= 1 }
    let range = start..<position
    let word = string(range)
    if range.isEmpty {
      guard let next = peek else { throw error(0..<1, "missing ']' at the end of the list") }
      throw error(position..<position + 1, "expected a key, found '\(next)'")
    }
    if word.hasPrefix("@") {
      parts.append((try operatorNamed(word, range), range))
    } else {
      parts.append((Self.index(word).map(MappingPath.Component.index) ?? .key(word), range))
    }
  }

  private mutating func parseQuoted(_ quote: Unicode.Scalar) throws(MappingPathSyntaxError) -> String {
    let start = position
    var key = String.UnicodeScalarView()
    position += 1
    while let next = peek, next != quote {
      position += 1
      guard next == "\\" else {
        key.append(next)
        continue
      }
      guard let escaped = peek, let unescaped = Self.escapes[escaped] else {
        throw error(
          position - 1..<min(position + 1, scalars.count), "unknown escape in the key",
          #"write '\\' for a backslash"#)
      }
      key.append(unescaped)
      position += 1
    }
    guard peek == quote else { throw error(start..<start + 1, "missing closing quote") }
    position += 1
    return String(key)
  }

  // MARK: Helpers

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func skipSpace() {
    while let next = peek, Self.isSpace(next) { position += 1 }
  }

  private func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  private func error(_ range: Range<Int>, _ message: String, _ advice: String? = nil)
    -> MappingPathSyntaxError
  {
    MappingPathSyntaxError(text: text, range: range, message: message, advice: advice)
  }

  private func operatorNamed(
    _ name: String, _ range: Range<Int>
  ) throws(MappingPathSyntaxError) -> MappingPath.Component {
    switch name {
    case "@count": return .count
    case "@unionOfObjects": return .unionOfObjects
    default:
      if let place = MappingPath.Place(rawValue: name) { return .around(place) }
      let operators = ["@count", "@unionOfObjects"] + MappingPath.Place.allCases.map(\.rawValue)
      if let near = nearestName(to: name, among: operators) {
        throw error(range, "unknown operator '\(name)'", "did you mean '\(near)'?")
      }
      // A key such as `@odata.type` has dots.
      let key = Self.quoted(
        position < scalars.count && peek != "." ? name : string(range.lowerBound..<scalars.count))
      throw error(
        range, "unknown operator '\(name)'",
        "for a key with this name, write the path as a list: [\(key)], or [[\(key)]] in a list of paths such as 'from'"
      )
    }
  }

  private static let listAdvice =
    "if a key contains dots, brackets or quotes, write the path as a list: [user, \"a.b\"]"

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\\": "\\", "\"": "\"", "'": "'", "n": "\n", "r": "\r", "t": "\t",
  ]

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  /// Returns the index that a word represents; nil unless the word is an integer in its shortest form. `007` is therefore a key.
  private static func index(_ word: String) -> Int? {
    let digits = word.hasPrefix("-") ? word.dropFirst() : word[...]
    guard let first = digits.utf8.first, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return first == 48 && word.utf8.count > 1 ? nil : Int(word)
  }
}

// MARK: Formatting

extension MappingPathParser {
  /// Returns whether the key can be written in dotted form.
  static func isPlain(_ key: String) -> Bool {
    guard let first = key.unicodeScalars.first, let last = key.unicodeScalars.last else { return false }
    if first == "@" || first == "\"" || first == "'" || isSpace(first) || isSpace(last) { return false }
    return key.unicodeScalars.allSatisfy { $0 != "." && $0 != "[" && $0 != "]" }
  }

  /// Returns whether the key can be written in a list without quotes.
  static func isBareInList(_ key: String) -> Bool {
    isPlain(key) && index(key) == nil && key.unicodeScalars.allSatisfy { $0 != "," && $0 != "\"" }
  }

  static func quoted(_ key: String) -> String {
    var text = "\""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\\", "\"": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

/// A problem in the order or the range of components.
struct MappingPathProblem {
  let position: Int
  let message: String
  let advice: String?

  init?(in components: [MappingPath.Component]) {
    for (position, component) in components.enumerated() {
      let isLast = position == components.count - 1
      switch component {
      case .count where !isLast:
        self.init(
          position: position, message: "'@count' must be the last part of a path",
          advice: "remove the part after it")
        return
      case .unionOfObjects where isLast:
        self.init(
          position: position, message: "'@unionOfObjects' requires a path after it",
          advice: "write '@unionOfObjects.name', or remove it to get the elements themselves")
        return
      case .around(let place):
        let isAllowed = components[..<position].allSatisfy { $0 == .around(.parent) }
        if !isAllowed || position > 0 && [.root, .request].contains(place) {
          self.init(
            position: position, message: "'\(place.rawValue)' must be at the start of a path",
            advice: "a value from around the item cannot follow another part; only '@parent' can be repeated")
          return
        }
        if !isLast, [.key, .index].contains(place) {
          self.init(
            position: position, message: "'\(place.rawValue)' must be the last part of a path",
            advice: "remove the part after it")
          return
        }
      default: continue
      }
    }
    return nil
  }

  private init(position: Int, message: String, advice: String?) {
    self.position = position
    self.message = message
    self.advice = advice
  }
}
