/// The mapping of a JSON object to a table.
struct FloorTable {
  enum Kind {
    case integer, double, text, date, boolean
    /// A nested record, which is not a column.
    case nested
  }

  struct Column {
    var name: String
    var key: [UInt8]
    var kind: Kind

    init(_ name: String, _ key: String, _ kind: Kind) {
      self.name = name
      self.key = Array(key.utf8)
      self.kind = kind
    }
  }

  var name: String
  /// The columns, with those of the key first.
  var columns: [Column]
  /// The columns of references, which follow the other columns.
  var references: [String]
  var nested: [Column] = []

  static let post = FloorTable(
    name: "post",
    columns: [
      Column("id", "id", .integer), Column("text", "text", .text), Column("createdAt", "created_at", .date),
      Column("editedAt", "edited_at", .date), Column("threadID", "thread_id", .integer),
      Column("replyTo", "reply_to", .integer), Column("language", "language", .text),
      Column("replies", "num_replies", .integer), Column("reposts", "num_reposts", .integer),
      Column("stars", "num_stars", .integer), Column("machineOnly", "machine_only", .boolean),
      Column("score", "score", .double), Column("canonicalURL", "canonical_url", .text),
    ],
    references: ["user", "source"],
    nested: [
      Column("user", "user", .nested), Column("source", "source", .nested), Column("tags", "tags", .nested),
    ])

  static let user = FloorTable(
    name: "user",
    columns: [
      Column("id", "id", .integer), Column("username", "username", .text), Column("name", "name", .text),
      Column("about", "description", .text), Column("locale", "locale", .text),
      Column("timezone", "timezone", .text), Column("avatarURL", "avatar_url", .text),
      Column("coverURL", "cover_url", .text), Column("createdAt", "created_at", .date),
      Column("verified", "verified", .boolean), Column("kind", "type", .text),
      Column("reputation", "reputation", .double),
    ],
    references: [], nested: [Column("counts", "counts", .nested)])

  static let counts = FloorTable(
    name: "counts",
    columns: ["following", "followers", "posts", "stars"].map { Column($0, $0, .integer) },
    references: ["user"])

  static let source = FloorTable(
    name: "source",
    columns: [
      Column("clientID", "client_id", .text), Column("name", "name", .text), Column("link", "link", .text),
    ], references: [])

  static let tag = FloorTable(
    name: "tag", columns: [Column("slug", "slug", .text), Column("label", "label", .text)], references: [])
}

/// The prepared statements for one table.
struct FloorStatements {
  let table: FloorTable
  /// The columns and the nested records, in the order of the object's members.
  let members: [FloorTable.Column]
  let find: RawStatement
  /// A statement whose parameters are the columns, the references and the primary key.
  let insert: RawStatement
  /// A statement with the same parameters.
  let update: RawStatement

  init(_ table: FloorTable, key: String, _ database: RawDatabase) throws {
    self.table = table
    members = table.columns + table.nested
    let names = table.columns.map(\.name) + table.references
    find = try database.prepare(
      "SELECT \(names.joined(separator: ", ")), pk FROM \(table.name) WHERE \(key) = ?")
    insert = try database.prepare(
      """
      INSERT INTO \(table.name) (\(names.joined(separator: ", ")), pk)
      VALUES (\(Array(repeating: "?", count: names.count + 1).joined(separator: ", ")))
      """)
    update = try database.prepare(
      "UPDATE \(table.name) SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE pk = ?")
  }
}

struct FloorTables {
  let post, user, counts, source, tag: FloorStatements
  let findTags, insertTag: RawStatement
  /// The statements that select the greatest primary key of each table.
  let greatest: [RawStatement]

  init(_ database: RawDatabase) throws {
    post = try FloorStatements(.post, key: "id", database)
    user = try FloorStatements(.user, key: "id", database)
    counts = try FloorStatements(.counts, key: "user", database)
    source = try FloorStatements(.source, key: "clientID", database)
    tag = try FloorStatements(.tag, key: "slug", database)
    findTags = try database.prepare("SELECT tag FROM postTag WHERE post = ?")
    insertTag = try database.prepare("INSERT INTO postTag (post, tag) VALUES (?, ?)")
    greatest = try ["post", "user", "counts", "source", "tag"].map {
      try database.prepare("SELECT max(pk) FROM \($0)")
    }
  }

  func finalize() {
    for statements in [post, user, counts, source, tag] {
      for statement in [statements.find, statements.insert, statements.update] { statement.finalize() }
    }
    for statement in [findTags, insertTag] + greatest { statement.finalize() }
  }
}

/// A post as a reader of the table would keep it.
struct FloorPost {
  var id: Int64
  var texts: [String] = []
  var integers: [Int64?] = []
  var doubles: [Double?] = []

  init(_ statement: RawStatement) {
    id = statement.integer(0)
    for (position, column) in FloorTable.post.columns.enumerated() {
      let index = Int32(position + 1)
      switch column.kind {
      case .text: texts.append(String(decoding: statement.text(index), as: UTF8.self))
      case .double, .date: doubles.append(statement.isNull(index) ? nil : statement.double(index))
      case .integer, .boolean, .nested:
        integers.append(statement.isNull(index) ? nil : statement.integer(index))
      }
    }
  }
}
