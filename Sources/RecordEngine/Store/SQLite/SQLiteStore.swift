package import Foundation
package import RecordModel

/// A store in a file.
///
/// The store has a single connection, which reads and writes one call at a time. While it is open, no other process or
/// container can open the file. Commits survive a crash of the process. After a power failure, the last commits may be
/// missing, each as a whole, unless another durability is specified.
// Unchecked: all mutable state is protected by `lock`.
package final class SQLiteStore: Store, @unchecked Sendable {
  package let url: URL
  let schema: Schema
  private let lock = NSLock()
  let connection: SQLiteConnection
  let layout: SQLiteLayout
  /// The tables, by tree.
  let tables: [SQLiteTable]
  let statements: SQLiteStoreStatements

  /// The next serial number of each tree.
  var nextSerials: [Int64]
  /// The value of ``nextSerials`` in the file.
  var savedSerials: [Int64]
  var nextPosition: Int64
  var savedPosition: Int64
  /// The generation in the file, or the one that the first save will write.
  var savedGeneration: StoreGeneration
  /// A Boolean value that indicates whether anything has been saved since the file was opened.
  var isWritten = false

  /// Opens a file, creates it if it is missing, and migrates it to the schema if necessary.
  ///
  /// - Throws: ``PersistentStoreError``. The file is then left unchanged.
  package convenience init(
    url: URL, schema: Schema, durability: FileDurability = .powerFailure
  ) throws(PersistentStoreError) {
    try self.init(SQLiteStoreFile(url: url, schema: schema, durability: durability), schema)
  }

  private init(_ file: SQLiteStoreFile, _ schema: Schema) {
    url = file.url
    self.schema = schema
    connection = file.connection
    layout = file.layout
    tables = schema.trees.elementIndices.map { [layout = file.layout] in SQLiteTable(schema, layout, tree: $0)
    }
    statements = SQLiteStoreStatements(schema, file.layout, tables)
    nextSerials = file.nextSerials
    savedSerials = file.nextSerials
    nextPosition = file.nextPosition
    savedPosition = file.nextPosition
    savedGeneration = file.generation
  }

  /// Calls `body` with exclusive access to the connection.
  func using<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    try locked { () throws(StoreError) in try telling(body) }
  }

  /// Calls `body` with exclusive access to the connection, which `body` may use several times.
  func locked<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    // `withLock` does not support typed errors.
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Calls `body`, and converts its error to one that names the file. The caller must have exclusive access to the
  /// connection.
  func telling<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      throw StoreError(message: PersistentStoreError(error, url).message)
    }
  }

  package var generation: StoreGeneration { lock.withLock { savedGeneration } }

  /// The number of executed statements of each kind since the store was opened.
  package var statementCounts: [SQLiteStatementKind: Int] { lock.withLock { connection.statementCounts } }

  /// The number of rows that were inserted, updated and deleted since the store was opened.
  package var totalChanges: Int { lock.withLock { connection.totalChanges } }
}

// MARK: - Reading

extension SQLiteStore {
  package func reserveIDs(tree: TreeIndex, count: Int) -> RecordID {
    lock.withLock {
      defer { nextSerials[for: tree] += Int64(count) }
      return RecordID(tree: tree, serial: nextSerials[for: tree])
    }
  }

  package func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?] {
    try using { () throws(SQLiteError) in try lockedRows(ids) }
  }

  /// Returns the same as ``rows(_:)``. The caller must have exclusive access to the connection.
  func lockedRows(_ ids: [RecordID]) throws(SQLiteError) -> [Row?] {
    var result = [Row?](repeating: nil, count: ids.count)
    for tree in Set(ids.map(\.tree)).sorted() where schema.trees.indices.contains(tree.rawValue) {
      let (table, positions) = (tables[for: tree], ids.indices.filter { ids[$0].tree == tree })
      let list = SQLiteList(positions.map { ids[$0].serial })
      try connection.query(statements.rowsByID[for: tree], [.list(list)]) { row throws(SQLiteError) in
        result[positions[Int(row.integer(0))]] = try table.row(row, at: 1)
      }
    }
    return result
  }

  package func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?] {
    var result = [Row?](repeating: nil, count: keys.count)
    guard let query = statements.rowsByKey[for: scope], !keys.isEmpty else { return result }
    let list = SQLiteList(count: keys.count) { row, column, cell in
      switch keys[row] {
      case .single(let value):
        if query.types.count == 1 { value.writeKey(to: cell, as: query.types[column]) }
      case .composite(let values):
        if query.types.count == values.count { values[column].writeKey(to: cell, as: query.types[column]) }
      }
    }
    let table = tables[for: schema.entities[scope].tree]
    try using { () throws(SQLiteError) in
      try connection.query(query.sql, [.list(list)]) { row throws(SQLiteError) in
        let position = Int(row.integer(0))
        // A key can only occur twice if it was set without the identification of items. The oldest record counts.
        if result[position] == nil { result[position] = try table.row(row, at: 1) }
      }
    }
    return result
  }

  package func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError)
    -> [[RecordID]]
  {
    guard !owners.isEmpty else { return [] }
    return try using { () throws(SQLiteError) in try members(relationship, owners) }
  }

  /// Returns the same as ``members(of:owners:)``. The caller must have exclusive access to the connection.
  func members(_ relationship: RelationshipIndex, _ owners: [RecordID]) throws(SQLiteError) -> [[RecordID]] {
    var result = [[RecordID]](repeating: [], count: owners.count)
    guard let sql = statements.members[for: relationship] else { return result }
    let value = schema.relationships[relationship]
    let (ownerTree, tree) = (schema.entities[value.entity].tree, schema.entities[value.destination].tree)
    let list = SQLiteList(count: owners.count) { row, _, cell in
      if owners[row].tree == ownerTree { cell.set(owners[row].serial) }
    }
    // Rows usually come in the order of the index, which is that of the members, but SQL does not guarantee it.
    var positions: [(owner: Int, position: Int64, id: RecordID)] = []
    var isSorted = true
    try connection.query(sql, [.list(list)]) { row throws(SQLiteError) in
      let next = (Int(row.integer(0)), row.integer(2), try RecordID(checkedTree: tree, row.integer(1)))
      if let last = positions.last { isSorted = isSorted && (last.owner, last.position) <= (next.0, next.1) }
      positions.append(next)
    }
    if !isSorted { positions.sort { ($0.owner, $0.position, $0.id) < ($1.owner, $1.position, $1.id) } }
    for position in positions { result[position.owner].append(position.id) }
    return result
  }

  package func owners(
    of relationship: SchemaRelationship, members: [RecordID]
  ) throws(StoreError) -> [[RecordID]] {
    var result = [[RecordID]](repeating: [], count: members.count)
    guard let sql = statements.owners[for: relationship.index], !members.isEmpty else { return result }
    let (ownerTree, tree) = (
      schema.entities[relationship.entity].tree, schema.entities[relationship.destination].tree
    )
    let list = SQLiteList(count: members.count) { row, _, cell in
      if members[row].tree == tree { cell.set(members[row].serial) }
    }
    try using { () throws(SQLiteError) in
      try connection.query(sql, [.list(list)]) { row throws(SQLiteError) in
        result[Int(row.integer(0))].append(try RecordID(checkedTree: ownerTree, row.integer(1)))
      }
    }
    return result.map { $0.sorted() }
  }

  package func exist(_ links: [Link]) throws(StoreError) -> [Bool] {
    try using { () throws(SQLiteError) in
      var result = [Bool](repeating: false, count: links.count)
      for relationship in Set(links.map(\.relationship)).sorted() {
        guard let sql = statements.links[for: relationship]?.exist else { continue }
        let positions = links.indices.filter { links[$0].relationship == relationship }
        let list = Self.list(positions.map { links[$0] })
        try connection.query(sql, [.list(list)]) { row in result[positions[Int(row.integer(0))]] = true }
      }
      return result
    }
  }

  static func list(_ links: [Link]) -> SQLiteList {
    SQLiteList(count: links.count) { row, column, cell in
      cell.set(column == 0 ? links[row].owner.serial : links[row].member.serial)
    }
  }
}
