import RecordEngine

final class Post: Record {
  var text: String? {
    get { self["text"] }
    set { self["text"] = newValue }
  }
  var user: User? { self["user"] }
}

final class User: Record {
  var name: String? { self["name"] }
  var posts: [Post] { self["posts"] }
}

/// Returns a model of posts and their authors.
func blogModel() throws -> ManagedObjectModel {
  try ManagedObjectModel(entities: [
    EntityDescription(
      "Post", primaryKey: "id", responseKeyPath: "data",
      attributes: [
        AttributeDescription("id", .string), AttributeDescription("text", .string, from: ["body"]),
      ],
      relationships: [RelationshipDescription("user", to: "User", inverse: "posts")]),
    EntityDescription(
      "User", primaryKey: "id",
      attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
  ])
}
