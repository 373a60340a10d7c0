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
    for (id, hold) in try graph.deleteUnlessHeld(Array(items.keys), sparing: try broughtRecords()) {
      report(hold, of: id, at: items[id])
    }
  }

  /// Reads what no deletion may take with it: all that the response mentions and does not say to be gone, superseded
  /// dictionaries included. Nothing is read of an item that says that its record is gone.
  func broughtRecords() throws(StoreError) -> Set<RecordID> {
    var isLeftOut = protos.map(\.isTombstone)
    var pending = protos.indices.filter { isLeftOut[$0] }
    while let proto = pending.popLast() {
      for child in protos[proto].effective.children.flatMap(\.protos)
      where !isLeftOut[child] && !protos[child].isReachable {
        isLeftOut[child] = true
        pending.append(child)
      }
    }
    return try mentionedRecords { !isLeftOut[$0] }
  }
}
