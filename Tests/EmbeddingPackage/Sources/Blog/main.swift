import Foundation
import RecordEngine

final class Post: Record {
  @Field("id", isPrimaryKey: true) var id: Int
  @Field("text", { $0.from = ["body"] }) var text: String?
  @ToOne("user", inverse: "posts") var user: User?

  override class var keyPathForResponseObject: MappingPath? { "data" }
}

final class User: Record {
  @Field("id", isPrimaryKey: true) var id: Int
  @Field("name") var name: String?
  @ToMany("posts", inverse: "user") var posts: [Post]
}

// A server of local files; for HTTP, use HTTPServer(baseURL: …) of RecordEngineHTTP.
let server = JSONServer(
  folder: Bundle.module.bundleURL.appending(path: "Responses"),
  files: ["users/7": "User.json", "posts": "Posts.json", "posts?page=2": "More.json"],
  paging: .address(at: "next"))
let container = try PersistentContainer(
  Post.self, User.self, configuration: .init(store: .file(URL(filePath: "Blog.sqlite")), server: server))
let context = container.makeContext()

let users = try await container.request(User.self, urn: "users/7", context: context).records
for try await page in container.pages(Post.self, urn: "posts", context: context) {
  print("A page:", page.records.map { $0.text ?? "" })
}
users.first?.posts.first?.text = "Hello again"
try context.save()

let found = try context.fetch(
  Post.self, where: .beginsWith(\.$user.$name, "a", options: .caseInsensitive), sortedBy: .ascending(\.$id))
for post in found { print("\(post.user?.name ?? "Unknown"): \(post.text ?? "")") }
