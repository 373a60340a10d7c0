import JSONTree
import RecordModel

/// Replaces many values in texts. A value is found where no letter or digit adjoins it, and the longest value wins.
struct TextSearch {
  /// The values that begin with the same three bytes.
  private struct Bucket {
    var replacements: [ArraySlice<UInt8>: [UInt8]] = [:]
    /// The lengths of the values, the longest first.
    var lengths: [Int] = []
  }

  private var buckets: [UInt32: Bucket] = [:]

  /// Adds a value of at least three bytes. The first replacement of a value counts.
  mutating func add(_ value: String, _ replacement: String) {
    let bytes = Array(value.utf8)
    guard bytes.count >= 3, bytes.count <= Self.maximumLength else { return }
    let key = Self.key(bytes, 0)
    guard buckets[key]?.replacements[bytes[...]] == nil else { return }
    buckets[key, default: Bucket()].replacements[bytes[...]] = Array(replacement.utf8)
    let lengths = buckets[key]?.lengths ?? []
    if let index = lengths.firstIndex(where: { $0 <= bytes.count }) {
      if lengths[index] != bytes.count { buckets[key]?.lengths.insert(bytes.count, at: index) }
    } else {
      buckets[key]?.lengths.append(bytes.count)
    }
  }

  /// The maximum length of a value, which bounds the time for a text.
  private static let maximumLength = 8192

  func replacing(in text: String) -> String {
    guard !buckets.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    var offset = 0
    while offset + 3 <= bytes.count {
      if bytes[offset] == UInt8(ascii: ":"), bytes[offset + 1] == UInt8(ascii: "/"),
        bytes[offset + 2] == UInt8(ascii: "/")
      {
        offset += 3
        let end = bytes[offset...].firstIndex { "/?#<>\"' ".utf8.contains($0) } ?? bytes.count
        // A user and a password before the host are replaced.
        if let at = bytes[offset..<end].lastIndex(of: UInt8(ascii: "@")) {
          result += bytes[copied..<offset]
          result += Array(replacing(in: String(decoding: bytes[offset..<at], as: UTF8.self)).utf8)
          copied = at
        }
        offset = end
        continue
      }
      if Self.isStart(offset, in: bytes), let bucket = buckets[Self.key(bytes, offset)],
        let (length, replacement) = Self.match(bucket, bytes, offset)
      {
        result += bytes[copied..<offset] + replacement
        offset += length
        copied = offset
      } else {
        offset += 1
      }
    }
    guard copied > 0 else { return text }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  private static func match(_ bucket: Bucket, _ bytes: [UInt8], _ offset: Int) -> (Int, [UInt8])? {
    for length in bucket.lengths where offset + length <= bytes.count && isEnd(offset + length, in: bytes) {
      if let replacement = bucket.replacements[bytes[offset..<offset + length]] {
        return (length, replacement)
      }
    }
    return nil
  }

  private static func key(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte >= 0x80 }

  /// Returns a Boolean value that indicates whether a value can start here: after no letter or digit, except those of a
  /// percent-encoded character.
  private static func isStart(_ offset: Int, in bytes: [UInt8]) -> Bool {
    guard offset > 0, isWord(bytes[offset - 1]), isWord(bytes[offset]) else { return true }
    return offset >= 3 && bytes[offset - 3] == UInt8(ascii: "%") && bytes[offset - 1].hexadecimalValue != nil
      && bytes[offset - 2].hexadecimalValue != nil
  }

  private static func isEnd(_ offset: Int, in bytes: [UInt8]) -> Bool {
    offset == bytes.count || !isWord(bytes[offset]) || !isWord(bytes[offset - 1])
  }
}
