import GRDB

/// A page of the feed of recipes, as the server sends it.
struct Page: Decodable {
  var recipes: [RecipeItem]
  var next: String?

  func save(_ db: Database) throws {
    for recipe in recipes { try recipe.save(db) }
    try Feed(name: "recipes", next: next).save(db)
  }
}

/// A recipe in a response. What the response leaves out stays as it is stored.
struct RecipeItem: Decodable {
  var id: Int
  var title: String
  /// The note: nil if the response has none, and `.some(nil)` if it is null.
  var note: String??
  var cook: CookItem
  var tags: [Tag]?

  enum CodingKeys: CodingKey { case id, title, note, cook, tags }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(Int.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    note = values.contains(.note) ? .some(try values.decode(String?.self, forKey: .note)) : nil
    cook = try values.decode(CookItem.self, forKey: .cook)
    tags = try values.decodeIfPresent([Tag].self, forKey: .tags)
  }

  func save(_ db: Database) throws {
    try cook.save(db)
    var recipe = try Recipe.fetchOne(db, id: id) ?? Recipe(id: id, title: title, cookID: cook.id)
    recipe.title = title
    recipe.cookID = cook.id
    if let note { recipe.note = note }
    try recipe.save(db)
    guard let tags else { return }
    try RecipeTag.filter(Column("recipe_id") == id).deleteAll(db)
    for tag in tags {
      try tag.save(db)
      try RecipeTag(recipeID: id, tagID: tag.id).insert(db)
    }
  }
}

/// The cook of a recipe: all of it, or only its id.
enum CookItem: Decodable {
  case full(Cook)
  case reference(Int)

  var id: Int {
    switch self {
    case .full(let cook): cook.id
    case .reference(let id): id
    }
  }

  init(from decoder: any Decoder) throws {
    if let id = try? decoder.singleValueContainer().decode(Int.self) {
      self = .reference(id)
    } else {
      self = .full(try Cook(from: decoder))
    }
  }

  /// Saves the cook. One that is only an id keeps its name.
  func save(_ db: Database) throws {
    switch self {
    case .full(let cook): try cook.save(db)
    case .reference(let id): try Cook(id: id).insert(db, onConflict: .ignore)
    }
  }
}

/// The answer of the server to a note.
struct SentNote: Decodable {
  var id: Int
  var note: String?
}
