import Foundation
import GRDB

/// A careful app without the engine: JSONDecoder and Codable structs, deduplicated by hand, and GRDB's prepared
/// statements, which do not write unchanged rows. The keys of the response are the primary keys.
struct CarefulPeer: Contender {
  private let queue: DatabaseQueue

  init(path: String) throws {
    queue = try PeerDatabase.open(path)
    try queue.write { try $0.execute(sql: Self.schema) }
  }

  func importResponse(_ bytes: [UInt8]) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let posts = try decoder.decode(Response.self, from: Data(bytes)).data
    var users: [Int64: User] = [:]
    var sources: [String: Source] = [:]
    var tags: [String: Tag] = [:]
    for post in posts {
      if users[post.user.id] == nil { users[post.user.id] = post.user }
      if sources[post.source.clientID] == nil { sources[post.source.clientID] = post.source }
      for tag in post.tags where tags[tag.slug] == nil { tags[tag.slug] = tag }
    }
    try queue.write { [users, sources, tags] database in
      let user = try database.cachedStatement(sql: Self.upsert(.user))
      let counts = try database.cachedStatement(sql: Self.upsert(.counts))
      for element in users.values {
        try user.execute(arguments: element.arguments)
        try counts.execute(arguments: element.countsArguments)
      }
      let source = try database.cachedStatement(sql: Self.upsert(.source))
      for element in sources.values {
        try source.execute(arguments: [element.clientID, element.name, element.link])
      }
      let tag = try database.cachedStatement(sql: Self.upsert(.tag))
      for element in tags.values { try tag.execute(arguments: [element.slug, element.label]) }
      let post = try database.cachedStatement(sql: Self.upsert(.post))
      let postTag = try database.cachedStatement(
        sql: "INSERT OR IGNORE INTO postTag (post, tag) VALUES (?, ?)")
      for element in posts {
        try post.execute(arguments: element.arguments)
        for tag in element.tags { try postTag.execute(arguments: [element.id, tag.slug]) }
      }
    }
  }

  func changedRows() throws -> Int { try queue.read { $0.totalChangesCount } }

  func fetch(language: String) throws -> Int {
    let posts = try queue.read { database in
      try Post.Stored.fetchAll(
        database, sql: "SELECT * FROM post WHERE language = ?", arguments: [language])
    }
    return posts.count
  }

  func close() throws { try queue.close() }

  static func digest(path: String) throws -> GraphDigest {
    let dates = ["createdAt", "editedAt"]
    return try RawDatabase.digest(
      path: path,
      queries: Dictionary(
        uniqueKeysWithValues: FeedTable.allCases.map { table in
          let columns = table.columns.map {
            dates.contains($0.name) ? "CAST(\($0.name) AS INTEGER)" : $0.name
          }
          return (table, "SELECT \(columns.joined(separator: ", ")) FROM \(table.rawValue)")
        }))
  }

  /// Returns a statement that inserts a row, or updates an existing row that differs. The first column is the key.
  private static func upsert(_ table: FeedTable) -> String {
    let names = table.columns.map(\.name)
    let others = names.dropFirst()
    return """
      INSERT INTO \(table.rawValue) (\(names.joined(separator: ", ")))
      VALUES (\(Array(repeating: "?", count: names.count).joined(separator: ", ")))
      ON CONFLICT (\(names[0])) DO UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      WHERE \(others.map { "\($0) IS NOT excluded.\($0)" }.joined(separator: " OR "))
      """
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS user (
      id INTEGER PRIMARY KEY, username TEXT, name TEXT, about TEXT, locale TEXT, timezone TEXT, avatarURL TEXT,
      coverURL TEXT, createdAt REAL, verified INTEGER, kind TEXT, reputation REAL);
    CREATE TABLE IF NOT EXISTS counts (
      user INTEGER PRIMARY KEY, following INTEGER, followers INTEGER, posts INTEGER, stars INTEGER);
    CREATE TABLE IF NOT EXISTS source (clientID TEXT PRIMARY KEY, name TEXT, link TEXT);
    CREATE TABLE IF NOT EXISTS tag (slug TEXT PRIMARY KEY, label TEXT);
    CREATE TABLE IF NOT EXISTS post (
      id INTEGER PRIMARY KEY, text TEXT, createdAt REAL, editedAt REAL, threadID INTEGER, replyTo INTEGER,
      language TEXT, replies INTEGER, reposts INTEGER, stars INTEGER, machineOnly INTEGER, score REAL,
      canonicalURL TEXT, user INTEGER, source TEXT);
    CREATE INDEX IF NOT EXISTS postUser ON post (user);
    CREATE INDEX IF NOT EXISTS postSource ON post (source);
    CREATE TABLE IF NOT EXISTS postTag (post INTEGER, tag TEXT, PRIMARY KEY (post, tag)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS postTagTag ON postTag (tag, post);
    """
}

/// The database configuration of both peers.
enum PeerDatabase {
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try $0.execute(sql: connectionSettings) }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}

// MARK: - The response

private struct Response: Decodable {
  var data: [Post]
}

private struct Post: Decodable {
  var id: Int64
  var text: String
  var createdAt: Date
  var editedAt: Date?
  var threadID: Int64
  var replyTo: Int64?
  var language: String
  var replies, reposts, stars: Int64
  var machineOnly: Bool
  var score: Double
  var canonicalURL: String
  var user: User
  var source: Source
  var tags: [Tag]

  enum CodingKeys: String, CodingKey {
    case id, text, language, score, user, source, tags
    case createdAt = "created_at"
    case editedAt = "edited_at"
    case threadID = "thread_id"
    case replyTo = "reply_to"
    case replies = "num_replies"
    case reposts = "num_reposts"
    case stars = "num_stars"
    case machineOnly = "machine_only"
    case canonicalURL = "canonical_url"
  }

  /// The values of the columns, in the order of ``FeedTable``.
  var arguments: StatementArguments {
    [
      id, text, createdAt.timeIntervalSince1970, editedAt?.timeIntervalSince1970, threadID, replyTo, language,
      replies, reposts, stars, machineOnly, score, canonicalURL, user.id, source.clientID,
    ]
  }

  /// A post that is read from the database.
  struct Stored: FetchableRecord {
    var id: Int64
    var text: String
    var createdAt: Date
    var editedAt: Date?
    var threadID: Int64
    var replyTo: Int64?
    var language: String
    var replies, reposts, stars: Int64
    var machineOnly: Bool
    var score: Double
    var canonicalURL: String
    var user: Int64
    var source: String

    init(row: Row) {
      id = row[0]
      text = row[1]
      createdAt = Date(timeIntervalSince1970: row[2])
      editedAt = (row[3] as Double?).map(Date.init(timeIntervalSince1970:))
      threadID = row[4]
      replyTo = row[5]
      language = row[6]
      replies = row[7]
      reposts = row[8]
      stars = row[9]
      machineOnly = row[10]
      score = row[11]
      canonicalURL = row[12]
      user = row[13]
      source = row[14]
    }
  }
}

private struct User: Decodable {
  var id: Int64
  var username, name, about, locale, timezone, avatarURL, coverURL: String
  var createdAt: Date
  var verified: Bool
  var kind: String
  var reputation: Double
  var counts: Counts

  enum CodingKeys: String, CodingKey {
    case id, username, name, locale, timezone, verified, reputation, counts
    case about = "description"
    case avatarURL = "avatar_url"
    case coverURL = "cover_url"
    case createdAt = "created_at"
    case kind = "type"
  }

  var arguments: StatementArguments {
    [
      id, username, name, about, locale, timezone, avatarURL, coverURL, createdAt.timeIntervalSince1970,
      verified,
      kind, reputation,
    ]
  }

  var countsArguments: StatementArguments {
    [id, counts.following, counts.followers, counts.posts, counts.stars]
  }
}

private struct Counts: Decodable {
  var following, followers, posts, stars: Int64
}

private struct Source: Decodable {
  var clientID, name, link: String

  enum CodingKeys: String, CodingKey {
    case name, link
    case clientID = "client_id"
  }
}

private struct Tag: Decodable {
  var slug, label: String
}
