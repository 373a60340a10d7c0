import Foundation
import Testing

/// Tests that run the examples of the README, and compare its listings with the files and programs that they show.
struct ReadmeTests {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// `ReadmeScenarioTests` runs it on an app.
  @Test func theScenarioHasNoMistakes() async throws {
    let suite = try CommandSuite(["refresh": try block("yaml")])
    #expect(await suite.recordspec("check", "--strict").status == 0)
  }

  /// `scripts/embed` builds and runs the program, and compares its output with the same file.
  @Test func theProgramIsTheOutsidePackages() throws {
    let program = try file("Tests/EmbeddingPackage/Sources/Blog/main.swift")
    #expect(try program.hasSuffix("\n" + block("swift", number: 3)))
    let landingPage = try Article("RecordEngine/RecordEngine")
    #expect(landingPage.blocks(in: "swift").map(\.text) == [program])
    #expect(landingPage.blocks(in: "text").map(\.text) == [try file("Tests/EmbeddingPackage/Output.txt")])
  }

  /// `scripts/embed` runs both programs, and compares their output with the same file.
  @Test func theProgramsWithAndWithoutGRDBAreTheOutsidePackages() throws {
    let programs = try ["Tracker", "TrackerWithGRDB"].map {
      try file("Tests/EmbeddingPackage/Sources/\($0)/main.swift")
    }
    let article = try Article("RecordEngine/ComingFromOtherLibraries")
    #expect(article.blocks(in: "swift").map(\.text) == programs)
    #expect(article.blocks(in: "text").map(\.text) == [try file("Tests/EmbeddingPackage/Tracker.txt")])
    let lines = programs.map { $0.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }
    #expect(article.text.contains("| lines | \(lines[0]) | \(lines[1]) |"))
  }

  /// `scripts/embed` compiles the files, on Linux without the view.
  @Test func theListOfPostsIsTheOutsidePackages() throws {
    let files = try ["Post", "PostFeed", "PostList"].map {
      try file("Tests/EmbeddingPackage/Sources/PostList/\($0).swift")
    }
    #expect(try Article("RecordEngine/GettingStarted").blocks(in: "swift").map(\.text) == files)
  }

  @Test func thePackageIsAddedAsTheOutsidePackageDoes() throws {
    let manifest = try file("Tests/EmbeddingPackage/Package.swift")
    for line in try block("swift").split(separator: "\n") {
      let shown = line.trimmingCharacters(in: .whitespaces).replacing("\"../RecordSpec\"", with: "\"../..\"")
      #expect(manifest.contains(shown), "\(shown)")
    }
  }

  /// The test in the article is the test of the example app without the app's registrations. That in the README is a part of
  /// another article's test.
  @Test func scenariosAreTestsAsShown() throws {
    let test = try file("Tests/ExampleAppTests/ConformanceTests.swift")
    let articles = try ["TestTargets", "TestYourApp"].map {
      try Article("RecordSpec/\($0)").blocks(in: "swift")
    }
    #expect(articles[0].map(\.text).contains(test.replacing("test(registering: app)", with: "test()")))
    let lines = try block("swift", number: 2).split(separator: "\n")
    let parts = lines.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(articles[1].contains { block in parts.allSatisfy(block.text.contains) })
  }

  /// The README names the libraries of scripts/setup.
  @Test func librariesAreThoseOfTheSetup() throws {
    let readme = try file("README.md")
    let setup = try file("scripts/setup")
    let needed = setup.matches(of: /(?:\|\||&&) echo ([a-z0-9-]+)/).map { String($0.1) }
    #expect(!needed.isEmpty)
    let command = try #require(readme.firstMatch(of: /apt-get install -y ([a-z0-9 -]+)/))
    #expect(command.1.split(separator: " ").map(String.init).sorted() == needed.sorted())
    let brew = try #require(readme.firstMatch(of: /`(brew install [^`]+)`/))
    #expect(setup.contains("Install them with: \(brew.1)\""))
  }

  private func file(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns a code block of the README in the given language, by default the first one.
  private func block(_ kind: String, number: Int = 1) throws -> String {
    let readme = try file("README.md")
    let starts = readme.ranges(of: "\n```\(kind)\n")
    try #require(starts.count >= number, "the README has no block \(number) of \(kind)")
    let start = starts[number - 1]
    let end = try #require(readme[start.upperBound...].range(of: "\n```\n"))
    return String(readme[start.upperBound..<end.lowerBound]) + "\n"
  }
}
