import Foundation
import OrderedCollections

/// A store that lives as long as the process.
// Unchecked: `graph` is read and written under `lock` alone.
package final class MemoryStore: Store, @unchecked Sendable {
  private let schema: Schema
  private let lock = NSLock()
  private var graph: MemoryGraph

  package init(schema: Schema) {
    self.schema = schema
    graph = MemoryGraph(schema: schema)
  }

  package func reserveIDs(tree: Int, count: Int) -> [RecordID] {
    lock.withLock {
      let first = graph.nextSerial[tree]
      graph.nextSerial[tree] += Int64(count)
      return (first..<first + Int64(count)).map { RecordID(tree: tree, serial: $0) }
    }
  }

  package func rows(_ ids: [RecordID]) -> [Row?] {
    lock.withLock { ids.map { graph.rows[$0] } }
  }

  package func rows(scope: Int, keys: [RecordKey]) -> [RecordKey: Row] {
    lock.withLock {
      var found: [RecordKey: Row] = [:]
      for key in keys {
        if let id = graph.ids[scope][key], let row = graph.rows[id] { found[key] = row }
      }
      return found
    }
  }

  package func rows(of entity: Int) -> [Row] {
    lock.withLock {
      graph.rows.values.filter { schema.isKind($0.entity, of: entity) }.sorted { $0.id < $1.id }
    }
  }

  package func members(of relationship: Int, owners: [RecordID]) -> [[RecordID]] {
    lock.withLock {
      owners.map { graph.members[relationship][$0]?.list ?? [] }
    }
  }

  package func areMembers(of relationship: Int, _ pairs: [(owner: RecordID, member: RecordID)]) -> [Bool] {
    lock.withLock {
      pairs.map { graph.members[relationship][$0.owner]?.contains($0.member) ?? false }
    }
  }

  package func commit(_ changes: ChangeSet) {
    lock.withLock { graph.apply(changes, schema: schema) }
  }
}

/// The members of one to-many relationship of one record.
private enum MemberSet {
  /// Apart from the ordered one, because taking one out of many has to be cheap where no order is kept.
  case unordered(Set<RecordID>)
  case ordered(OrderedSet<RecordID>)

  var isEmpty: Bool {
    switch self {
    case .unordered(let set): set.isEmpty
    case .ordered(let set): set.isEmpty
    }
  }

  /// In order if it is ordered, else oldest first.
  var list: [RecordID] {
    switch self {
    case .unordered(let set): set.sorted()
    case .ordered(let set): Array(set)
    }
  }

  func contains(_ member: RecordID) -> Bool {
    switch self {
    case .unordered(let set): set.contains(member)
    case .ordered(let set): set.contains(member)
    }
  }

  /// Takes the set over, so that it is not copied.
  consuming func applying(_ change: ChangeSet.Members) -> MemberSet {
    switch consume self {
    case .unordered(var set):
      set.subtract(change.removed)
      set.formUnion(change.added)
      return .unordered(set)
    case .ordered(var set):
      set.subtract(change.removed)
      set.append(contentsOf: change.added)
      guard let order = change.order else { return .ordered(set) }
      // An order says nothing of who is a member.
      return .ordered(OrderedSet(order.filter(set.contains)).union(set))
    }
  }
}

/// What a memory store holds.
private struct MemoryGraph {
  var nextSerial: [Int64]
  var rows: [RecordID: Row] = [:]
  /// For each entity that declares a key, the records by key.
  var ids: [[RecordKey: RecordID]]
  /// For each to-many relationship, the members by owner.
  var members: [[RecordID: MemberSet]]

  init(schema: Schema) {
    nextSerial = Array(repeating: 1, count: schema.trees.count)
    ids = Array(repeating: [:], count: schema.entities.count)
    members = Array(repeating: [:], count: schema.relationships.count)
  }

  mutating func apply(_ changes: ChangeSet, schema: Schema) {
    for row in changes.deleted { remove(row, schema) }
    for update in changes.updated { forgetKey(of: update.before, schema) }
    for row in changes.inserted { add(row, schema) }
    for update in changes.updated { add(update.after, schema) }
    for change in changes.members {
      apply(change, isOrdered: schema.relationships[change.relationship].isOrdered)
    }
  }

  private mutating func add(_ row: Row, _ schema: Schema) {
    rows[row.id] = row
    guard let key = row.key(in: schema) else { return }
    let scope = schema.entities[row.entity].keyScope
    // Only what is set past the identity of items can give a key twice; the record that had it first keeps it.
    if ids[scope][key].map({ rows[$0] == nil }) ?? true { ids[scope][key] = row.id }
  }

  private mutating func remove(_ row: Row, _ schema: Schema) {
    rows[row.id] = nil
    forgetKey(of: row, schema)
    for relationship in schema.entities[row.entity].relationships { members[relationship][row.id] = nil }
  }

  private mutating func forgetKey(of row: Row, _ schema: Schema) {
    guard let key = row.key(in: schema) else { return }
    let scope = schema.entities[row.entity].keyScope
    if ids[scope][key] == row.id { ids[scope][key] = nil }
  }

  private mutating func apply(_ change: ChangeSet.Members, isOrdered: Bool) {
    let empty = isOrdered ? MemberSet.ordered([]) : .unordered([])
    let set = (members[change.relationship].removeValue(forKey: change.owner) ?? empty).applying(change)
    if !set.isEmpty { members[change.relationship][change.owner] = set }
  }
}
