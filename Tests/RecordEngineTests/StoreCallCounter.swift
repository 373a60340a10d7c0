import Foundation
import RecordModel

@testable import RecordEngine

/// A store that counts the calls to it, and fails those that a test selects.
// Unchecked: `counts`, `failing`, `confirming` and `committed` are accessed only under `lock`.
final class StoreCallCounter: Store, @unchecked Sendable {
  enum Call: String, CaseIterable {
    case reserveIDs, rowsByID, rowsByKey, rowsOfEntity, rowsOfFetch, members, owners, exist, commit
  }

  private let store: any Store
  private let lock = NSLock()
  private var counts: [Call: Int] = [:]
  private var failing: Set<Call> = []
  private var committed: (@Sendable () -> Void)?
  private var confirming: (before: @Sendable () -> Void, after: @Sendable () -> Void)?

  init(_ store: any Store) { self.store = store }

  /// Returns the number of calls of each kind since the last call of this method.
  func takeCounts() -> [Call: Int] {
    lock.withLock {
      defer { counts = [:] }
      return counts
    }
  }

  var generation: StoreGeneration { store.generation }

  func fail(_ calls: Set<Call>) { lock.withLock { failing = calls } }

  /// Sets closures that run in the middle of each commit, before and after its confirmation.
  func onConfirming(before: @escaping @Sendable () -> Void, after: @escaping @Sendable () -> Void) {
    lock.withLock { confirming = (before, after) }
  }

  /// Sets a closure that runs after each commit.
  func onCommitted(_ action: @escaping @Sendable () -> Void) { lock.withLock { committed = action } }

  private func note(_ call: Call) throws(StoreError) {
    let fails = lock.withLock {
      counts[call, default: 0] += 1
      return failing.contains(call)
    }
    if fails { throw StoreError(message: "\(call.rawValue) is to fail") }
  }

  func reserveIDs(tree: TreeIndex, count: Int) -> RecordID {
    try? note(.reserveIDs)
    return store.reserveIDs(tree: tree, count: count)
  }

  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?] {
    try note(.rowsByID)
    return try store.rows(ids)
  }

  func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?] {
    try note(.rowsByKey)
    return try store.rows(scope: scope, keys: keys)
  }

  func rows(of entity: EntityIndex) throws(StoreError) -> [Row] {
    try note(.rowsOfEntity)
    return try store.rows(of: entity)
  }

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    try note(.rowsOfFetch)
    return try store.rows(fetch)
  }

  func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError) -> [[RecordID]] {
    try note(.members)
    return try store.members(of: relationship, owners: owners)
  }

  func owners(of relationship: SchemaRelationship, members: [RecordID]) throws(StoreError) -> [[RecordID]] {
    try note(.owners)
    return try store.owners(of: relationship, members: members)
  }

  func exist(_ links: [Link]) throws(StoreError) -> [Bool] {
    try note(.exist)
    return try store.exist(links)
  }

  func commit(_ changes: ChangeSet, confirming isWanted: () -> Bool) throws(StoreError) {
    try note(.commit)
    let (confirming, committed) = lock.withLock { (self.confirming, self.committed) }
    try store.commit(changes) {
      confirming?.before()
      defer { confirming?.after() }
      return isWanted()
    }
    committed?()
  }
}
