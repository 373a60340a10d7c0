/// The identifier of a record in its store. It stays the same for the lifetime of the record, even if the entity
/// changes.
public struct RecordID: Hashable, Sendable {
  /// The index of the inheritance tree in the upper 16 bits, and a serial number in the lower 48 bits.
  package let rawValue: Int64

  package init(tree: TreeIndex, serial: Int64) { rawValue = Int64(tree.rawValue) << 48 | serial }

  package var tree: TreeIndex { TreeIndex(Int(rawValue >> 48)) }
  package var serial: Int64 { rawValue & 0xFFFF_FFFF_FFFF }
}

extension RecordID: Comparable {
  /// Returns a Boolean value that indicates whether the first identifier precedes the second one: by tree, then by age.
  public static func < (left: RecordID, right: RecordID) -> Bool { left.rawValue < right.rawValue }
}

extension RecordID: CustomStringConvertible, CustomReflectable {
  /// The serial number and the inheritance tree: `record 7 of tree 0`.
  public var description: String { "record \(serial) of tree \(tree.rawValue)" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
