import Foundation
import GRDB
import TrackerResponses

enum State: String, Codable, DatabaseValueConvertible { case open, closed }

struct Issue: Codable, FetchableRecord, PersistableRecord {
  var number: Int
  var title: String
  var state: State
  var comments: Int
  var createdAt: Date?
  var authorLogin: String?

  static let author = belongsTo(User.self, key: "author")
  static let issueLabels = hasMany(IssueLabel.self)
}

struct User: Codable, FetchableRecord, PersistableRecord {
  var login: String
  var name: String?

  static let issues = hasMany(Issue.self)
}

struct Label: Codable, FetchableRecord, PersistableRecord {
  var name: String
}

struct IssueLabel: Codable, FetchableRecord, PersistableRecord {
  var issueNumber: Int
  var labelName: String
}

func migrate(_ database: DatabaseQueue) throws {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("v1") { db in
    try db.create(table: "user") { table in
      table.primaryKey("login", .text)
      table.column("name", .text)
    }
    try db.create(table: "issue") { table in
      table.primaryKey("number", .integer)
      table.column("title", .text).notNull().defaults(to: "")
      table.column("state", .text).notNull().defaults(to: "open")
      table.column("comments", .integer).notNull().defaults(to: 0)
      table.column("createdAt", .datetime)
      table.column("authorLogin", .text).indexed().references("user")
    }
    try db.create(table: "label") { table in
      table.primaryKey("name", .text)
    }
    try db.create(table: "issueLabel") { table in
      table.column("issueNumber", .integer).references("issue", onDelete: .cascade)
      table.column("labelName", .text).indexed().references("label", onDelete: .cascade)
      table.primaryKey(["issueNumber", "labelName"])
    }
  }
  try migrator.migrate(database)
}

/// An element of a response. A missing key leaves the stored value unchanged, so all values but the number are optional.
struct IssueItem: Decodable {
  struct UserItem: Decodable {
    var login: String
    var name: String?
  }
  struct LabelItem: Decodable { var name: String }

  var number: Int
  var title: String?
  var state: State?
  var comments: Int?
  var createdAt: Date?
  var user: UserItem?
  var labels: [LabelItem]?

  /// Inserts or updates the records of this item.
  func save(_ db: Database) throws {
    if let user {
      var record = try User.fetchOne(db, key: user.login) ?? User(login: user.login)
      if let name = user.name { record.name = name }
      try record.save(db)
    }
    var issue =
      try Issue.fetchOne(db, key: number) ?? Issue(number: number, title: "", state: .open, comments: 0)
    if let title { issue.title = title }
    if let state { issue.state = state }
    if let comments { issue.comments = comments }
    if let createdAt { issue.createdAt = createdAt }
    if let user { issue.authorLogin = user.login }
    try issue.save(db)
    guard let labels else { return }
    try IssueLabel.filter(Column("issueNumber") == number).deleteAll(db)
    for label in labels {
      try Label(name: label.name).save(db)
      try IssueLabel(issueNumber: number, labelName: label.name).save(db)
    }
  }
}

/// An issue as the list shows it, with its author and labels.
struct IssueInfo: Decodable, FetchableRecord {
  var issue: Issue
  var author: User?
  var issueLabels: [IssueLabel]

  var text: String {
    let labels = issueLabels.map(\.labelName).sorted().joined(separator: ", ")
    return "#\(issue.number) \(issue.title) by \(author?.name ?? "?"), \(issue.comments) comments [\(labels)]"
  }
}

func run() async throws {
  let database = try DatabaseQueue(path: "TrackerWithGRDB.sqlite")
  try migrate(database)

  // Each element has the open issues, but not what has changed since the last one.
  var openIssues = ValueObservation.tracking { db in
    try IssueInfo.fetchAll(
      db,
      Issue.including(optional: Issue.author).including(all: Issue.issueLabels)
        .filter(Column("state") == State.open).order(Column("comments").desc))
  }.values(in: database).makeAsyncIterator()
  _ = try await openIssues.next()

  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  decoder.dateDecodingStrategy = .iso8601
  for (day, response) in [(1, TrackerResponses.firstDay), (2, TrackerResponses.secondDay)] {
    let items = try decoder.decode([IssueItem].self, from: Data(response.utf8))
    try await database.write { db in
      for item in items { try item.save(db) }
    }
    print("Day \(day): \(items.count) issues in the response")
    for info in try await openIssues.next() ?? [] { print("  open: " + info.text) }
  }

  let recent = try await database.read { db in
    try Issue.joining(required: Issue.author.filter(key: "grace")).joining(required: Issue.issueLabels)
      .order(Column("createdAt").desc).distinct().fetchAll(db)
  }
  print("By Grace:", recent.map(\.title))
  let users = try await database.read { db in
    try User.order(Column("login")).fetchAll(db).map { ($0, try $0.request(for: User.issues).fetchCount(db)) }
  }
  for (user, count) in users { print("\(user.name ?? user.login): \(count) issues") }
}

try await run()
