import Foundation
import Observation
import RecordEngine
import RecordEngineHTTP

/// The stored posts, for the views of an app.
@available(macOS 14, iOS 17, *)
@MainActor @Observable
final class PostFeed {
  struct Row: Identifiable {
    let id: Int
    let text: String
    let author: String
  }

  private(set) var rows: [Row] = []
  private(set) var problem: String?
  @ObservationIgnored private let container: PersistentContainer
  @ObservationIgnored private let context: ManagedObjectContext

  init(file: URL, server: any Server) throws {
    container = try PersistentContainer(
      Post.self, User.self, configuration: .init(store: .file(file), server: server))
    context = container.makeContext()
  }

  /// Shows the stored posts now and after each change, until the task is canceled.
  func show() async {
    do {
      let updates = try context.updates(
        of: Post.self, sortedBy: [RecordSortDescriptor("created_at", isAscending: false)])
      for try await update in updates {
        rows = update.records.map { post in
          Row(id: post.id, text: post.text ?? "", author: post.user?.name ?? "Unknown")
        }
      }
    } catch {
      problem = "\(error)"
    }
  }

  /// Requests the posts and saves them. If they have changed, `show()` shows them.
  func refresh() async {
    do {
      _ = try await container.request(Post.self, urn: "posts", context: context)
      problem = nil
    } catch {
      problem = "\(error)"
    }
  }
}
