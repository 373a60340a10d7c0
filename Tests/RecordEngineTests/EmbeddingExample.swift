// The program of the README, which a test compares with this file to the letter.
// README begin
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

func readAndEdit(storeURL: URL) async throws -> [String] {
  let server = CannedServer([
    "stream/global": [
      "data": [
        ["id": "1", "body": "Hello", "user": ["id": "7", "name": "Ada"]],
        ["id": "2", "body": "Again", "user": ["id": "7", "name": "Ada"]],
      ]
    ]
  ])
  let container = try PersistentContainer(
    model: try blogModel(), storeURL: storeURL, recordTypes: [Post.self, User.self], server: server)
  let context = container.makeContext()

  let posts = try await container.request(Post.self, urn: "stream/global", context: context).records
  posts[1].text = "Edited"
  try context.save()

  let found = try context.fetch(
    Post.self, where: #"user.name BEGINSWITH[c] "a""#, sortedBy: [RecordSortDescriptor("id")])
  return found.map { "\($0.user?.name ?? "nobody"): \($0.text ?? "")" }
}
// README end
