/// An open-addressing hash table of positions in an array. The owner of the array computes the hashes and compares the
/// elements. Used for many small elements whose standard hashes would cost more than the elements.
struct HashIndex {
  /// The slots. The upper half is the upper half of a hash, and the lower half is a position plus one; 0 for a free
  /// slot.
  private var slots: [UInt64] = Array(repeating: 0, count: 16)
  /// The number of positions in the table.
  private(set) var count = 0
  /// The number of slots that are not free, including those of removed positions.
  private var takenCount = 0

  var slotCount: Int { slots.count }

  /// The lower half of a slot whose position was removed.
  private static let removed: UInt64 = 0xFFFF_FFFF

  /// Different in every run of the program, so that colliding keys cannot be chosen in advance.
  static let seed = UInt64(truncatingIfNeeded: Hasher().finalize())

  @inline(__always)
  static func hash(_ first: UInt64, _ second: UInt64 = 0) -> UInt64 {
    let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: second ^ 0xD1B5_4A32_D192_ED03)
    return product.high ^ product.low
  }

  mutating func reserveCapacity(_ capacity: Int) {
    if capacity * 2 > slots.count { grow(to: capacity * 2) }
  }

  /// Returns the position of the element with this hash for which the closure returns true.
  @inline(__always)
  func position(hash: UInt64, where isTheOne: (Int) -> Bool) -> Int? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      let value = slots[slot]
      if (value ^ hash) >> 32 == 0, value & Self.removed != Self.removed {
        let position = Int(value & Self.removed) - 1
        if isTheOne(position) { return position }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a position that is not in the table.
  mutating func insert(_ position: Int, hash: UInt64) {
    // If most of the slots belong to removed positions, the table shrinks.
    if (takenCount + 1) * 2 > slots.count { grow(to: count * 4) }
    insertSlot(hash & ~Self.removed | UInt64(position + 1))
  }

  /// Removes a position that is in the table.
  mutating func remove(_ position: Int, hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      if slots[slot] == hash & ~Self.removed | UInt64(position + 1) {
        slots[slot] |= Self.removed
        count -= 1
        return
      }
      slot = (slot + 1) & mask
    }
  }

  private mutating func insertSlot(_ value: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: value >> 32) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = value
    count += 1
    takenCount += 1
  }

  private mutating func grow(to capacity: Int) {
    var size = 16
    while size < capacity { size *= 2 }
    let former = slots
    slots = Array(repeating: 0, count: size)
    (count, takenCount) = (0, 0)
    for value in former where value != 0 && value & Self.removed != Self.removed { insertSlot(value) }
  }
}
