import RecordModel

/// The origin of an item.
enum ItemOrigin {
  case response
  /// A list of the response beside that of the items. Rule: `response.sideloaded`.
  case sideloaded
  /// The list of deleted keys. Rule: `orphans.deleted-keys`.
  case deletedKeys
  /// Another item, in which this one is nested. If that is a tombstone, only the key of this one is read.
  /// Rule: `orphans.tombstone`.
  case item(Item, ProtoIndex, RelationshipIndex, isTombstone: Bool)
  /// An item of an entity that names this one as its parent. If the item is a tombstone, the parent is only looked
  /// up.
  case child(EntityIndex, RelationshipIndex, isTombstone: Bool)

  var relationship: RelationshipIndex? {
    switch self {
    case .response, .sideloaded, .deletedKeys: nil
    case .item(_, _, let relationship, _), .child(_, let relationship, _): relationship
    }
  }

  var isDeletedKey: Bool { if case .deletedKeys = self { true } else { false } }

  var isTombstone: Bool {
    switch self {
    case .response, .sideloaded, .deletedKeys: false
    case .item(_, _, _, let isTombstone), .child(_, _, let isTombstone): isTombstone
    }
  }
}
