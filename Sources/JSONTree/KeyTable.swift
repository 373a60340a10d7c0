/// A table of keys that are looked up in objects, all of them in one pass over the members.
///
/// A key is identified by its length and its first and last eight bytes; longer keys are compared as a whole. The keys
/// come from a model, so no response can cause many collisions.
// A class, because a table is passed along for each object.
package final class KeyTable: Sendable {
  private let keys: [[UInt8]]
  private let fingerprints: [KeyFingerprint]
  /// Positions in `keys` plus one; 0 for a free slot. The number of slots is a power of two, and at least half are
  /// free.
  private let slots: [Int32]

  /// Creates a table.
  ///
  /// - Parameter keys: the keys, without duplicates.
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

  /// Returns the position of a key; nil for other keys, and for one with other scalars.
  package func position(of key: String) -> Int? {
    withUTF8(key) { position(of: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the position of the key that is equal to these bytes; nil for other keys.
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
  /// Looks up keys among the members of the object at an index.
  ///
  /// - Parameters:
  ///   - found: receives the index of the value for each position in the table, or -1 if the key is missing. If a key
  ///     occurs
  ///     more than once, its last value is used.
  ///   - isFirstEnough: a Boolean value that indicates whether to stop at the first key of the table, provided that the
  ///     object
  ///     has no duplicate keys.
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

/// The length and the outer bytes of a key. They distinguish most keys at once, and keys of up to 16 bytes completely.
private struct KeyFingerprint: Equatable {
  var length: Int
  /// The first eight bytes; of shorter keys, the first four or all bytes.
  var head: UInt64 = 0
  /// The last eight bytes; of shorter keys, the last four bytes or 0.
  var tail: UInt64 = 0

  @inline(__always)
  init(_ key: UnsafeRawBufferPointer) {
    length = key.count
    if key.count >= 8 {
      head = key.loadUnaligned(as: UInt64.self)
      tail = key.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
    } else if key.count >= 4 {
      // The first and last four bytes cover the whole key.
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
