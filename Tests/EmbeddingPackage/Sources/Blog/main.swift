import Foundation
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

let model = try ManagedObjectModel(entities: [
  EntityDescription(
    "Post", primaryKey: "id", responseKeyPath: "data",
    attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string, from: ["body"])],
    relationships: [RelationshipDescription("user", to: "User", inverse: "posts")]),
  EntityDescription(
    "User", primaryKey: "id",
    attributes: [AttributeDescription("id", .int64), AttributeDescription("name", .string)],
    relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
])

// A server of local files; for HTTP, use HTTPServer(baseURL: …) of RecordEngineHTTP.
let server = JSONServer(
  folder: Bundle.module.bundleURL.appending(path: "Responses"),
  files: ["users/7": "User.json", "posts": "Posts.json", "posts?page=2": "More.json"],
  paging: .address(at: "next"))
let container = try PersistentContainer(
  model: model, recordTypes: [Post.self, User.self],
  configuration: .init(store: .file(URL(filePath: "Blog.sqlite")), server: server))
let context = container.makeContext()

let users = try await container.request(User.self, urn: "users/7", context: context).records
for try await page in container.pages(Post.self, urn: "posts", context: context) {
  print("A page:", page.records.map { $0.text ?? "" })
}
users.first?.posts.first?.text = "Hello again"
try context.save()

let found = try context.fetch(
  Post.self, where: #"user.name BEGINSWITH[c] "a""#, sortedBy: [RecordSortDescriptor("id")])
for post in found { print("\(post.user?.name ?? "Unknown"): \(post.text ?? "")") }
