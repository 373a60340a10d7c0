import RecordModel

/// The origin of an item.
enum ItemOrigin {
  case response
  /// Another item, in which this one is nested.
  case item(Item, ProtoIndex, RelationshipIndex)
  /// An item of an entity that names this one as its parent. If the item is a tombstone, the parent is only looked
  /// up. Rule: `orphans.tombstone`.
  case child(EntityIndex, RelationshipIndex, isTombstone: Bool)

  var relationship: RelationshipIndex? {
    switch self {
    case .response: nil
    case .item(_, _, let relationship), .child(_, let relationship, _): relationship
    }
  }

  var isTombstone: Bool { if case .child(_, _, let isTombstone) = self { isTombstone } else { false } }
}
