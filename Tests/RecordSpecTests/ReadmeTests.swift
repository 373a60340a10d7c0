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
