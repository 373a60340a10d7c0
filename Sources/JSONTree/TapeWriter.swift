/// Writes a value as compact text together with the tape that the parser would produce for this text.
struct TapeWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var tape = Tape()
  private var depth = 0

  mutating func append(_ value: JSONValue) {
    let start = bytes.count
    switch value {
    case .null: append("null", .null)
    case .boolean(let value): append(value ? "true" : "false", value ? .true : .false)
    case .number(let number):
      append(number.digits, .number, flag: number.digits.utf8.allSatisfy { $0.isDigit || $0 == .minus })
    case .string(let text): append(string: text)
    case .array(let elements):
      let index = openContainer(.openBracket)
      for (position, element) in elements.enumerated() {
        if position > 0 { bytes.append(.comma) }
        append(element)
      }
      bytes.append(.closeBracket)
      closeContainer(.array, index, start, elements.count)
    case .object(let members):
      let index = openContainer(.openBrace)
      for (position, member) in members.enumerated() {
        if position > 0 { bytes.append(.comma) }
        append(string: member.key)
        bytes.append(.colon)
        append(member.value)
      }
      bytes.append(.closeBrace)
      closeContainer(.object, index, start, members.count)
    }
  }

  private mutating func append(_ text: String, _ kind: TapeWord.Kind, flag: Bool = false) {
    tape.words.append(TapeWord(kind, offset: bytes.count, length: text.utf8.count, flag: flag))
    bytes += text.utf8
  }

  private mutating func append(string text: String) {
    bytes.append(.quote)
    let start = bytes.count
    let hasEscapes = EscapedText.append(text, to: &bytes)
    tape.words.append(TapeWord(.string, offset: start, length: bytes.count - start, flag: hasEscapes))
    bytes.append(.quote)
  }

  private mutating func openContainer(_ bracket: UInt8) -> Int {
    bytes.append(bracket)
    depth += 1
    tape.depth = max(tape.depth, depth)
    tape.words += [TapeWord(next: 0, count: 0), TapeWord(next: 0, count: 0)]
    return tape.words.count - 2
  }

  private mutating func closeContainer(_ kind: TapeWord.Kind, _ index: Int, _ start: Int, _ count: Int) {
    depth -= 1
    tape.words[index] = TapeWord(kind, offset: start, length: bytes.count - start)
    tape.words[index + 1] = TapeWord(next: tape.words.count, count: count)
  }
}
