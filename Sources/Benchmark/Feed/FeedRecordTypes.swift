import RecordEngine
import RecordModel

/// The record types of the feed, with the properties that the benchmark accesses.
enum FeedRecordTypes {
  final class Post: Record {
    @Field("text") var text: String?
    @Field("stars") var stars = 0
    @ToOne("user", inverse: "posts") var user: User?
  }

  final class User: Record {}

  static var all: [Record.Type] { [Post.self, User.self] }
}
