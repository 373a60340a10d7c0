/// Reads the bytes of a text from left to right. Every read is checked against the end.
package struct ByteReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  package private(set) var position = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  package var isAtEnd: Bool { position >= bytes.count }

  /// The next byte, without consuming it; nil at the end.
  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func skip() { position += 1 }

  /// Consumes and returns the next byte; nil at the end.
  package mutating func takeByte() -> UInt8? {
    guard let byte = next else { return nil }
    position += 1
    return byte
  }

  /// Skips spaces and tabs.
  package mutating func skipBlanks() {
    while take(UInt8(ascii: " ")) || take(UInt8(ascii: "\t")) {}
  }

  /// Consumes the bytes before the first byte that does not satisfy the condition, and returns them as text.
  package mutating func takeText(while isTaken: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = next, isTaken(byte) { skip() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Consumes the next byte if it is equal to `byte`. Returns whether it is.
  package mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Consumes a `+` or a `-`, and returns 1 or -1; nil for other bytes.
  package mutating func takeSign() -> Int? {
    if take(UInt8(ascii: "+")) { 1 } else if take(UInt8(ascii: "-")) { -1 } else { nil }
  }

  package mutating func takeDigit() -> Int? {
    guard let byte = next, let digit = decimalDigit(byte) else { return nil }
    position += 1
    return digit
  }

  /// Consumes `count` digits, at most nine, and returns their number. Returns nil if fewer digits follow.
  package mutating func takeNumber(digits count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = takeDigit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Consumes all digits that follow. Returns nil if there is no digit, or if the number has more than nine digits
  /// after its leading zeros.
  package mutating func takeNumber() -> (value: Int, digits: Int)? {
    let start = position
    var value = 0
    while let digit = takeDigit() {
      value = value * 10 + digit
      if value > 999_999_999 { return nil }
    }
    return position > start ? (value, position - start) : nil
  }

  /// Consumes a word of ASCII letters, ignoring case. Returns whether the word follows.
  package mutating func take(word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in
      guard bytes.count - position >= letters.count else { return false }
      for (offset, letter) in letters.enumerated()
      where bytes[position + offset].asciiLowercased != letter.asciiLowercased { return false }
      position += letters.count
      return true
    }
  }

  /// Consumes the first of the words that follows, and returns its index; nil if no word follows.
  package mutating func takeOne(of words: [StaticString]) -> Int? {
    for (index, word) in words.enumerated() where take(word: word) { return index }
    return nil
  }
}

func decimalDigit(_ byte: UInt8) -> Int? {
  UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int(byte &- UInt8(ascii: "0")) : nil
}
