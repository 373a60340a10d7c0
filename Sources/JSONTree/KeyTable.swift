/// Keys to look for in objects, all of them in one walk over the members.
///
/// A key is known by its length and its first and last eight bytes; only of longer ones the rest is compared. The keys
/// are a model's, so that few of them fall on one slot, whatever a response says.
// A class, because a table is handed on for each object.
package final class KeyTable: Sendable {
  private let keys: [[UInt8]]
  private let fingerprints: [KeyFingerprint]
  /// One more than a position in `keys`, 0 where there is none: a power of two of them, half of them free.
  private let slots: [Int32]

  /// - Parameter keys: each of them once.
  package init(_ keys: [String]) {
    self.keys = keys.map { Array($0.utf8) }
    fingerprints = self.keys.map { $0.withUnsafeBytes { KeyFingerprint($0) } }
    var size = 4
    while size < keys.count * 2 { size *= 2 }
    var slots = [Int32](repeating: 0, count: size)
    for (position, fingerprint) in fingerprints.enumerated() {
      var slot = fingerprint.hash & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = Int32(position + 1)
    }
    self.slots = slots
  }

  package var count: Int { keys.count }

  /// The position of the key that these bytes are.
  @inline(__always)
  fileprivate func position(of key: UnsafeRawBufferPointer) -> Int? {
    let fingerprint = KeyFingerprint(key)
    let mask = slots.count - 1
    var slot = fingerprint.hash & mask
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if fingerprints[position] == fingerprint,
        key.count <= 16 || keys[position].withUnsafeBytes({ bytesAreEqual($0, key) })
      {
        return position
      }
      slot = (slot + 1) & mask
    }
    return nil
  }
}

extension JSONDocument {
  /// Looks for keys among the members of the object at a place.
  ///
  /// - Parameters:
  ///   - found: becomes, by position in the table, the place of the value, -1 where there is none; of a key that
  ///     stands twice the last one.
  ///   - isFirstEnough: whether to stop where the table's first key stands, if it cannot stand twice.
  package func find(
    _ keys: KeyTable, inObjectAt index: Int32, into found: inout [Int32], isFirstEnough: Bool = false
  ) {
    found.removeAll(keepingCapacity: true)
    for _ in 0..<keys.count { found.append(-1) }
    let object = tape.words[Int(index)]
    let stopsEarly = isFirstEnough && !object.flag
    let end = tape.words[Int(index) + 1].next
    var next = Int(index) + 2
    bytes.withUnsafeBytes { bytes in
      while next < end {
        let key = tape.words[next]
        let position =
          key.flag
          ? EscapedText.unescaped(self.bytes[key.textRange]).withUnsafeBytes { keys.position(of: $0) }
          : keys.position(of: UnsafeRawBufferPointer(rebasing: bytes[key.textRange]))
        if let position {
          found[position] = Int32(truncatingIfNeeded: next + 1)
          if position == 0, stopsEarly { return }
        }
        next = tape.index(after: next + 1)
      }
    }
  }
}

/// What tells most keys apart at once, and keys of up to 16 bytes entirely.
private struct KeyFingerprint: Equatable {
  var length: Int
  /// The first eight bytes, or as many of them as there are.
  var head: UInt64 = 0
  /// The last eight bytes, where there are eight.
  var tail: UInt64 = 0

  @inline(__always)
  init(_ key: UnsafeRawBufferPointer) {
    length = key.count
    if key.count >= 8 {
      head = key.loadUnaligned(as: UInt64.self)
      tail = key.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
    } else if key.count >= 4 {
      // Four bytes from either end: all of them.
      head = UInt64(key.loadUnaligned(as: UInt32.self))
      tail = UInt64(key.loadUnaligned(fromByteOffset: key.count - 4, as: UInt32.self))
    } else {
      for byte in key { head = head << 8 | UInt64(byte) }
    }
  }

  @inline(__always)
  var hash: Int {
    let product = (head ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: tail ^ 0xD1B5_4A32_D192_ED03 ^ UInt64(truncatingIfNeeded: length))
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}
