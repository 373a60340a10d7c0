import Testing

@testable import ScenarioFormat

/// Tests for the warning about patterns of ignored keys that match nothing.
struct IgnoredKeyTests {
  private static func text(
    ignores: String, drift: Bool = true,
    body: String = "body: [{id: 1, html_url: a, owner: {node_id: b, x: {y: 1}}}]"
  ) -> String {
    """
    title: Ignored keys
    model:
      entities:
        Post:
          primaryKey: id
          ignores: \(ignores)
          attributes: {id: int32}
    responses: {posts: {\(body)}}
    steps: [{request: Post, urn: posts, options: {drift: \(drift)}}]

    """
  }

  private func warnings(_ text: String) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a.yaml")
    let loaded = folder.load("a.yaml")
    #expect(loaded.scenario != nil)
    return loaded.diagnostics.map { "\($0.severity) \($0.span?.start.column ?? 0) \($0.message)" }
  }

  @Test func aPatternWithoutAKeyIsAWarning() throws {
    let text = Self.text(ignores: #"["*_url", nodeid, "*_uri"]"#)
    #expect(
      try warnings(text) == [
        "warning 26 no key of the responses matches 'nodeid'",
        "warning 34 no key of the responses matches '*_uri'",
      ])
  }

  @Test(arguments: ["*_url", "html_url", "owner.node_id", "node_id", "owner.*", "owner.x.y", "*"])
  func aPatternMayMatchKeysOfAnyItem(pattern: String) throws {
    #expect(try warnings(Self.text(ignores: "[\"\(pattern)\"]")) == [])
  }

  @Test(arguments: [("a.b.c.d.e", true), ("b.c.d.e", true), ("a.b.c.x.e", false)])
  func longPatternsMatchDeepKeys(pattern: String, matches: Bool) throws {
    let text = Self.text(ignores: "[\(pattern)]", body: "body: [{id: 1, a: {b: {c: {d: {e: 1}}}}}]")
    #expect(try warnings(text).isEmpty == matches)
  }

  @Test func bytesAreReadAsJSON() throws {
    let text = Self.text(ignores: "[node_id, other]", body: #"bodyText: '[{"id": 1, "node_id": 2}]'"#)
    #expect(try warnings(text).map { $0.hasSuffix("'other'") } == [true])
  }

  /// `recordspec check` reads the patterns too.
  @Test func patternsAreCheckedWithoutDrift() throws {
    let messages = try warnings(Self.text(ignores: "[nodeid, node_id]", drift: false))
    #expect(messages == ["warning 17 no key of the responses matches 'nodeid'"])
  }

  /// Other scenarios may need the patterns of a model file.
  @Test func modelFilesAreNotChecked() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "entities: {Post: {primaryKey: id, ignores: [nodeid], attributes: {id: int32}}}\n",
      to: "_models/a.model.yaml")
    try folder.write(
      """
      title: Ignored keys
      model: _models/a.model.yaml
      responses: {posts: {body: [{id: 1}]}}
      steps: [{request: Post, urn: posts, options: {drift: true}}]

      """, to: "a.yaml")
    #expect(folder.load("a.yaml").diagnostics.isEmpty)
  }
}
