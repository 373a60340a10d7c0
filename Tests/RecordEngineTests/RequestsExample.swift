import Foundation
import RecordEngine

// The example programs of the article on requests, in the order of the article. A test compares them with the article.

/// A screen that shows posts.
final class FeedScreen {
  var posts: [String] = []
  var total: Int64?
  var notes: [String] = []

  func show(_ posts: [Post]) { self.posts = posts.compactMap(\.text) }
}

func openFeed(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen
) async throws {
  // Requests begin
  let result = try await container.request(
    Post.self, urn: "feed", query: ["count": "20"], context: context)
  screen.show(result.records)
  screen.total = result.responseObject?["meta"]?["total"]?.number?.int64Value
  // Requests end
}

func publish(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen
) async throws {
  // Requests begin
  let request = RecordRequest<Post>.post(
    "posts", body: .json(["body": "High tide", "tags": ["sea", "wind"]]))
  let result = try await container.perform(request, context: context)
  screen.show(result.inserted.compactMap { $0 as? Post })
  // Requests end
}

func withdraw(
  _ post: Post, _ container: PersistentContainer, _ context: ManagedObjectContext
) async throws {
  // Requests begin
  _ = try await container.perform(RecordRequest<Post>.delete("posts/9"), context: context)
  context.delete(post)
  try context.save()
  // Requests end
}

func tellWhatWentWrong(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen
) async {
  // Requests begin
  do {
    screen.show(try await container.request(Post.self, urn: "feed", context: context).records)
  } catch let failure as RequestFailure where failure.primary.code == .cancelled {
    // The user left the screen.
  } catch let failure as RequestFailure {
    screen.notes.append("\(failure)")  // http-status Post: the server answered with status 503
  } catch {
    screen.notes.append("The server cannot be reached.")
  }
  // Requests end
}

// Requests begin
extension User {
  /// The posts of a user, as many as fit on a screen.
  static func posts(of name: String) -> RecordRequest<Post> {
    var options = RequestOptions()
    options.domain = "profile"
    options.timeout = .seconds(10)
    return RecordRequest(urn: "users/\(name)/posts", query: ["count": "20"], options: options)
  }
}
// Requests end

func openProfile(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen
) async throws {
  // Requests begin
  let posts = try await container.perform(User.posts(of: "ada"), context: context).records
  screen.show(posts)
  // Requests end
}

// Requests begin
final class Draft: Record, RequestDefaults {
  static var defaultOptions: RequestOptions {
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    return options
  }
}
// Requests end

func openDrafts(_ container: PersistentContainer, _ context: ManagedObjectContext) async throws -> [Draft] {
  // Requests begin
  var options = container.defaultOptions(for: Draft.self)
  options.timeout = .seconds(5)
  let drafts = try await container.request(Draft.self, urn: "drafts", options: options, context: context)
    .records
  // Requests end
  return drafts
}

func readPages(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen
) async throws {
  // Requests begin
  let pages = container.pages(Post.self, urn: "feed", context: context)
  for try await page in pages {
    screen.posts += page.records.compactMap(\.text)
    if screen.posts.count >= 20 { break }
  }
  // Later, when the user scrolls on:
  if let page = try await pages.nextPage() {
    screen.posts += page.records.compactMap(\.text)
  }
  // Requests end
}

func leaveProfile(_ container: PersistentContainer) {
  // Requests begin
  container.cancelRequests(domain: "profile")
  // Requests end
}

func openAgain(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen
) async throws {
  // Requests begin
  let stored = RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("id")])
  let result = try await container.perform(
    RecordRequest<Post>(urn: "feed"), fetchFirst: stored, context: context
  ) { posts in
    screen.show(posts)
  }
  screen.show(result.records)
  // Requests end
}

func openPost(_ container: PersistentContainer, _ post: Post) async throws -> String? {
  // Requests begin
  _ = try await container.requestDetail(of: post)
  return post.text
  // Requests end
}

func openBarePost(_ container: PersistentContainer, _ post: Post) async throws -> String? {
  // Requests begin
  var options = RequestOptions()
  options.keyPathForResponseObject = "[]"
  _ = try await container.requestDetail(of: post, options: options)
  return post.text
  // Requests end
}

func upload(_ container: PersistentContainer, _ draft: Post) async throws {
  // Requests begin
  let body: RequestBody = .json(["body": .string(draft.text ?? "")])
  _ = try await container.requestDetail(of: draft, method: "POST", urn: "posts", body: body)
  // Requests end
}

func openBoth(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen
) async {
  // Requests begin
  await container.batch(context: context) { batch in
    batch.request(RecordRequest<Post>(urn: "feed")) { result in
      if let posts = try? result.get().records { screen.show(posts) }
    }
    batch.request(RecordRequest<User>(urn: "users")) { result in
      screen.notes.append("\((try? result.get().records.count) ?? 0) users")
    }
  }
  screen.notes.append("both are here")
  // Requests end
}

func forgetWhatIsGone(_ container: PersistentContainer, _ context: ManagedObjectContext) async throws -> Int {
  // Requests begin
  var options = RequestOptions()
  options.orphans = OrphanDeletion(scope: .records("user.name == 'Ada'"), limit: .percent(50)) { item in
    item.orphan.matches("text BEGINSWITH 'Pinned'") ? .keep : .delete
  }
  let result = try await container.request(
    Post.self, urn: "users/ada/posts", options: options, context: context)
  // Requests end
  return result.changes.deleted.count
}

func whatWouldChange(
  _ container: PersistentContainer, _ context: ManagedObjectContext
) async throws -> [String] {
  // Requests begin
  var options = RequestOptions()
  options.isDryRun = true
  let changes = try await container.request(Post.self, urn: "feed", options: options, context: context)
    .changes
  var lines = ["\(changes.inserted.count) new, \(changes.deleted.count) gone"]
  for update in changes.updated {
    for change in update.changes {
      guard case .attribute(from: .string(let old)?, to: .string(let new)?) = change.values else { continue }
      lines.append("\(change.name): \(old) → \(new)")
    }
  }
  // Requests end
  return lines
}

func whoAnswers(_ container: PersistentContainer, accounts: any Server) throws {
  // Requests begin
  container.register(accounts, for: User.self)
  try container.register(nil, for: "Draft")
  // Requests end
}

func signInAgain(_ container: PersistentContainer, _ signIn: @escaping @Sendable () async -> Bool) {
  // Requests begin
  container.registerSessionTimeoutHandler { request, timeout in
    await signIn()
  }
  // Requests end
}

func startFeed(
  _ container: PersistentContainer, _ context: ManagedObjectContext, _ screen: FeedScreen,
  _ queue: DispatchQueue, _ end: @escaping () -> Void
) {
  // Requests begin
  container.startRequest(
    RecordRequest<Post>(urn: "feed"), context: context, callbackQueue: queue,
    result: { result in
      screen.show(result.records)
      end()
    },
    failure: { error in
      screen.notes.append("\(error)")
      end()
    })
  // Requests end
}
