import RecordEngine
import Testing

/// Tests for the example programs of the article on fetching.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct FetchingExampleTests {
  @Test func observing() async throws {
    let container = try PersistentContainer(model: blogModel(), recordTypes: [Post.self, User.self])
    let context = container.makeContext()
    let user = try context.insert(User.self)
    user.setValue(.string("Ada"), of: "name")
    let posts = try ["b", "a"].map { text in
      let post = try context.insert(Post.self)
      post.text = text
      user.add(post, to: "posts")
      return post
    }
    let (list, detail) = (FeedScreen(), FeedScreen())
    let listing = Task { try await observePosts(context, list) }
    let showing = Task { try await observe(posts[0], context, detail) }
    while list.posts != ["a", "b"] || detail.posts != ["b"] { await Task.yield() }
    posts[1].text = "c"
    while list.posts != ["b", "c"] { await Task.yield() }
    #expect(list.notes.last == "1 → 0" || list.notes.last == "0 → 1")
    user.remove(posts[0], from: "posts")
    while list.posts != ["c"] || detail.notes.isEmpty { await Task.yield() }
    #expect(detail.notes == ["The author has changed."])
    context.delete(posts[0])
    try await showing.value
    listing.cancel()
    try await listing.value
  }
}
