extension JSONValue {
  /// Returns the canonical text of the value. Parsing and writing it again yields the same bytes.
  ///
  /// - Keys are sorted: first integers (`0`, `7`, `12`) by value, then other keys by Unicode scalars.
  /// - The indentation is two spaces. Members are written as `"key": value`. Lines end with a line feed, including the
  ///   last.
  /// - A container is written on one line if no object inside it has members and the line has at most 100 columns:
  ///   `{ "id": "1", "posts": ["Post/1", "Post/2"] }`. The columns include the indentation, the key and a comma. Other
  ///   containers have a line for each member. Empty containers are `{}` and `[]`.
  /// - Strings are UTF-8. Only `"`, `\`, control characters, line separators, U+FEFF and the controls of bidirectional
  ///   text are escaped.
  /// - Numbers keep their digits.
  public func canonicalText() -> String { String(decoding: canonicalBytes(), as: UTF8.self) }

  /// Returns the bytes of ``canonicalText()``.
  package func canonicalBytes() -> [UInt8] {
    var writer = CanonicalWriter()
    writer.append(self, indent: 0)
    writer.bytes.append(.lineFeed)
    return writer.bytes
  }

  /// Returns the text of the value in the layout of ``canonicalText()``, with the keys in their order.
  package func indentedText() -> String {
    var writer = CanonicalWriter(sortsKeys: false)
    writer.append(self, indent: 0)
    writer.bytes.append(.lineFeed)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Returns the value on one line, with the keys in their order and without spaces: `{"id":7}`.
  public func compactText() -> String {
    var writer = TapeWriter()
    writer.append(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

private struct CanonicalWriter {
  private typealias Member = (key: String, value: JSONValue)

  private static let maximumColumns = 100

  let sortsKeys: Bool
  var bytes: [UInt8] = []
  /// The offset of the start of the current line.
  private var lineStart = 0

  init(sortsKeys: Bool = true) { self.sortsKeys = sortsKeys }

  mutating func append(_ value: JSONValue, indent: Int) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      if appendOnOneLine({ $0.appendLine(elements) }) { return }
      appendBlock(.openBracket, .closeBracket, elements, indent) { writer, element in
        writer.append(element, indent: indent + 1)
      }
    case .object(let members) where !members.isEmpty:
      let members = ordered(members)
      if appendOnOneLine({ $0.appendLine(members) }) { return }
      appendBlock(.openBrace, .closeBrace, members, indent) { writer, member in
        writer.append(key: member.key)
        writer.append(member.value, indent: indent + 1)
      }
    default: _ = appendPart(value)
    }
  }

  private mutating func appendBlock<Part>(
    _ open: UInt8, _ close: UInt8, _ parts: [Part], _ indent: Int,
    _ append: (inout CanonicalWriter, Part) -> Void
  ) {
    bytes.append(open)
    for (position, part) in parts.enumerated() {
      if position > 0 { bytes.append(.comma) }
      startLine(indent + 1)
      append(&self, part)
    }
    startLine(indent)
    bytes.append(close)
  }

  private mutating func startLine(_ indent: Int) {
    bytes.append(.lineFeed)
    lineStart = bytes.count
    bytes.append(contentsOf: repeatElement(.space, count: 2 * indent))
  }

  private mutating func append(key: String) {
    append(string: key)
    bytes += [.colon, .space]
  }

  private mutating func append(string: String) {
    bytes.append(.quote)
    EscapedText.append(string, to: &bytes)
    bytes.append(.quote)
  }

  // MARK: One line

  /// Keeps the output of `append` if `append` returns true and the line is short enough; otherwise removes the output.
  private mutating func appendOnOneLine(_ append: (inout CanonicalWriter) -> Bool) -> Bool {
    let start = bytes.count
    if append(&self), lineFits { return true }
    bytes.removeLast(bytes.count - start)
    return false
  }

  /// A Boolean value that indicates whether the line has space for a comma. The space is reserved even if no comma
  /// follows, so that a line does not change when another line is added after it.
  private var lineFits: Bool {
    // A scalar has at most four bytes, so the columns of a very long line need no counting.
    bytes.count - lineStart < 4 * Self.maximumColumns
      && bytes[lineStart...].count { $0 & 0xC0 != 0x80 } < Self.maximumColumns
  }

  // These functions return false if the value does not fit on one line. They stop as soon as the line is too long, so
  // that each container costs at most one line before it is split.

  private mutating func appendLine(_ elements: [JSONValue]) -> Bool {
    bytes.append(.openBracket)
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes += [.comma, .space] }
      guard appendPart(element), lineFits else { return false }
    }
    bytes.append(.closeBracket)
    return true
  }

  private mutating func appendLine(_ members: [Member]) -> Bool {
    bytes += [.openBrace, .space]
    for (position, member) in members.enumerated() {
      if position > 0 { bytes += [.comma, .space] }
      append(key: member.key)
      guard appendPart(member.value), lineFits else { return false }
    }
    bytes += [.space, .closeBrace]
    return true
  }

  /// Appends a value within a line. Returns false if it contains an object with members.
  private mutating func appendPart(_ value: JSONValue) -> Bool {
    switch value {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .number(let number): bytes += number.digits.utf8
    case .string(let text): append(string: text)
    case .array(let elements): return appendLine(elements)
    case .object(let members):
      guard members.isEmpty else { return false }
      bytes += [.openBrace, .closeBrace]
    }
    return true
  }

  // MARK: Order

  private func ordered(_ members: JSONObject) -> [Member] {
    guard sortsKeys else { return Array(members) }
    // Integer keys come first, then the others. UTF-8 bytes sort in the order of their scalars. Integers without
    // leading zeros sort by their length first.
    let (integers, others) = members.reduce(into: ([Member](), [Member]())) { parts, member in
      if JSONPointer.isPosition(member.key) { parts.0.append(member) } else { parts.1.append(member) }
    }
    func precedes(_ left: Member, _ right: Member) -> Bool {
      scalarsPrecede(left.key, right.key)
    }
    return integers.sorted { left, right in
      let (leftCount, rightCount) = (left.key.utf8.count, right.key.utf8.count)
      return leftCount == rightCount ? precedes(left, right) : leftCount < rightCount
    } + others.sorted(by: precedes)
  }
}
