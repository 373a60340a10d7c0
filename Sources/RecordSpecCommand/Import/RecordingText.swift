import ScenarioFormat

/// The text of a recording in UTF-8. Some shells write UTF-16 when they redirect the output of a command.
enum RecordingText {
  /// Returns the bytes of a file in UTF-8 without a byte order mark. Reports text that is not valid in its encoding.
  ///
  /// - Complexity: linear in the number of bytes.
  static func decoded(_ bytes: [UInt8], _ report: (String, String) -> Void) -> [UInt8]? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let start = Array(bytes.prefix(4))
    if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] {
      report("the file is encoded in UTF-32", "save it as UTF-8")
      return nil
    }
    let hasMark = start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
    // Without a mark, every other byte of ASCII text in UTF-16 is zero.
    let areZero = start.map { $0 == 0 }
    guard hasMark || areZero == [true, false, true, false] || areZero == [false, true, false, true] else {
      return bytes
    }
    let isBigEndian = start[0] == 0xFE || areZero[0]
    let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { offset in
      let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      report("the file is not valid UTF-16", "save it as UTF-8")
      return nil
    }
    return Array(text.utf8)
  }
}
