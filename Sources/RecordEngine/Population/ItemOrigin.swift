import RecordModel

/// The origin of an item.
enum ItemOrigin {
  case response
  /// Another item, in which this one is nested. If that is a tombstone, only the key of this one is read.
  /// Rule: `orphans.tombstone`.
  case item(Item, ProtoIndex, RelationshipIndex, isTombstone: Bool)
  /// An item of an entity that names this one as its parent. If the item is a tombstone, the parent is only looked
  /// up.
  case child(EntityIndex, RelationshipIndex, isTombstone: Bool)

  var relationship: RelationshipIndex? {
    switch self {
    case .response: nil
    case .item(_, _, let relationship, _), .child(_, let relationship, _): relationship
    }
  }

  var isTombstone: Bool {
    switch self {
    case .response: false
    case .item(_, _, _, let isTombstone), .child(_, _, let isTombstone): isTombstone
    }
  }
}
