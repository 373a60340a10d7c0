import Foundation
import GRDB

/// The code of most apps without the engine: JSONDecoder, a GRDB record for each table, and `save` once for each record
/// of a response. (Saving a user with each of their posts takes nearly twice as long, and `upsert` is slower than
/// `save`.)
struct UsualPeer: Contender {
  private let queue: DatabaseQueue

  init(path: String) throws {
    queue = try PeerDatabase.open(path)
    try queue.write { try Self.createTables($0) }
  }

  func importResponse(_ bytes: [UInt8]) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let response = try decoder.decode(Response.self, from: Data(bytes))
    try queue.write { database in
      var users: Set<Int64> = []
      var sources: Set<String> = []
      var tags: Set<String> = []
      for item in response.data {
        if users.insert(item.user.id).inserted {
          try UserRecord(item.user).save(database)
          try CountsRecord(item.user).save(database)
        }
        if sources.insert(item.source.clientId).inserted { try item.source.save(database) }
        try PostRecord(item).save(database)
        for tag in item.tags {
          if tags.insert(tag.slug).inserted { try tag.save(database) }
          try PostTagRecord(post: item.id, tag: tag.slug).insert(database, onConflict: .ignore)
        }
      }
    }
  }

  func changedRows() throws -> Int { try queue.read { $0.totalChangesCount } }

  func fetch(language: String) throws -> Int {
    let posts = try queue.read { try PostRecord.filter(Column("language") == language).fetchAll($0) }
    return posts.count
  }

  func close() throws { try queue.close() }

  static func digest(path: String) throws -> GraphDigest {
    let columns = { (names: String...) in
      names.map { $0.hasSuffix("At") ? "CAST(strftime('%s', \($0)) AS INTEGER)" : $0 }.joined(separator: ", ")
    }
    let post = columns(
      "id", "text", "createdAt", "editedAt", "threadId", "replyTo", "language", "numReplies", "numReposts",
      "numStars", "machineOnly", "score", "canonicalUrl", "userId", "sourceId")
    let user = columns(
      "id", "username", "name", "description", "locale", "timezone", "avatarUrl", "coverUrl", "createdAt",
      "verified", "type", "reputation")
    return try RawDatabase.digest(
      path: path,
      queries: [
        .post: "SELECT \(post) FROM post",
        .user: "SELECT \(user) FROM user",
        .counts: "SELECT userId, following, followers, posts, stars FROM counts",
        .source: "SELECT clientId, name, link FROM source",
        .tag: "SELECT slug, label FROM tag",
        .postTag: "SELECT post, tag FROM postTag",
      ])
  }

  private static func createTables(_ database: Database) throws {
    try database.create(table: "user", options: .ifNotExists) { table in
      table.primaryKey("id", .integer)
      for name in ["username", "name", "description", "locale", "timezone", "avatarUrl", "coverUrl", "type"] {
        table.column(name, .text).notNull()
      }
      table.column("createdAt", .datetime).notNull()
      table.column("verified", .boolean).notNull()
      table.column("reputation", .double).notNull()
    }
    try database.create(table: "counts", options: .ifNotExists) { table in
      table.primaryKey("userId", .integer)
      for name in ["following", "followers", "posts", "stars"] { table.column(name, .integer).notNull() }
    }
    try database.create(table: "source", options: .ifNotExists) { table in
      table.primaryKey("clientId", .text)
      for name in ["name", "link"] { table.column(name, .text).notNull() }
    }
    try database.create(table: "tag", options: .ifNotExists) { table in
      table.primaryKey("slug", .text)
      table.column("label", .text).notNull()
    }
    try database.create(table: "post", options: .ifNotExists) { table in
      table.primaryKey("id", .integer)
      for name in ["text", "language", "canonicalUrl"] { table.column(name, .text).notNull() }
      table.column("createdAt", .datetime).notNull()
      table.column("editedAt", .datetime)
      table.column("replyTo", .integer)
      for name in ["threadId", "numReplies", "numReposts", "numStars"] {
        table.column(name, .integer).notNull()
      }
      table.column("machineOnly", .boolean).notNull()
      table.column("score", .double).notNull()
      table.column("userId", .integer).notNull().indexed()
      table.column("sourceId", .text).notNull().indexed()
    }
    try database.create(table: "postTag", options: [.ifNotExists, .withoutRowID]) { table in
      table.primaryKey {
        table.column("post", .integer)
        table.column("tag", .text).indexed()
      }
    }
  }
}

// MARK: - The response

private struct Response: Decodable {
  var data: [PostItem]
}

private struct PostItem: Decodable {
  var id: Int64
  var text: String
  var createdAt: Date
  var editedAt: Date?
  var threadId: Int64
  var replyTo: Int64?
  var language: String
  var numReplies, numReposts, numStars: Int64
  var machineOnly: Bool
  var score: Double
  var canonicalUrl: String
  var user: UserItem
  var source: SourceRecord
  var tags: [TagRecord]
}

private struct UserItem: Decodable {
  var id: Int64
  var username, name, description, locale, timezone, avatarUrl, coverUrl: String
  var createdAt: Date
  var verified: Bool
  var type: String
  var reputation: Double
  var counts: CountsItem
}

private struct CountsItem: Decodable {
  var following, followers, posts, stars: Int64
}

// MARK: - The tables

private struct PostRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "post"

  var id: Int64
  var text: String
  var createdAt: Date
  var editedAt: Date?
  var threadId: Int64
  var replyTo: Int64?
  var language: String
  var numReplies, numReposts, numStars: Int64
  var machineOnly: Bool
  var score: Double
  var canonicalUrl: String
  var userId: Int64
  var sourceId: String

  init(_ item: PostItem) {
    id = item.id
    text = item.text
    createdAt = item.createdAt
    editedAt = item.editedAt
    threadId = item.threadId
    replyTo = item.replyTo
    language = item.language
    numReplies = item.numReplies
    numReposts = item.numReposts
    numStars = item.numStars
    machineOnly = item.machineOnly
    score = item.score
    canonicalUrl = item.canonicalUrl
    userId = item.user.id
    sourceId = item.source.clientId
  }
}

private struct UserRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "user"

  var id: Int64
  var username, name, description, locale, timezone, avatarUrl, coverUrl: String
  var createdAt: Date
  var verified: Bool
  var type: String
  var reputation: Double

  init(_ item: UserItem) {
    id = item.id
    username = item.username
    name = item.name
    description = item.description
    locale = item.locale
    timezone = item.timezone
    avatarUrl = item.avatarUrl
    coverUrl = item.coverUrl
    createdAt = item.createdAt
    verified = item.verified
    type = item.type
    reputation = item.reputation
  }
}

private struct CountsRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "counts"

  var userId: Int64
  var following, followers, posts, stars: Int64

  init(_ item: UserItem) {
    userId = item.id
    following = item.counts.following
    followers = item.counts.followers
    posts = item.counts.posts
    stars = item.counts.stars
  }
}

private struct SourceRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "source"

  var clientId, name, link: String
}

private struct TagRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "tag"

  var slug, label: String
}

private struct PostTagRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "postTag"

  var post: Int64
  var tag: String
}
