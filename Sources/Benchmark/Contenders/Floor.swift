import JSONTree

/// The floor, a practical lower limit of the time: prepared statements by hand for this feed only, bound directly from
/// the bytes of the response. An existing record is read and compared, and written only if it differs. The tables are
/// those of the engine: serial numbers as primary keys, and indexes on keys and references.
struct Floor: Contender {
  private let database: RawDatabase
  private let tables: FloorTables

  init(path: String) throws {
    database = try RawDatabase(path: path)
    try database.execute(connectionSettings)
    try database.execute(Self.schema)
    tables = try FloorTables(database)
  }

  func importResponse(_ bytes: [UInt8]) throws {
    let document = try JSONDocument(parsing: bytes)
    try database.execute("BEGIN IMMEDIATE")
    do {
      try document.withTape { tape in
        var work = try FloorImport(tape, tables)
        try work.importPosts()
      }
    } catch {
      try database.execute("ROLLBACK")
      throw error
    }
    try database.execute("COMMIT")
  }

  func changedRows() -> Int { database.totalChanges }

  func fetch(language: String) throws -> Int {
    let statement = try database.prepare(
      "SELECT id, \(FloorTable.post.columns.map(\.name).joined(separator: ", ")), user, source FROM post "
        + "WHERE language = ?")
    defer { statement.finalize() }
    statement.bind(copy: Array(language.utf8), at: 1)
    var posts: [FloorPost] = []
    while try statement.step() { posts.append(FloorPost(statement)) }
    return posts.count
  }

  func close() throws {
    tables.finalize()
    try database.close()
  }

  static func digest(path: String) throws -> GraphDigest {
    let dates = ["createdAt", "editedAt"]
    func columns(_ table: FeedTable, _ others: [String] = []) -> String {
      table.columns.map(\.name).filter { !others.contains($0) }
        .map { dates.contains($0) ? "CAST(t.\($0) AS INTEGER)" : "t.\($0)" }.joined(separator: ", ")
    }
    return try RawDatabase.digest(
      path: path,
      queries: [
        .post: """
        SELECT \(columns(.post, ["user", "source"])), user.id, source.clientID FROM post t
        LEFT JOIN user ON user.pk = t.user LEFT JOIN source ON source.pk = t.source
        """,
        .user: "SELECT \(columns(.user)) FROM user t",
        .counts:
          "SELECT user.id, \(columns(.counts, ["user"])) FROM counts t LEFT JOIN user ON user.pk = t.user",
        .source: "SELECT \(columns(.source)) FROM source t",
        .tag: "SELECT \(columns(.tag)) FROM tag t",
        .postTag: """
        SELECT post.id, tag.slug FROM postTag t
        LEFT JOIN post ON post.pk = t.post LEFT JOIN tag ON tag.pk = t.tag
        """,
      ])
  }

  /// The statements that create the tables.
  static let schema = """
    CREATE TABLE IF NOT EXISTS user (
      pk INTEGER PRIMARY KEY, id INTEGER, username TEXT, name TEXT, about TEXT, locale TEXT, timezone TEXT,
      avatarURL TEXT, coverURL TEXT, createdAt REAL, verified INTEGER, kind TEXT, reputation REAL);
    CREATE UNIQUE INDEX IF NOT EXISTS userKey ON user (id);
    CREATE TABLE IF NOT EXISTS counts (
      pk INTEGER PRIMARY KEY, following INTEGER, followers INTEGER, posts INTEGER, stars INTEGER, user INTEGER);
    CREATE UNIQUE INDEX IF NOT EXISTS countsKey ON counts (user);
    CREATE TABLE IF NOT EXISTS source (pk INTEGER PRIMARY KEY, clientID TEXT, name TEXT, link TEXT);
    CREATE UNIQUE INDEX IF NOT EXISTS sourceKey ON source (clientID);
    CREATE TABLE IF NOT EXISTS tag (pk INTEGER PRIMARY KEY, slug TEXT, label TEXT);
    CREATE UNIQUE INDEX IF NOT EXISTS tagKey ON tag (slug);
    CREATE TABLE IF NOT EXISTS post (
      pk INTEGER PRIMARY KEY, id INTEGER, text TEXT, createdAt REAL, editedAt REAL, threadID INTEGER, replyTo INTEGER,
      language TEXT, replies INTEGER, reposts INTEGER, stars INTEGER, machineOnly INTEGER, score REAL,
      canonicalURL TEXT, user INTEGER, source INTEGER);
    CREATE UNIQUE INDEX IF NOT EXISTS postKey ON post (id);
    CREATE INDEX IF NOT EXISTS postUser ON post (user);
    CREATE INDEX IF NOT EXISTS postSource ON post (source);
    CREATE TABLE IF NOT EXISTS postTag (post INTEGER, tag INTEGER, PRIMARY KEY (post, tag)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS postTagTag ON postTag (tag, post);
    """
}
