import Foundation
import RecordModel

@testable import RecordEngine

/// A store in memory and a store in a file that get the same calls. It collects the differences between their results.
// Unchecked: `disagreements` and `sqlite` are accessed only under `lock`.
final class StorePair: Store, @unchecked Sendable {
  private let schema: Schema
  private let folder: TemporaryFolder
  private let memory: MemoryStore
  private var sqlite: SQLiteStore?
  private let lock = NSLock()
  private var found: [String] = []

  init(_ schema: Schema) throws {
    self.schema = schema
    folder = try TemporaryFolder()
    memory = MemoryStore(schema: schema)
    sqlite = try SQLiteStore(url: folder.file(), schema: schema)
  }

  /// The differences between the results.
  var disagreements: [String] { lock.withLock { found } }

  /// Closes the file and opens it again.
  func reopen() throws {
    lock.withLock { sqlite = nil }
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    lock.withLock { sqlite = store }
  }

  var generation: StoreGeneration { memory.generation }

  private func file() throws(StoreError) -> SQLiteStore {
    guard let store = lock.withLock({ sqlite }) else { throw StoreError(message: "the file is closed") }
    return store
  }

  private func agreed<Answer: Equatable>(_ call: String, _ memory: Answer, _ file: Answer) -> Answer {
    if memory != file { lock.withLock { found.append("\(call): in memory \(memory), in the file \(file)") } }
    return memory
  }

  func reserveIDs(tree: TreeIndex, count: Int) -> RecordID {
    let first = memory.reserveIDs(tree: tree, count: count)
    guard let second = try? file().reserveIDs(tree: tree, count: count) else { return first }
    // A reopened file assigns the numbers of unsaved records again. No other record has these numbers.
    if second.serial > first.serial { _ = agreed("reserveIDs", first, second) }
    if second.serial < first.serial {
      _ = try? file().reserveIDs(tree: tree, count: Int(first.serial - second.serial))
    }
    return first
  }

  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?] {
    agreed("rows(\(ids))", memory.rows(ids), try file().rows(ids))
  }

  func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?] {
    agreed(
      "rows(\(scope), \(keys))", memory.rows(scope: scope, keys: keys),
      try file().rows(scope: scope, keys: keys))
  }

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    agreed("rows(\(fetch))", try memory.rows(fetch), try file().rows(fetch))
  }

  func count(_ fetch: StoreFetch) throws(StoreError) -> Int {
    agreed("count(\(fetch))", try memory.count(fetch), try file().count(fetch))
  }

  func distinctValues(inColumn column: ColumnIndex, _ fetch: StoreFetch) throws(StoreError)
    -> [AttributeValue]
  {
    agreed(
      "distinctValues(inColumn: \(column), \(fetch))", try memory.distinctValues(inColumn: column, fetch),
      try file().distinctValues(inColumn: column, fetch))
  }

  func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError) -> [[RecordID]] {
    agreed(
      "members(\(relationship), \(owners))", memory.members(of: relationship, owners: owners),
      try file().members(of: relationship, owners: owners))
  }

  func owners(of relationship: SchemaRelationship, members: [RecordID]) throws(StoreError) -> [[RecordID]] {
    agreed(
      "owners(\(relationship.name), \(members))", memory.owners(of: relationship, members: members),
      try file().owners(of: relationship, members: members))
  }

  func exist(_ links: [Link]) throws(StoreError) -> [Bool] {
    agreed("exist(\(links))", memory.exist(links), try file().exist(links))
  }

  func commit(_ changes: ChangeSet, confirming isWanted: () -> Bool) throws(StoreError) {
    try memory.commit(changes, confirming: isWanted)
    try file().commit(changes)
  }

  /// Compares the contents of both stores through all read methods.
  func compareAll() throws {
    for relationship in schema.relationships where relationship.inverse == nil {
      _ = try owners(of: relationship, members: rows(of: relationship.destination).map(\.id))
    }
    for entity in schema.entities {
      let rows = try rows(of: entity.index)
      _ = try self.rows(rows.map(\.id) + [RecordID(tree: entity.tree, serial: 999_999)])
      if entity.keyScope == entity.index {
        _ = try self.rows(scope: entity.index, keys: rows.compactMap { $0.key(in: schema) })
      }
      for relationship in entity.relationships where schema.relationships[relationship].isToMany {
        let lists = try members(of: relationship, owners: rows.map(\.id))
        guard schema.relationships[relationship].linkRelationship != nil else { continue }
        let others = try self.rows(of: schema.relationships[relationship].destination).prefix(3).map(\.id)
        let links = zip(rows, lists).flatMap { row, members in
          (members + others).map { Link(schema.relationships[relationship], owner: row.id, member: $0) }
        }
        _ = try exist(links)
      }
    }
  }
}
