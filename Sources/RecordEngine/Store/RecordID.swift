/// What names a record in its store: it stays the same for as long as the record lives, whatever its entity becomes.
public struct RecordID: Hashable, Sendable {
  /// The inheritance tree in the upper 16 bits, a serial number in the others.
  package let rawValue: Int64

  package init(tree: TreeIndex, serial: Int64) { rawValue = Int64(tree.rawValue) << 48 | serial }

  package var tree: TreeIndex { TreeIndex(Int(rawValue >> 48)) }
  package var serial: Int64 { rawValue & 0xFFFF_FFFF_FFFF }
}

extension RecordID: Comparable {
  /// By tree, then by age.
  public static func < (left: RecordID, right: RecordID) -> Bool { left.rawValue < right.rawValue }
}
