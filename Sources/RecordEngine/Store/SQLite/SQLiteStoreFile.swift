import Foundation
import JSONTree
import RecordModel

/// A store's file, opened and found to be as the schema wants it.
struct SQLiteStoreFile {
  let url: URL
  let connection: SQLiteConnection
  let layout: SQLiteLayout
  let nextSerials: [Int64]
  let nextPosition: Int64
  /// A file that does not say has come to a generation that nobody has met.
  let generation: StoreGeneration

  /// `RECS`, at the place where an SQLite file says whose it is.
  static let applicationID: Int64 = 0x5245_4353
  /// The version of what this engine writes.
  static let formatVersion: Int64 = 1

  /// In KiB. A large save has its pages here until it is committed.
  private static let cacheSize = 32 * 1024

  /// Waits for half a second for another process that has the file.
  init(url: URL, schema: Schema) throws(PersistentStoreError) {
    try Self.checkPlace(of: url)
    let isTaken = { (error: PersistentStoreError) in error.kind == .locked }
    self = try SQLiteWaiting.untilFree(isTaken) { () throws(PersistentStoreError) in
      try SQLiteStoreFile(opening: url, schema)
    }
  }

  private init(opening url: URL, _ schema: Schema) throws(PersistentStoreError) {
    self.url = url
    var isNew = true
    do {
      let wanted = SQLiteLayout(schema, StoredModel(schema))
      let width = schema.trees.elementIndices.map { SQLiteTable(schema, wanted, tree: $0).width }.max() ?? 0
      try SQLiteFileLocation(url).makeFile()
      connection = try SQLiteConnection(
        path: url.path, mayCreate: false, listWidth: max(4, width))
      isNew = try Self.checkHeader(connection.header(count: SQLiteHeader.length), url)
      guard !connection.isReadOnly else {
        throw SQLiteError.readOnly("the file can be read and not written")
      }
      try Self.configure(connection)
      // Who ended while making the file has left none of it, once SQLite has read it.
      let isEmpty = try isNew || connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      let model =
        try isEmpty ? Self.create(connection, schema) : Self.bringUpToDate(connection, schema, url)
      try Self.logWrites(connection, url)
      try Self.checkObjects(connection, SQLiteLayout(schema, model).objects(schema))
      layout = SQLiteLayout(schema, model)
      (nextSerials, nextPosition) = try Self.counters(connection, schema, layout)
      generation = try StoreGeneration.read(connection) ?? .new()
    } catch let error as SQLiteError {
      // A file that lacks what a statement speaks of has been changed by others.
      let isDamage = !isNew && error.kind == .statement
      throw PersistentStoreError(isDamage ? .damaged(error.message) : error, url)
    } catch let error as PersistentStoreError {
      throw error
    } catch {
      throw PersistentStoreError(.cannotOpen, url, "The store '\(url.path)' cannot be used: \(error).")
    }
  }
}

// MARK: - Before SQLite reads it

extension SQLiteStoreFile {
  /// Says what SQLite would not say of a place where there can be no store.
  private static func checkPlace(of url: URL) throws(PersistentStoreError) {
    switch SQLiteFileLocation(url).problem {
    case nil: return
    case .isNoFile:
      throw PersistentStoreError(.cannotOpen, url, "'\(url)' is no file; a store needs the URL of one.")
    case .isFolder:
      throw PersistentStoreError(.cannotOpen, url, "'\(url.path)' is a folder; a store needs a file.")
    case .folderIsMissing(let folder):
      throw PersistentStoreError(
        .cannotOpen, url, "The store '\(url.path)' cannot be made: there is no folder '\(folder)'.")
    }
  }

  /// Looks at the beginning of a file before any statement is run, so that a foreign one is never touched: to read a
  /// database is to repair it after a crash. Answers whether there is nothing in it yet.
  private static func checkHeader(_ bytes: [UInt8], _ url: URL) throws(PersistentStoreError) -> Bool {
    if bytes.isEmpty { return true }
    guard let header = SQLiteHeader(bytes) else { throw PersistentStoreError(SQLiteError.foreign, url) }
    guard header.isWhole else {
      throw PersistentStoreError(SQLiteError.damaged("the file ends within its first 100 bytes"), url)
    }
    guard header.applicationID == applicationID else { throw PersistentStoreError(SQLiteError.foreign, url) }
    guard header.userVersion <= formatVersion else {
      throw PersistentStoreError(
        .newerFormat, url,
        "The store '\(url.path)' was made by a newer version (its format is \(header.userVersion), and \(formatVersion) is known here); use that version."
      )
    }
    return false
  }
}

// MARK: - Opening

extension SQLiteStoreFile {
  private static func configure(_ connection: SQLiteConnection) throws(SQLiteError) {
    for setting in [
      // Taken with the first read, and held as long as the store is open.
      "locking_mode = EXCLUSIVE",
      // A commit is safe when the process ends; only a power failure can take the last ones, whole.
      "synchronous = NORMAL",
      "cache_size = -\(cacheSize)", "temp_store = MEMORY",
      // In pages. Pages that many saves change are carried over into the file once.
      "wal_autocheckpoint = 4000",
      // Debian has it on: what is deleted would be overwritten.
      "secure_delete = OFF",
      // A page that cannot be is found where it is read.
      "cell_size_check = ON",
    ] {
      try connection.run("PRAGMA \(setting)")
    }
  }

  private static func logWrites(_ connection: SQLiteConnection, _ url: URL) throws {
    let mode = try connection.logWrites()
    guard mode == "wal" else {
      throw PersistentStoreError(
        .cannotOpen, url,
        "The store '\(url.path)' cannot be used: its disk does not do write-ahead logging (the journal mode is '\(mode)')."
      )
    }
  }

  /// Makes the tables of an empty file.
  private static func create(_ connection: SQLiteConnection, _ schema: Schema) throws(SQLiteError)
    -> StoredModel
  {
    let model = StoredModel(schema)
    let layout = SQLiteLayout(schema, model)
    try connection.transaction { () throws(SQLiteError) in
      guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        // It is another file at the next attempt.
        throw SQLiteError.locked("somebody else has made the file in this moment")
      }
      try connection.run("PRAGMA application_id = \(applicationID)")
      try connection.run("PRAGMA user_version = \(formatVersion)")
      for object in [SQLiteLayout.metadata, SQLiteLayout.counters] + layout.objects(schema) {
        try connection.run(object.sql)
      }
      try connection.run(#"INSERT INTO "$metadata" VALUES ('model', ?1)"#, .text(model.text))
      for name in layout.tables.map(\.name) + [SQLiteLayout.positionCounter] {
        try connection.run(#"INSERT INTO "$counters" VALUES (?1, 1)"#, .text(name))
      }
      try StoreGeneration.new().write(connection)
    }
    connection.forgetStatements()
    return model
  }

  /// The model of the file, which is migrated if need be.
  private static func bringUpToDate(
    _ connection: SQLiteConnection, _ schema: Schema, _ url: URL
  ) throws -> StoredModel {
    var text: String?
    try connection.query(#"SELECT value FROM "$metadata" WHERE name = 'model'"#) { text = $0.text(0) }
    guard let text, let file = StoredModel(text: text) else {
      throw SQLiteError.damaged("the file does not say which model made it")
    }
    let wanted = StoredModel(schema)
    let migration = ModelMigration(from: file, to: wanted) { entity, attribute in
      schema.entity(EntityName(entity))?.attributes.first { $0.name.rawValue == attribute }?.defaultValue
        != nil
    }
    switch migration.outcome {
    case .same(let same):
      if same != file {
        try connection.run(#"UPDATE "$metadata" SET value = ?1 WHERE name = 'model'"#, .text(same.text))
      }
      return same
    case .migrate:
      let migration = SQLiteMigration(connection, migration, schema)
      let losses = try migration.losses()
      guard losses.isEmpty else { throw mismatch(url, losses) }
      try migration.run()
      return wanted
    case .refuse(let changes): throw mismatch(url, changes)
    }
  }

  private static func mismatch(_ url: URL, _ changes: [String]) -> PersistentStoreError {
    PersistentStoreError(
      .modelMismatch, url,
      "The store '\(url.path)' was made with another model, and cannot be migrated to this one; use the former model, or begin with another file.",
      changes: changes)
  }

  /// The tables have to be what the engine made.
  private static func checkObjects(
    _ connection: SQLiteConnection, _ objects: [SQLiteLayout.Object]
  ) throws(SQLiteError) {
    var found: Set<SQLiteLayout.Object> = []
    try connection.query("SELECT name, sql FROM sqlite_schema") { row in
      found.insert(SQLiteLayout.Object(name: row.text(0), sql: row.text(1)))
    }
    for object in [SQLiteLayout.metadata, SQLiteLayout.counters] + objects where !found.contains(object) {
      throw .damaged("the table or index '\(object.name)' is missing or changed")
    }
  }

  private static func counters(
    _ connection: SQLiteConnection, _ schema: Schema, _ layout: SQLiteLayout
  ) throws(SQLiteError) -> (serials: [Int64], position: Int64) {
    var counters: [String: Int64] = [:]
    try connection.query(#"SELECT name, next FROM "$counters""#) { counters[$0.text(0)] = $0.integer(1) }
    var serials: [Int64] = []
    for table in layout.tables {
      let last = try connection.integer("SELECT max(\"$id\") FROM \(table.name.quoted)")
      guard let next = counters[table.name], next > last, next < 1 << 48 else {
        throw .damaged("the counter of '\(table.name)' is wrong")
      }
      serials.append(next)
    }
    guard let position = counters[SQLiteLayout.positionCounter], position > 0 else {
      throw .damaged("the counter of positions is wrong")
    }
    return (serials, position)
  }
}
