import JSONTree
import RecordModel

extension ProvenanceRecorder {
  /// Returns the reasons why a response deleted records.
  func deletions(
    in populated: borrowing PopulatedGraph, _ deleted: [Row], _ population: Population
  ) -> [DeletionProvenance] {
    let schema = populated.graph.schema
    let choice = EntityChoice(schema: schema, population.options.customization)
    var tombstones: [RecordID: JSONNode] = [:]
    for index in populated.protos.elementIndices where populated.protos[index].isTombstone {
      let proto = populated.protos[index]
      guard let record = proto.record, tombstones[record] == nil else { continue }
      let items = appearances(of: index, proto)
      tombstones[record] =
        (items.first { choice.isTombstone($0.item, of: $0.entity) } ?? proto.effective).item.node
    }
    let isDeleted = Set(deleted.map(\.id))
    return deleted.map { row in
      let cause: DeletionProvenance.Cause =
        if let node = tombstones[row.id] {
          .tombstone(node)
        } else if orphans.contains(row.id) {
          .orphan
        } else {
          Self.owner(of: row, among: isDeleted, schema).map {
            .cascade(owner: $0.owner, relationship: schema.relationships[$0.relationship].name)
          } ?? .deleteRule
        }
      return DeletionProvenance(record: row.id, cause: cause)
    }
  }

  /// Returns the deleted record whose delete rule has deleted another one.
  private static func owner(
    of row: Row, among deleted: Set<RecordID>, _ schema: Schema
  ) -> RelationshipEnd? {
    for (slot, target) in row.slots {
      guard let target, deleted.contains(target),
        let inverse = schema.relationships[schema.trees[row.id.tree].toOnes[slot.rawValue]].inverse,
        schema.relationships[inverse].deleteRule == .cascade
      else { continue }
      return RelationshipEnd(relationship: inverse, owner: target)
    }
    return nil
  }
}
