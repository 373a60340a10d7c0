// Messages of syntax errors. This code does not run for valid JSON, so it need not be fast.
extension Parser {
  @inline(never)
  static func failure(_ bytes: Bytes, _ position: Int, _ message: String) -> JSONSyntaxError {
    var counter = LocationCounter()
    return JSONSyntaxError(location: counter.location(ofByte: position, in: bytes), message: message)
  }

  /// Returns the offset after a byte order mark. Servers must not send one, but many do (RFC 8259, section 8.1).
  static func start(of bytes: Bytes) -> Int { bytes.starts(with: LocationCounter.byteOrderMark) ? 3 : 0 }

  static func checkBeginning(of bytes: Bytes) throws(JSONSyntaxError) {
    guard bytes.count <= TapeWord.maximumLength else {
      throw failure(
        bytes, 0, "the document has \(bytes.count) bytes; at most \(TapeWord.maximumLength) are allowed")
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw failure(bytes, 0, "the document is encoded in UTF-16 or UTF-32, but JSON is UTF-8")
    }
    var position = start(of: bytes)
    skipWhitespace(bytes, &position)
    if position == bytes.count { throw failure(bytes, 0, "expected a value, but the document is empty") }
  }

  /// Returns the error for a position that requires a value.
  @inline(never)
  static func missingValue(
    _ bytes: Bytes, _ position: Int, in frame: Frame? = nil, _ tape: Tape = Tape()
  ) -> JSONSyntaxError {
    let byte = position < bytes.count ? bytes[position] : 0
    let message =
      switch byte {
      case .closeBracket, .closeBrace, .comma:
        afterComma(bytes, position).map { _ in "expected a value after ',', found \(found(bytes, position))" }
      case .ascii("'"): "expected a value, found a single quote; strings need double quotes"
      case .ascii("/"), .ascii("#"):
        "expected a value, found \(found(bytes, position)); JSON does not allow comments"
      case .plus, .dot:
        "expected a value, found \(found(bytes, position)); a number starts with a digit or '-'"
      default: isWordCharacter(byte) ? wrongWord(bytes, position) : nil
      }
    return failure(
      bytes, position,
      message
        ?? "expected a value, found \(found(bytes, position))\(opening(of: frame, bytes, position, tape))")
  }

  /// Returns the error for a position that requires a key.
  @inline(never)
  static func missingKey(
    _ bytes: Bytes, _ position: Int, in frame: Frame?, _ tape: Tape
  ) -> JSONSyntaxError {
    let expected = afterComma(bytes, position) == nil ? "a key or '}'" : "a key after ','"
    let byte = position < bytes.count ? bytes[position] : 0
    let advice = isWordCharacter(byte) || byte == .ascii("'") ? "; keys need double quotes" : ""
    return failure(
      bytes, position,
      "expected \(expected), found \(found(bytes, position))\(advice)\(opening(of: frame, bytes, position, tape))"
    )
  }

  /// Returns the error for a position that requires a separator or the end of the container.
  @inline(never)
  static func missingSeparator(
    _ bytes: Bytes, _ position: Int, in frame: Frame, _ tape: Tape
  ) -> JSONSyntaxError {
    let end = frame.isObject ? "'}'" : "']'"
    return failure(
      bytes, position,
      "expected ',' or \(end), found \(found(bytes, position))\(opening(of: frame, bytes, position, tape))")
  }

  @inline(never)
  static func controlCharacter(_ bytes: Bytes, _ position: Int) -> JSONSyntaxError {
    let byte = bytes[position]
    let escape = EscapedText.escape(ofControlCharacter: byte)
    return failure(
      bytes, position, "\(found(bytes, position)) must be escaped in a string; write '\(escape)'")
  }

  @inline(never)
  static func unknownEscape(_ bytes: Bytes, _ start: Int) -> JSONSyntaxError {
    let character = bytes[start + 1]
    let what =
      character > 0x20 && character < 0x7F
      ? text(bytes, start, 2) : "a backslash before \(found(bytes, start + 1))"
    return failure(
      bytes, start,
      "unknown escape: \(what); use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four digits")
  }

  /// Returns a description of the character at a position.
  static func found(_ bytes: Bytes, _ position: Int) -> String {
    guard position < bytes.count else { return "the end of the document" }
    switch bytes[position] {
    case .lineFeed, .carriageReturn: return "the end of the line"
    case .tab: return "a tab"
    case .space: return "a space"
    case 0..<0x20, 0x7F: return "the control character \(hexadecimal(bytes[position]))"
    case 0x21..<0x7F: return text(bytes, position, 1)
    default:
      let length = encodedScalarLength(bytes, position)
      return length == 0
        ? "\(hexadecimal(bytes[position])), which is not valid UTF-8" : text(bytes, position, length)
    }
  }

  /// Returns a range of the document in single quotes.
  static func text(_ bytes: Bytes, _ position: Int, _ length: Int) -> String {
    "'\(String(decoding: bytes[position..<min(position + length, bytes.count)], as: UTF8.self))'"
  }

  static func hexadecimal(_ byte: UInt8) -> String {
    "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, .ascii("_"), .ascii("$"): true
    default: false
    }
  }

  private static func wrongWord(_ bytes: Bytes, _ start: Int) -> String {
    var end = start
    while end < bytes.count, isWordCharacter(bytes[end]) { end += 1 }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    let shown = end - start <= 40 ? "'\(word)'" : text(bytes, start, 40) + "…"
    let advice =
      switch word.lowercased() {
      case "true", "false", "null": "write '\(word.lowercased())'"
      case "nan", "inf", "infinity": "JSON does not have this number"
      case "undefined", "nil", "none": "write 'null'"
      default: "strings need double quotes"
      }
    return "expected a value, found \(shown); \(advice)"
  }

  /// Returns the position of the comma before `position`, if there is only white space between them.
  private static func afterComma(_ bytes: Bytes, _ position: Int) -> Int? {
    var before = position - 1
    while before >= 0, [.space, .tab, .lineFeed, .carriageReturn].contains(bytes[before]) { before -= 1 }
    return before >= 0 && bytes[before] == .comma ? before : nil
  }

  /// At the end of the document, returns a note that names the unclosed container.
  private static func opening(of frame: Frame?, _ bytes: Bytes, _ position: Int, _ tape: Tape) -> String {
    guard position >= bytes.count, let frame else { return "" }
    var counter = LocationCounter()
    let index = counter.location(ofByte: tape.words[frame.index].offset, in: bytes)
    return "; the \(frame.isObject ? "object" : "array") that starts in \(index) is not closed"
  }
}
