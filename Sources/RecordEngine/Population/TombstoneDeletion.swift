import JSONTree
import OrderedCollections
import RecordModel

/// The phase that deletes the records of tombstones, after all other content of the response has been set.
/// Rule: `orphans.tombstone`.
enum TombstoneDeletion {
  static func run(
    _ linked: consuming PopulatedGraph, _ report: PopulationReport
  ) throws(StoreError) -> PopulatedGraph {
    var result = linked
    let population = report.population
    var items: OrderedDictionary<RecordID, JSONNode> = [:]
    for index in result.protos.indices
    where result.protos[index].isTombstone && result.protos[index].isReachable {
      let proto = result.protos[index]
      let node = proto.effective.item.node
      if let record = proto.record {
        items[record] = items[record] ?? node
      } else if proto.identity == nil, proto.missingKey == nil {
        report.add(
          .missingPrimaryKey, entity: proto.entity, at: node,
          "'\(population.schema.entities[proto.entity].name)' has no key, so the item cannot identify the deleted record"
        )
      }
    }
    guard !items.isEmpty else { return result }
    let brought = try result.broughtRecords(population)
    let kept = try result.graph.deleteUnlessHeld(Array(items.keys), sparing: brought)
    try report.add(kept, in: &result.graph) { items[$0] }
    return result
  }
}
