import GRDB

public struct Recipe: Codable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
  public var id: Int
  public var title: String
  public var note: String?
  /// A Boolean value that indicates whether the note has yet to reach the server.
  public var pending = false
  public var cookID: Int

  enum CodingKeys: String, CodingKey {
    case id, title, note, pending
    case cookID = "cook_id"
  }
}

public struct Cook: Codable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
  public var id: Int
  public var name: String?
}

public struct Tag: Codable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
  public var id: Int
  public var label: String
}

public struct RecipeTag: Codable, Sendable, FetchableRecord, PersistableRecord {
  public static let databaseTableName = "recipe_tag"
  public var recipeID: Int
  public var tagID: Int

  enum CodingKeys: String, CodingKey {
    case recipeID = "recipe_id"
    case tagID = "tag_id"
  }
}

/// The state of a feed: the address of its next page, if there is one.
public struct Feed: Codable, Sendable, FetchableRecord, PersistableRecord {
  public var name: String
  public var next: String?
}

extension DatabaseMigrator {
  static var recipes: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.create(table: "cook") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text)
      }
      try db.create(table: "recipe") { table in
        table.primaryKey("id", .integer)
        table.column("title", .text).notNull()
        table.column("note", .text)
        table.column("pending", .boolean).notNull()
        table.column("cook_id", .integer).notNull().indexed().references("cook")
      }
      try db.create(table: "tag") { table in
        table.primaryKey("id", .integer)
        table.column("label", .text).notNull()
      }
      try db.create(table: "recipe_tag") { table in
        table.column("recipe_id", .integer).references("recipe", onDelete: .cascade)
        table.column("tag_id", .integer).indexed().references("tag")
        table.primaryKey(["recipe_id", "tag_id"])
      }
      try db.create(table: "feed") { table in
        table.primaryKey("name", .text)
        table.column("next", .text)
      }
    }
    return migrator
  }
}
