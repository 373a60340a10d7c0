public import RecordEngine

public final class Recipe: Record {
  @Field("id", isPrimaryKey: true) public var id: Int
  @Field("title") public var title: String
  @Field("note") public var note: String?
  /// A Boolean value that indicates whether the note has yet to reach the server, which knows nothing of it.
  @Field("pending", { $0.usesOwnName = false }) public var pending = false
  @ToOne("cook", inverse: "recipes") public var cook: Cook?
  @ToMany("tags", inverse: "recipes", { $0.assignment = .replace }) public var tags: [Tag]
}

public final class Cook: Record {
  @Field("id", isPrimaryKey: true) public var id: Int
  @Field("name") public var name: String?
  @ToMany("recipes", inverse: "cook") public var recipes: [Recipe]
}

public final class Tag: Record {
  @Field("id", isPrimaryKey: true) public var id: Int
  @Field("label") public var label: String?
  @ToMany("recipes", inverse: "tags") public var recipes: [Recipe]
}

/// The state of a feed: the address of its next page, if there is one.
public final class Feed: Record {
  @Field("name", isPrimaryKey: true) public var name: String
  @Field("next") public var next: String?
}
