import Foundation
import JSONTree
import RecordModel

/// The open file of a store, migrated to the schema.
struct SQLiteStoreFile {
  let url: URL
  let connection: SQLiteConnection
  let layout: SQLiteLayout
  let nextSerials: [Int64]
  let nextPosition: Int64
  /// The generation of the file, or a new one if the file has none.
  let generation: StoreGeneration

  /// `RECS`, the application ID in the header of the SQLite file.
  static let applicationID: Int64 = 0x5245_4353
  /// The version of the file format that this engine writes.
  static let formatVersion: Int64 = 1

  /// The size of the page cache in KiB. The cache holds the pages of a large save until it is committed.
  private static let cacheSize = 32 * 1024

  /// Opens a file, and creates or migrates it if necessary. If another process has the file open, waits for half a
  /// second.
  init(url: URL, schema: Schema, durability: FileDurability) throws(PersistentStoreError) {
    try Self.checkLocation(of: url)
    let isTaken = { (error: PersistentStoreError) in error.kind == .locked }
    self = try SQLiteWaiting.untilFree(isTaken) { () throws(PersistentStoreError) in
      try SQLiteStoreFile(opening: url, schema, durability)
    }
  }

  private init(
    opening url: URL, _ schema: Schema, _ durability: FileDurability
  ) throws(PersistentStoreError) {
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
        throw SQLiteError.readOnly("the file is read-only")
      }
      try Self.configure(connection, durability)
      // If a process ended while creating the tables, SQLite has rolled them back by now, so the file is empty again. A
      // file with the durability `endOfProcess` is never opened by another process.
      let isEmpty = try isNew || connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      if isEmpty { try connection.run("PRAGMA \(durability.creationSetting)") }
      let model =
        try isEmpty ? Self.create(connection, schema) : Self.bringUpToDate(connection, schema, url)
      try Self.logWrites(connection, url)
      try Self.checkObjects(connection, SQLiteLayout(schema, model).objects(schema))
      layout = SQLiteLayout(schema, model)
      (nextSerials, nextPosition) = try Self.counters(connection, schema, layout)
      generation = try StoreGeneration.read(connection) ?? .new()
    } catch let error as SQLiteError {
      // If a statement fails because something is missing, another program has changed the file.
      let isDamage = !isNew && error.kind == .statement
      throw PersistentStoreError(isDamage ? .damaged(error.message) : error, url)
    } catch let error as PersistentStoreError {
      throw error
    } catch {
      throw PersistentStoreError(.cannotOpen, url, "the store '\(url.path)' cannot be used: \(error)")
    }
  }
}

// MARK: - Checking before SQLite reads the file

extension SQLiteStoreFile {
  /// Throws an error for a location that cannot contain a store, with a more precise message than SQLite's.
  private static func checkLocation(of url: URL) throws(PersistentStoreError) {
    switch SQLiteFileLocation(url).problem {
    case nil: return
    case .isNoFile:
      throw PersistentStoreError(
        .cannotOpen, url, "'\(url)' is not a file URL; a store needs the URL of a file")
    case .isFolder:
      throw PersistentStoreError(.cannotOpen, url, "'\(url.path)' is a folder; a store needs a file")
    case .folderIsMissing(let folder):
      throw PersistentStoreError(
        .cannotOpen, url, "the store '\(url.path)' cannot be created: the folder '\(folder)' does not exist")
    }
  }

  /// Checks the header of a file before any statement runs, and returns whether the file is empty. Foreign files must
  /// not be touched, and reading a database can repair it after a crash.
  private static func checkHeader(_ bytes: [UInt8], _ url: URL) throws(PersistentStoreError) -> Bool {
    if bytes.isEmpty { return true }
    guard let header = SQLiteHeader(bytes) else { throw PersistentStoreError(SQLiteError.foreign, url) }
    guard header.isWhole else {
      throw PersistentStoreError(SQLiteError.damaged("the file is shorter than 100 bytes"), url)
    }
    guard header.applicationID == applicationID else { throw PersistentStoreError(SQLiteError.foreign, url) }
    guard header.userVersion <= formatVersion else {
      throw PersistentStoreError(
        .newerFormat, url,
        "the store '\(url.path)' was created by a newer version (its format is \(header.userVersion), and this version supports \(formatVersion)); update RecordEngine"
      )
    }
    return false
  }
}

// MARK: - Opening

extension SQLiteStoreFile {
  private static func configure(
    _ connection: SQLiteConnection, _ durability: FileDurability
  ) throws(SQLiteError) {
    for setting in [
      // The lock is taken with the first read and held as long as the store is open.
      "locking_mode = EXCLUSIVE",
      durability.setting,
      "cache_size = -\(cacheSize)", "temp_store = MEMORY",
      // In pages. With a large log, a page that many saves change is copied into the file only once.
      "wal_autocheckpoint = 4000",
      // Debian turns this on by default, which overwrites deleted data.
      "secure_delete = OFF",
      // Detects invalid pages when they are read.
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
        "the store '\(url.path)' cannot be used: its disk does not support write-ahead logging (the journal mode is '\(mode)')"
      )
    }
  }

  /// Creates the tables of an empty file.
  private static func create(_ connection: SQLiteConnection, _ schema: Schema) throws(SQLiteError)
    -> StoredModel
  {
    let model = StoredModel(schema)
    let layout = SQLiteLayout(schema, model)
    try connection.transaction { () throws(SQLiteError) in
      guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        // The next attempt finds the tables of the other process.
        throw SQLiteError.locked("another process has just created the file")
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

  /// Returns the model of the file, after migrating the file if necessary.
  private static func bringUpToDate(
    _ connection: SQLiteConnection, _ schema: Schema, _ url: URL
  ) throws -> StoredModel {
    var text: String?
    try connection.query(#"SELECT value FROM "$metadata" WHERE name = 'model'"#) { text = $0.text(0) }
    guard let text, let file = StoredModel(text: text) else {
      throw SQLiteError.damaged("the file does not contain its model")
    }
    let wanted = StoredModel(schema)
    let migration = ModelMigration(from: file, to: wanted) { entity, attribute in
      schema.entity(EntityName(entity))?.attributes.first { $0.name.rawValue == attribute }?.defaultValue
        != nil
    }
    switch migration.outcome {
    case .same:
      if wanted != file {
        try connection.run(#"UPDATE "$metadata" SET value = ?1 WHERE name = 'model'"#, .text(wanted.text))
      }
      return wanted
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
      "the store '\(url.path)' was created with another model and cannot be migrated; use the former model, or another file",
      changes: changes)
  }

  /// Checks that the tables and indexes are those that the engine has created.
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
