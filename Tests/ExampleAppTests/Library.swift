import RecordEngine

/// The model of the app.
enum Library {
  static var model: ManagedObjectModel {
    get throws(ModelError) {
      try ManagedObjectModel(entities: [
        EntityDescription(
          "Book", primaryKey: "isbn", responseKeyPath: "books",
          attributes: [AttributeDescription("isbn", .string), AttributeDescription("title", .string)],
          relationships: [RelationshipDescription("author", to: "Author", inverse: "books")]),
        EntityDescription(
          "Author", primaryKey: "id",
          attributes: [AttributeDescription("id", .int64), AttributeDescription("name", .string)],
          relationships: [RelationshipDescription("books", toMany: "Book", inverse: "author")]),
      ])
    }
  }
}
