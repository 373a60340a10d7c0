/// The bytes of a YAML file, verified to be UTF-8 that libyaml reads as YAML 1.2 defines it.
struct YAMLText {
  /// The offset of the first byte after a byte order mark.
  let start: Int
  /// The offset of the first byte of each character; nil if all characters are single bytes.
  private let characterOffsets: [Int32]?
  private let end: Int

  /// Returns the byte offset of libyaml's character `index`.
  func offset(ofCharacter index: Int) -> Int {
    guard let characterOffsets else { return min(start + index, end) }
    return index < characterOffsets.count ? Int(characterOffsets[index]) : end
  }

  /// Checks the bytes of a file in one pass. Linear in the number of bytes.
  init(checking file: SourceFile) throws(AuthorDiagnostic) {
    let bytes = file.bytes
    if Self.isWide(bytes) {
      throw AuthorDiagnostic(
        .encoding, at: .file(file.path), "the file is UTF-16, not UTF-8",
        advice: "save it as UTF-8: iconv -f UTF-16 -t UTF-8")
    }
    if bytes.count > Int32.max / 2 {
      throw AuthorDiagnostic(.encoding, at: .file(file.path), "the file is larger than 1 GiB")
    }
    start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    end = bytes.count
    if bytes.allSatisfy({ Self.isPlainASCII($0) }) {
      characterOffsets = nil
      return
    }

    var offsets: [Int32] = []
    offsets.reserveCapacity(bytes.count)
    var offset = start
    while offset < bytes.count {
      offsets.append(Int32(offset))
      if Self.isPlainASCII(bytes[offset]) {
        offset += 1
        continue
      }
      guard let (scalar, length) = Self.decode(bytes, at: offset) else {
        throw AuthorDiagnostic(
          .encoding, at: file.span(offset..<offset + 1),
          "the byte 0x\(String(bytes[offset], radix: 16, uppercase: true)) is not valid UTF-8",
          advice: "save the file as UTF-8")
      }
      if let problem = Self.forbidden(scalar, in: file, at: offset..<offset + length) { throw problem }
      offset += length
    }
    characterOffsets = offsets
  }

  private static func isPlainASCII(_ byte: UInt8) -> Bool {
    (byte >= 0x20 && byte < 0x7F) || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns a Boolean value that indicates whether the bytes are UTF-16.
  private static func isWide(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
    // Without a byte order mark, every other byte of ASCII text in UTF-16 is zero.
    let areZero = bytes.prefix(4).map { $0 == 0 }
    return areZero == [true, false, true, false] || areZero == [false, true, false, true]
  }

  private static func forbidden(
    _ scalar: UInt32, in file: SourceFile, at range: Range<Int>
  ) -> AuthorDiagnostic? {
    let name: String
    switch scalar {
    case 0x00...0x1F, 0x7F, 0x80...0x84, 0x86...0x9F: name = "a control character"
    // YAML 1.2 reads the next three characters as text, and libyaml reads them as line breaks.
    case 0x85: name = "the control character 'next line'"
    case 0x2028: name = "the character 'line separator'"
    case 0x2029: name = "the character 'paragraph separator'"
    case 0xFEFF: name = "a byte order mark inside the file"
    case 0xFFFE, 0xFFFF: name = "a noncharacter code point"
    default: return nil
    }
    let hexadecimal = String(scalar, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
    return AuthorDiagnostic(
      .controlCharacter, at: file.span(range), "\(name), U+\(padded), must be escaped in YAML",
      advice: "remove it, or write \"\\u\(padded)\" in double quotes")
  }

  /// Returns the scalar at an offset; nil if the bytes are not valid UTF-8.
  private static func decode(_ bytes: [UInt8], at offset: Int) -> (scalar: UInt32, length: Int)? {
    var iterator = bytes[offset..<min(offset + 4, bytes.count)].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return (scalar.value, UTF8.width(scalar))
  }
}
