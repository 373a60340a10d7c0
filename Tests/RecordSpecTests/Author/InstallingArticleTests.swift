import Foundation
import Testing

/// Tests for the article about installing.
struct InstallingArticleTests {
  /// `scripts/bazel` runs the workspace that the article shows.
  @Test func theFilesForBazelAreThoseOfTheExample() throws {
    let article = try Article("RecordSpec/Installing")
    let blocks = article.blocks(in: "python").map(\.text)
    let workspace = try file("WORKSPACE")
    #expect(blocks.count == 2)
    #expect(blocks.first.map(workspace.hasSuffix) == true)
    #expect(blocks.last.map(try file("BUILD.bazel").hasPrefix) == true)
    let settings = try #require(article.blocks.first { $0.text.contains("--remote_executor") })
    #expect(settings.text == (try file(".bazelrc")))
  }

  private func file(_ name: String) throws -> String {
    let example = URL(filePath: #filePath).appending(path: "../../../Bazel/Example").standardized
    return try String(contentsOf: example.appending(path: name), encoding: .utf8)
  }
}
