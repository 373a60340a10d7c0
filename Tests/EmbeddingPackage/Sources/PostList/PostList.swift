#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, *)
  struct PostList: View {
    let feed: PostFeed

    var body: some View {
      List(feed.rows) { row in
        VStack(alignment: .leading) {
          Text(row.text)
          Text(row.author).font(.caption)
        }
      }
      .overlay(alignment: .bottom) { if let problem = feed.problem { Text(problem) } }
      .task { await feed.show() }
      .task { await feed.refresh() }
      .refreshable { await feed.refresh() }
    }
  }
#endif
