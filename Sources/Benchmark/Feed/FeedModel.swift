import RecordModel

extension Feed {
  /// Returns the model of the feed, as an app would declare it for the engine.
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [post, user, counts, source, tag], dateFormat: "yyyy-MM-dd'T'HH:mm:ss'Z'")
  }

  private static var post: EntityDescription {
    EntityDescription(
      "Post", primaryKey: "id", responseKeyPath: "data",
      attributes: [
        AttributeDescription("id", .int64),
        AttributeDescription("text", .string),
        AttributeDescription("createdAt", .date, from: ["created_at"]),
        AttributeDescription("editedAt", .date, from: ["edited_at"]),
        AttributeDescription("threadID", .int64, from: ["thread_id"]),
        AttributeDescription("replyTo", .int64, from: ["reply_to"]),
        AttributeDescription("language", .string),
        AttributeDescription("replies", .int64, from: ["num_replies"]),
        AttributeDescription("reposts", .int64, from: ["num_reposts"]),
        AttributeDescription("stars", .int64, from: ["num_stars"]),
        AttributeDescription("machineOnly", .boolean, from: ["machine_only"]),
        AttributeDescription("score", .double),
        AttributeDescription("canonicalURL", .string, from: ["canonical_url"]),
      ],
      relationships: [
        RelationshipDescription("user", to: "User", inverse: "posts"),
        RelationshipDescription("source", to: "Source", inverse: "posts"),
        RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
      ])
  }

  private static var user: EntityDescription {
    EntityDescription(
      "User", primaryKey: "id",
      attributes: [
        AttributeDescription("id", .int64),
        AttributeDescription("username", .string),
        AttributeDescription("name", .string),
        AttributeDescription("about", .string, from: ["description"]),
        AttributeDescription("locale", .string),
        AttributeDescription("timezone", .string),
        AttributeDescription("avatarURL", .string, from: ["avatar_url"]),
        AttributeDescription("coverURL", .string, from: ["cover_url"]),
        AttributeDescription("createdAt", .date, from: ["created_at"]),
        AttributeDescription("verified", .boolean),
        AttributeDescription("kind", .string, from: ["type"]),
        AttributeDescription("reputation", .double),
      ],
      relationships: [
        RelationshipDescription("counts", to: "Counts", inverse: "user"),
        RelationshipDescription("posts", toMany: "Post", inverse: "user"),
      ])
  }

  /// The counts of a user. A user has one set of counts, which is identified by its user.
  private static var counts: EntityDescription {
    EntityDescription(
      "Counts", primaryKey: "user",
      attributes: [
        AttributeDescription("following", .int64),
        AttributeDescription("followers", .int64),
        AttributeDescription("posts", .int64),
        AttributeDescription("stars", .int64),
      ],
      relationships: [RelationshipDescription("user", to: "User", inverse: "counts")])
  }

  private static var source: EntityDescription {
    EntityDescription(
      "Source", primaryKey: "clientID",
      attributes: [
        AttributeDescription("clientID", .string, from: ["client_id"]),
        AttributeDescription("name", .string),
        AttributeDescription("link", .string),
      ],
      relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "source")])
  }

  private static var tag: EntityDescription {
    EntityDescription(
      "Tag", primaryKey: "slug",
      attributes: [AttributeDescription("slug", .string), AttributeDescription("label", .string)],
      relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")])
  }
}
