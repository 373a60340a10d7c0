import Foundation
import RecordEngine

final class Post: Record {
  @Field("id", isPrimaryKey: true) var id: Int
  @Field("text", { $0.from = ["body"] }) var text: String?
  @Field("created_at", { $0.format = "iso8601" }) var createdAt: Date?
  @ToOne("user", inverse: "posts") var user: User?

  override class var keyPathForResponseObject: MappingPath? { "data" }
}

final class User: Record {
  @Field("id", isPrimaryKey: true) var id: Int
  @Field("name") var name: String?
  @ToMany("posts", inverse: "user") var posts: [Post]
}
