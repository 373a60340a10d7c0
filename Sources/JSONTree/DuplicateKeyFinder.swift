/// Finds the keys of an object that repeat an earlier key. It runs right after the object is parsed, while the keys are
/// still in the processor's cache, so no list of keys has to be kept.
///
/// Keys are compared by a fingerprint of their length and their first and last bytes, then byte by byte. Objects of up
/// to 128 keys use a small hash table. Larger objects are sorted, because keys with equal fingerprints could make a
/// table slow on purpose. Sorting takes O(*n* log *n*) for all keys.
struct DuplicateKeyFinder {
  private static let tableSize = 256
  private static let largestTabled = 128

  private struct Key {
    var fingerprint: UInt64
    /// The index of the key's word on the tape.
    var index: Int32
  }

  /// The keys of the current object.
  private var keys: [Key] = []
  /// Positions in `keys` plus one; 0 for a free slot.
  private var table = [UInt8](repeating: 0, count: tableSize)

  /// Marks the object and lists its repeated keys, if there are any.
  mutating func check(objectAt index: Int, in tape: inout Tape, _ bytes: Parser.Bytes) {
    collectKeys(ofObjectAt: index, in: tape, bytes)
    let before = tape.duplicateKeys.count
    if keys.count <= Self.largestTabled {
      checkByTable(&tape, bytes)
    } else {
      checkBySorting(&tape, bytes)
    }
    if tape.duplicateKeys.count > before { tape.words[index].setFlag() }
  }

  private mutating func collectKeys(ofObjectAt index: Int, in tape: Tape, _ bytes: Parser.Bytes) {
    keys.removeAll(keepingCapacity: true)
    let end = tape.index(after: index)
    var next = index + 2
    while next < end {
      keys.append(Key(fingerprint: Self.fingerprint(tape.words[next], bytes), index: Int32(next)))
      next = tape.index(after: next + 1)
    }
  }

  private mutating func checkByTable(_ tape: inout Tape, _ bytes: Parser.Bytes) {
    for slot in 0..<Self.tableSize { table[slot] = 0 }
    next: for position in keys.indices {
      let key = keys[position]
      var slot = Int(truncatingIfNeeded: key.fingerprint) & (Self.tableSize - 1)
      while table[slot] != 0 {
        let other = keys[Int(table[slot]) - 1]
        if other.fingerprint == key.fingerprint, Self.order(other, key, tape, bytes) == 0 {
          tape.duplicateKeys.append(key.index)
          continue next
        }
        slot = (slot + 1) & (Self.tableSize - 1)
      }
      table[slot] = UInt8(truncatingIfNeeded: position + 1)
    }
  }

  private mutating func checkBySorting(_ tape: inout Tape, _ bytes: Parser.Bytes) {
    let unsorted = tape
    keys.sort { left, right in
      if left.fingerprint != right.fingerprint { return left.fingerprint < right.fingerprint }
      let order = Self.order(left, right, unsorted, bytes)
      return order == 0 ? left.index < right.index : order < 0
    }
    for (left, right) in zip(keys, keys.dropFirst())
    where left.fingerprint == right.fingerprint && Self.order(left, right, unsorted, bytes) == 0 {
      tape.duplicateKeys.append(right.index)
    }
  }

  /// Returns the fingerprint of a key after unescaping, so that equal keys have equal fingerprints.
  private static func fingerprint(_ key: TapeWord, _ bytes: Parser.Bytes) -> UInt64 {
    guard key.flag else { return fingerprint(bytes, key.offset, key.length) }
    return EscapedText.unescaped(bytes[key.textRange]).withUnsafeBufferPointer {
      fingerprint($0, 0, $0.count)
    }
  }

  private static func fingerprint(_ bytes: Parser.Bytes, _ offset: Int, _ length: Int) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var head: UInt64 = 0
    var tail: UInt64 = 0
    if length >= 8 {
      head = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      tail = raw.loadUnaligned(fromByteOffset: offset + length - 8, as: UInt64.self)
    } else if length >= 4 {
      head = UInt64(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      tail = UInt64(raw.loadUnaligned(fromByteOffset: offset + length - 4, as: UInt32.self))
    } else {
      for byte in bytes[offset..<offset + length] { head = head << 8 | UInt64(byte) }
    }
    let product = (head ^ 0x9E37_79B9_7F4A_7C15)
      .multipliedFullWidth(by: tail ^ 0xD1B5_4A32_D192_ED03 ^ UInt64(length) << 56)
    return product.high ^ product.low
  }

  /// Returns a negative number, 0 or a positive number if `left` sorts before, equal to or after `right`.
  private static func order(_ left: Key, _ right: Key, _ tape: Tape, _ bytes: Parser.Bytes) -> Int {
    let left = tape.words[Int(left.index)]
    let right = tape.words[Int(right.index)]
    if !left.flag, !right.flag { return order(bytes[left.textRange], bytes[right.textRange]) }
    return order(EscapedText.unescaped(bytes[left.textRange]), EscapedText.unescaped(bytes[right.textRange]))
  }

  private static func order(
    _ left: some RandomAccessCollection<UInt8>, _ right: some RandomAccessCollection<UInt8>
  ) -> Int {
    for (left, right) in zip(left, right) where left != right { return Int(left) - Int(right) }
    return left.count - right.count
  }
}
