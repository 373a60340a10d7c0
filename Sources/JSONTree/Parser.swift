/// Parses a text in one pass from left to right and writes the tape.
///
/// The functions are static and pass their state as `inout`, because exclusivity checks on variables of classes or
/// closures would cost more than the parsing. Every read of a byte is preceded by a bounds check. Open containers are
/// kept in an array, so that the nesting depth uses no machine stack.
enum Parser {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// A container that is not closed yet.
  struct Frame {
    var isObject: Bool
    /// The index of its first word on the tape.
    var index: Int
    var count = 0
  }

  static func parse(_ bytes: Bytes, maximumDepth: Int) throws(JSONSyntaxError) -> Tape {
    try checkBeginning(of: bytes)
    var tape = Tape()
    tape.words.reserveCapacity(bytes.count / 16 + 4)
    var duplicateKeys = DuplicateKeyFinder()
    var enclosing: [Frame] = []
    var frame: Frame?
    var position = start(of: bytes)

    value: while true {
      skipWhitespace(bytes, &position)
      guard position < bytes.count else {
        throw missingValue(bytes, position, in: frame, tape)
      }
      switch bytes[position] {
      case .quote:
        tape.words.append(try string(bytes, &position))
      case .zero ... .nine, .minus:
        tape.words.append(try number(bytes, &position))
      case .openBrace, .openBracket:
        let isObject = bytes[position] == .openBrace
        if let frame { enclosing.append(frame) }
        guard enclosing.count < maximumDepth else {
          throw failure(bytes, position, "the document is nested more than \(maximumDepth) levels deep")
        }
        tape.depth = max(tape.depth, enclosing.count + 1)
        frame = Frame(isObject: isObject, index: tape.words.count)
        // Both words are overwritten when the container is closed.
        tape.words.append(TapeWord(isObject ? .object : .array, offset: position, length: 0))
        tape.words.append(TapeWord(next: 0, count: 0))
        position += 1
        skipWhitespace(bytes, &position)
        if position < bytes.count, bytes[position] == (isObject ? .closeBrace : .closeBracket) {
          break
        }
        if isObject { tape.words.append(try key(bytes, &position, in: frame, tape)) }
        continue value
      case .ascii("t"):
        tape.words.append(try word("true", .true, bytes, &position))
      case .ascii("f"):
        tape.words.append(try word("false", .false, bytes, &position))
      case .ascii("n"):
        tape.words.append(try word("null", .null, bytes, &position))
      default:
        throw missingValue(bytes, position, in: frame, tape)
      }

      // After a value, continue with the next one or leave the containers that end here.
      while var open = frame {
        skipWhitespace(bytes, &position)
        let byte = position < bytes.count ? bytes[position] : 0
        let isEmpty = tape.words.count == open.index + 2
        if !isEmpty { open.count += 1 }
        if byte == .comma, !isEmpty {
          position += 1
          if open.isObject {
            skipWhitespace(bytes, &position)
            tape.words.append(try key(bytes, &position, in: open, tape))
          }
          frame = open
          continue value
        }
        guard byte == (open.isObject ? .closeBrace : .closeBracket) else {
          throw missingSeparator(bytes, position, in: open, tape)
        }
        position += 1
        close(open, at: position, &tape)
        if open.isObject, open.count > 1 { duplicateKeys.check(objectAt: open.index, in: &tape, bytes) }
        frame = enclosing.popLast()
      }
      break
    }

    skipWhitespace(bytes, &position)
    guard position == bytes.count else {
      throw failure(
        bytes, position, "expected the end of the document, found \(found(bytes, position))")
    }
    // Objects are checked when they are closed, inner objects first.
    tape.duplicateKeys.sort()
    return tape
  }

  @inline(__always)
  private static func close(_ frame: Frame, at position: Int, _ tape: inout Tape) {
    let start = tape.words[frame.index].offset
    tape.words[frame.index] = TapeWord(
      frame.isObject ? .object : .array, offset: start, length: position - start)
    tape.words[frame.index + 1] = TapeWord(next: tape.words.count, count: frame.count)
  }

  @inline(__always)
  static func skipWhitespace(_ bytes: Bytes, _ position: inout Int) {
    while position < bytes.count {
      switch bytes[position] {
      case .space, .lineFeed, .carriageReturn, .tab: position += 1
      default: return
      }
    }
  }

  /// Parses a key and its colon.
  @inline(__always)
  private static func key(
    _ bytes: Bytes, _ position: inout Int, in frame: Frame?, _ tape: Tape
  ) throws(JSONSyntaxError) -> TapeWord {
    guard position < bytes.count, bytes[position] == .quote else {
      throw missingKey(bytes, position, in: frame, tape)
    }
    let key = try string(bytes, &position)
    skipWhitespace(bytes, &position)
    guard position < bytes.count, bytes[position] == .colon else {
      throw failure(bytes, position, "expected ':' after the key, found \(found(bytes, position))")
    }
    position += 1
    return key
  }

  private static func word(
    _ text: StaticString, _ kind: TapeWord.Kind, _ bytes: Bytes, _ position: inout Int
  ) throws(JSONSyntaxError) -> TapeWord {
    let start = position
    let length = text.utf8CodeUnitCount
    guard bytes.count - start >= length else { throw missingValue(bytes, start) }
    for index in 0..<length where bytes[start + index] != text.utf8Start[index] {
      throw missingValue(bytes, start)
    }
    position += length
    // `nullx` is one unknown word, not `null` followed by another token.
    if position < bytes.count, isWordCharacter(bytes[position]) { throw missingValue(bytes, start) }
    return TapeWord(kind, offset: start, length: length)
  }

  static func number(_ bytes: Bytes, _ position: inout Int) throws(JSONSyntaxError) -> TapeWord {
    let start = position
    var isPlain = true
    if bytes[position] == .minus {
      position += 1
      guard position < bytes.count, bytes[position].isDigit else {
        throw failure(bytes, position, "expected a digit after '-', found \(found(bytes, position))")
      }
    }
    let first = bytes[position]
    position += 1
    if first == .zero, position < bytes.count, bytes[position].isDigit {
      throw failure(bytes, start, "a number cannot have leading zeros")
    }
    skipDigits(bytes, &position)
    if position < bytes.count, bytes[position] == .dot {
      isPlain = false
      position += 1
      guard position < bytes.count, bytes[position].isDigit else {
        throw failure(bytes, position, "expected a digit after '.', found \(found(bytes, position))")
      }
      skipDigits(bytes, &position)
    }
    if position < bytes.count, bytes[position] | 0x20 == .ascii("e") {
      isPlain = false
      position += 1
      if position < bytes.count, bytes[position] == .plus || bytes[position] == .minus { position += 1 }
      guard position < bytes.count, bytes[position].isDigit else {
        throw failure(bytes, position, "expected a digit in the exponent, found \(found(bytes, position))")
      }
      skipDigits(bytes, &position)
    }
    return TapeWord(.number, offset: start, length: position - start, flag: isPlain)
  }

  @inline(__always)
  private static func skipDigits(_ bytes: Bytes, _ position: inout Int) {
    while position < bytes.count, bytes[position].isDigit { position += 1 }
  }
}
