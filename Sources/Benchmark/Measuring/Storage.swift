/// The location of a store.
enum Storage: String, CaseIterable {
  case memory, sqlite

  var title: String { self == .sqlite ? "SQLite" : "memory" }
}
