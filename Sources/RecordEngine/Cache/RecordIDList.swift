/// A compact encoding of record ids: their number, then the difference of each id from the previous one. New records of
/// a response have consecutive ids, which take one byte each.
enum RecordIDList {
  static func bytes(_ ids: [RecordID]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ids.count + 10)
    append(UInt64(ids.count), to: &bytes)
    var last: Int64 = 0
    for id in ids {
      let distance = id.rawValue &- last
      // Small differences in both directions become small numbers.
      append(UInt64(bitPattern: distance << 1 ^ distance >> 63), to: &bytes)
      last = id.rawValue
    }
    return bytes
  }

  /// Returns the ids that bytes encode, or nil if the bytes are invalid.
  static func ids(_ bytes: UnsafeRawBufferPointer) -> [RecordID]? {
    var remaining = bytes[...]
    // Each id takes at least one byte, so that a larger number of ids is invalid.
    guard let count = number(&remaining), count <= UInt64(remaining.count) else { return nil }
    var ids: [RecordID] = []
    ids.reserveCapacity(Int(count))
    var last: Int64 = 0
    for _ in 0..<count {
      guard let code = number(&remaining) else { return nil }
      last = last &+ (Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1))
      guard last >= 0 else { return nil }
      ids.append(RecordID(tree: TreeIndex(Int(last >> 48)), serial: last & 0xFFFF_FFFF_FFFF))
    }
    return remaining.isEmpty ? ids : nil
  }

  /// Appends a number with seven bits in each byte, the lowest first. The highest bit of a byte indicates that more
  /// bytes follow.
  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var remaining = number
    while remaining >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
      remaining >>= 7
    }
    bytes.append(UInt8(remaining))
  }

  private static func number(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> UInt64? {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      guard shift < 63 || byte <= 1 else { return nil }
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
    }
    return nil
  }
}
