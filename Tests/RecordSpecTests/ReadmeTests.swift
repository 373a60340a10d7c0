import Foundation
import Testing

@testable import RecordSpec

/// What the README shows is what is there and what comes out.
struct ReadmeTests {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func theScenarioIsTheSuitesOwn() throws {
    #expect(try block("yaml") == file("Scenarios/identity/attribute-key.yaml"))
    #expect(try block("json") == file("Golden/identity/attribute-key.json"))
  }

  @Test func theScenarioFailsAsShown() async throws {
    let name = "identity/attribute-key"
    let changed = try block("yaml").replacing(
      "text: Again, user: {id: \"7\"", with: "text: Again, user: {id: \"8\"")
    let suite = try CommandSuite([name: changed])
    try suite.folder.write(block("json"), to: "Golden/\(name).json")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(outcome.output == (try block("text")))
  }

  @Test func theScenarioIsBlessedAsShown() async throws {
    let name = "identity/attribute-key"
    let suite = try CommandSuite([name: try block("yaml")])
    #expect(await suite.recordspec("bless", name).status == 0)
    #expect(try suite.folder.read("Golden/\(name).json") == block("json"))
    #expect(await suite.recordspec("run").status == 0)
  }

  @Test func theXcodeModelIsTakenAsShown() async throws {
    let model = try block("yaml", number: 2)
    let suite = try CommandSuite([
      "posts": "title: Posts of an Xcode model\n" + model + """
        responses: {posts: {body: {data: [{id: "1", body: Hello}]}}}
        steps: [{request: Post, urn: posts}]
        expect: {graph: {Post: {only: [{id: "1", text: Hello}]}}}
        """
    ])
    try suite.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Post" representedClassName="Post">
          <attribute name="id" optional="YES" attributeType="String"/>
          <attribute name="text" optional="YES" attributeType="String"/>
          <userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value="id"/></userInfo>
        </entity>
      </model>
      """, to: "Scenarios/App.xcdatamodeld/App.xcdatamodel/contents")
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test func theCachedResponseAnswersAsShown() async throws {
    let scenario = try block("yaml", number: 3)
    #expect(try scenario == file("Scenarios/cache/hit.yaml"))
    let suite = try CommandSuite(["cache/hit": scenario])
    #expect(await suite.recordspec("bless", "cache/hit").status == 0)
    #expect(try suite.folder.read("Golden/cache/hit.json").contains(block("json", number: 2)))
  }

  /// scripts/embed builds and runs the program, and compares what it prints with the same file.
  @Test func theProgramIsTheOutsidePackages() throws {
    let program = try file("Tests/EmbeddingPackage/Sources/Blog/main.swift")
    let output = try file("Tests/EmbeddingPackage/Output.txt")
    #expect(try block("swift", number: 2) == program)
    #expect(try block("text", number: 2) == output)
    #expect(
      try block("json", number: 3) == file("Tests/EmbeddingPackage/Sources/Blog/Responses/Posts.json"))
    let landingPage = try Article("RecordEngine/RecordEngine")
    #expect(landingPage.blocks(in: "swift").map(\.text) == [program])
    #expect(landingPage.blocks(in: "text").map(\.text) == [output])
  }

  @Test func thePackageIsAddedAsTheOutsidePackageDoes() throws {
    let manifest = try file("Tests/EmbeddingPackage/Package.swift")
    for line in try block("swift", number: 3).split(separator: "\n") {
      let shown = line.trimmingCharacters(in: .whitespaces).replacing("\"../RecordSpec\"", with: "\"../..\"")
      #expect(manifest.contains(shown), "\(shown)")
    }
  }

  /// The test of the README is the one of the example app, but for what that brings of its own.
  @Test func scenariosAreTestsAsShown() throws {
    let test = try file("Tests/ExampleAppTests/ConformanceTests.swift")
    #expect(try block("swift") == test.replacing("check(registering: app)", with: "check()"))
  }

  /// In CI people install by hand what scripts/setup installs.
  @Test func continuousIntegrationInstallsWhatIsNeeded() throws {
    let workflow = try block("yaml", number: 4)
    #expect(try Article("RecordSpec/TestTargets").blocks(in: "yaml").map(\.text).contains(workflow))
    let command = try #require(workflow.firstMatch(of: /apt-get install -y (.*)/))
    let needed = try file("scripts/setup").matches(of: /(?:\|\||&&) echo ([a-z0-9-]+)/).map { String($0.1) }
    #expect(!needed.isEmpty)
    #expect(command.1.split(separator: " ").map(String.init).sorted() == needed.sorted())
  }

  @Test func stepsAreAllNamed() throws {
    let readme = try file("README.md")
    let sentence = try #require(readme.firstMatch(of: /A scenario can have several steps[^.]*\./))
    let named = sentence.0.matches(of: /`([A-Za-z]+)`/).map { String($0.1) }.filter { $0 != "expect" }
    #expect(named.sorted() == StepReader.names.sorted())
  }

  @Test func linksLeadSomewhere() throws {
    for link in try file("README.md").matches(of: /\]\(([^)#]+)\)/) where !link.1.hasPrefix("http") {
      #expect(FileManager.default.fileExists(atPath: root.appending(path: String(link.1)).path), "\(link.1)")
    }
  }

  private func file(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// A block of a kind in the README, the first one unless another number is given.
  private func block(_ kind: String, number: Int = 1) throws -> String {
    let readme = try file("README.md")
    let starts = readme.ranges(of: "\n```\(kind)\n")
    try #require(starts.count >= number, "the README has no block \(number) of \(kind)")
    let start = starts[number - 1]
    let end = try #require(readme[start.upperBound...].range(of: "\n```\n"))
    return String(readme[start.upperBound..<end.lowerBound]) + "\n"
  }
}
