/// The ids of records as few bytes: how many there are, then how far each is from the one before it. Those that a response
/// brought for the first time follow each other, a byte each.
enum RecordIDList {
  static func bytes(_ ids: [RecordID]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ids.count + 10)
    append(UInt64(ids.count), to: &bytes)
    var last: Int64 = 0
    for id in ids {
      let distance = id.rawValue &- last
      // Small distances in either direction are small numbers.
      append(UInt64(bitPattern: distance << 1 ^ distance >> 63), to: &bytes)
      last = id.rawValue
    }
    return bytes
  }

  /// Nil for bytes that no list has.
  static func ids(_ bytes: UnsafeRawBufferPointer) -> [RecordID]? {
    var rest = bytes[...]
    // Each takes a byte at least: whatever the bytes say, there is no room for more.
    guard let count = number(&rest), count <= UInt64(rest.count) else { return nil }
    var ids: [RecordID] = []
    ids.reserveCapacity(Int(count))
    var last: Int64 = 0
    for _ in 0..<count {
      guard let code = number(&rest) else { return nil }
      last = last &+ (Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1))
      guard last >= 0 else { return nil }
      ids.append(RecordID(tree: TreeIndex(Int(last >> 48)), serial: last & 0xFFFF_FFFF_FFFF))
    }
    return rest.isEmpty ? ids : nil
  }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
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
