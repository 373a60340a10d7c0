import Testing

@testable import RecordSpecCommand

struct NounsTests {
  /// The singular of each plural.
  private static let nouns: KeyValuePairs = [
    "statuses": "status", "movies": "movie", "caches": "cache", "addresses": "address",
    "analyses": "analysis",
    "indices": "index", "indexes": "index", "children": "child", "grandchildren": "grandchild",
    "people": "person",
    "women": "woman", "boxes": "box", "heroes": "hero", "potatoes": "potato", "leaves": "leaf",
    "shoes": "shoe",
    "houses": "house", "databases": "database", "categories": "category", "cases": "case",
    "releases": "release",
    "responses": "response", "licenses": "license", "buses": "bus", "viruses": "virus", "aliases": "alias",
    "canvases": "canvas", "lenses": "lens", "sizes": "size", "quizzes": "quiz", "queues": "queue",
    "taxes": "tax",
    "dishes": "dish", "matches": "match", "headaches": "headache", "drives": "drive", "shelves": "shelf",
    "bookshelves": "bookshelf", "olives": "olive", "prices": "price", "vertices": "vertex", "photos": "photo",
    "menus": "menu", "apis": "api", "cookies": "cookie", "ties": "tie", "companies": "company", "days": "day",
    "uses": "use", "causes": "cause", "warehouses": "warehouse", "courses": "course", "exercises": "exercise",
    "processes": "process", "gases": "gas", "axes": "axis", "criteria": "criterion", "lives": "life",
    "areas": "area", "trees": "tree", "issues": "issue", "businesses": "business", "waltzes": "waltz",
  ]

  @Test func pluralsHaveASingular() {
    for (plural, singular) in Self.nouns {
      #expect(Nouns.singular(plural) == singular)
      #expect(Nouns.singular(singular) == singular)
      #expect(Nouns.singular(Nouns.plural(singular)) == singular, "\(Nouns.plural(singular))")
    }
  }

  @Test(arguments: ["series", "news", "media", "data", "species", "analytics", "sms"])
  func wordsWithOneFormStay(word: String) {
    #expect(Nouns.singular(word) == word)
    #expect(Nouns.plural(word) == word)
  }
}
