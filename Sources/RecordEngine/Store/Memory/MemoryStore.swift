import Foundation
package import RecordModel

/// A store that keeps its records in memory, for the lifetime of the process.
// Unchecked: all mutable state is protected by `lock`.
package final class MemoryStore: Store, @unchecked Sendable {
  private let lock = NSLock()
  private var graph: MemoryGraph
  private var savedGeneration = StoreGeneration.new()

  package init(schema: Schema) { graph = MemoryGraph(schema: schema) }

  package var generation: StoreGeneration { lock.withLock { savedGeneration } }

  package func reserveIDs(tree: TreeIndex, count: Int) -> RecordID {
    lock.withLock { graph.reserveIDs(tree: tree, count: count) }
  }

  package func rows(_ ids: [RecordID]) -> [Row?] {
    lock.withLock { graph.rows(ids) }
  }

  package func rows(scope: EntityIndex, keys: [RecordKey]) -> [Row?] {
    lock.withLock { keys.map { graph.row(scope: scope, key: $0) } }
  }

  package func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    // `withLock` does not support typed errors.
    lock.lock()
    defer { lock.unlock() }
    return try fetch.answer(among: graph.rows(of: fetch.entity), schema: graph.schema, from: &graph)
  }

  package func members(of relationship: RelationshipIndex, owners: [RecordID]) -> [[RecordID]] {
    lock.withLock { graph.members(of: relationship, owners: owners) }
  }

  package func owners(of relationship: SchemaRelationship, members: [RecordID]) -> [[RecordID]] {
    lock.withLock { graph.owners(of: relationship, members: members) }
  }

  package func exist(_ links: [Link]) -> [Bool] {
    lock.withLock { links.map { graph.isThere($0) } }
  }

  package func commit(_ changes: ChangeSet, confirming isWanted: () -> Bool) throws(StoreError) {
    guard !changes.isEmpty else { return }
    guard isWanted() else { throw StoreError(message: "the save was canceled") }
    lock.withLock {
      graph.apply(changes)
      savedGeneration = savedGeneration.saved(deletes: !changes.deleted.isEmpty, isFirst: false)
    }
  }
}
