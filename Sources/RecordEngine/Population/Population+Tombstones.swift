import JSONTree
import OrderedCollections
import RecordModel

/// Items that say that their records are gone. Rule: `orphans.tombstone`.
extension Population {
  /// Deletes the records of such items, once all that the response says of others is set.
  mutating func deleteTombstones() throws(StoreError) {
    var items: OrderedDictionary<RecordID, JSONNode> = [:]
    for proto in protos where proto.isTombstone && proto.isReachable {
      if let record = proto.record {
        items[record] = items[record] ?? proto.effective.item.node
      } else if proto.identity == nil, proto.missingKey == nil {
        report(
          .missingPrimaryKey, entity: proto.entity, at: proto.effective.item.node,
          "'\(schema.entities[proto.entity].name)' has no key, so the item does not say which record is gone")
      }
    }
    guard !items.isEmpty else { return }
    let brought = Set(protos.lazy.filter { !$0.isTombstone }.compactMap(\.record))
    for (id, hold) in try graph.deleteUnlessHeld(Array(items.keys), sparing: brought) {
      report(hold, of: id, at: items[id])
    }
  }
}
