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

  /// `RECS`, at the place where an SQLite file says whose it is.
  static let applicationID: Int64 = 0x5245_4353
  /// The version of what this engine writes.
  static let formatVersion: Int64 = 1

  /// The most columns that SQLite has in a table, less the hidden one of a list.
  private static let greatestWidth = 1999

  /// How often to try to get a file that somebody else has, and how long to wait in between, in microseconds.
  ///
  /// By chance, so that two who open a file in the same moment are not in each other's way in step ever after.
  private static let (attempts, pauses) = (50, UInt32(1_000)...19_000)
  /// In KiB. A large save has its pages here until it is committed.
  private static let cacheSize = 32 * 1024

  /// Waits for half a second for another process that has the file.
  ///
  /// SQLite's own waiting would not do: who waits keeps the file from being locked by whoever waits as well, so that of
  /// two that open a file at once neither gets it. Here each lets go of the file before it tries again.
  init(url: URL, schema: Schema) throws(PersistentStoreError) {
    try Self.checkPlace(of: url)
    for _ in 1..<Self.attempts {
      do {
        try self.init(opening: url, schema)
        return
      } catch {
        guard error.kind == .locked else { throw error }
      }
      usleep(.random(in: Self.pauses))
    }
    try self.init(opening: url, schema)
  }

  private init(opening url: URL, _ schema: Schema) throws(PersistentStoreError) {
    self.url = url
    var isNew = true
    do {
      let wanted = SQLiteLayout(schema, StoredModel(schema))
      let width = schema.trees.indices.map { SQLiteTable(schema, wanted, tree: $0).width }.max() ?? 0
      guard width <= Self.greatestWidth else {
        throw PersistentStoreError(
          .cannotOpen, url,
          "The store '\(url.path)' cannot be made: an entity and its sub-entities have more properties than SQLite has columns."
        )
      }
      connection = try SQLiteConnection(
        path: url.path, mayCreate: true, listWidth: max(4, width))
      isNew = try Self.checkHeader(connection.header(count: 100), url)
      guard !connection.isReadOnly else {
        throw SQLiteError.readOnly("the file can be read and not written")
      }
      try Self.configure(connection)
      // Who ended while making the file has left none of it, once SQLite has read it.
      let isEmpty = try isNew || Self.integer(connection, "SELECT count(*) FROM sqlite_schema") == 0
      let model =
        try isEmpty ? Self.create(connection, schema) : Self.bringUpToDate(connection, schema, url)
      try Self.logWrites(connection, url)
      try Self.checkObjects(connection, SQLiteLayout(schema, model).objects(schema))
      layout = SQLiteLayout(schema, model)
      (nextSerials, nextPosition) = try Self.counters(connection, schema, layout)
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
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Says what SQLite would not say of a place where there can be no store.
  private static func checkPlace(of url: URL) throws(PersistentStoreError) {
    guard url.isFileURL else {
      throw PersistentStoreError(.cannotOpen, url, "'\(url)' is no file; a store needs the URL of one.")
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
      guard !isFolder.boolValue else {
        throw PersistentStoreError(.cannotOpen, url, "'\(url.path)' is a folder; a store needs a file.")
      }
      return
    }
    let folder = url.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else {
      throw PersistentStoreError(
        .cannotOpen, url, "The store '\(url.path)' cannot be made: there is no folder '\(folder)'.")
    }
  }

  /// Looks at the beginning of a file before any statement is run, so that a foreign one is never touched: to read a
  /// database is to repair it after a crash. Answers whether there is nothing in it yet.
  private static func checkHeader(_ header: [UInt8], _ url: URL) throws(PersistentStoreError) -> Bool {
    if header.isEmpty { return true }
    guard header.starts(with: magic) else {
      throw PersistentStoreError(SQLiteError.foreign, url)
    }
    guard header.count == 100 else {
      throw PersistentStoreError(SQLiteError.damaged("the file ends within its first 100 bytes"), url)
    }
    guard number(header, at: 68) == applicationID else {
      throw PersistentStoreError(SQLiteError.foreign, url)
    }
    let version = number(header, at: 60)
    guard version <= formatVersion else {
      throw PersistentStoreError(
        .newerFormat, url,
        "The store '\(url.path)' was made by a newer version (its format is \(version), and \(formatVersion) is known here); use that version."
      )
    }
    return false
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> Int64 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
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

  /// With write-ahead logging a save writes what it changes once, in order, and a reader of the old finds it whole.
  private static func logWrites(_ connection: SQLiteConnection, _ url: URL) throws {
    var mode = ""
    try connection.query("PRAGMA journal_mode = WAL") { mode = $0.text(0) }
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
      guard try integer(connection, "SELECT count(*) FROM sqlite_schema") == 0 else {
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
      let last = try integer(connection, "SELECT max(\"$id\") FROM \(table.name.quoted)")
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

  private static func integer(_ connection: SQLiteConnection, _ sql: String) throws(SQLiteError) -> Int64 {
    var result: Int64 = 0
    try connection.query(sql) { result = $0.integer(0) }
    return result
  }
}
