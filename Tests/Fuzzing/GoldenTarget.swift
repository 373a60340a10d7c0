import JSONTree
import RecordModel

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

/// Golden files: they are refused with diagnostics, or read and compared with the result of one scenario.
struct GoldenTarget: FuzzTarget {
  private let scenario: Scenario
  private let snapshot: ScenarioSnapshot

  /// The scenario whose golden file is the first seed of the corpus.
  private static let text = """
    title: A blog
    model:
      entities:
        Post:
          primaryKey: id
          attributes: {id: string, text: string, likes: int64, date: date, extra: transformable}
          relationships: {user: {to: User, inverse: posts}, tags: {toMany: Tag, ordered: true}}
        User: {primaryKey: id, attributes: {id: string}, relationships: {posts: {toMany: Post, inverse: user}}}
        Tag: {attributes: {text: string}}
    responses:
      posts:
        body:
          - {id: "1", text: Hello, likes: 7, date: 2000-01-01, extra: {k: [1]}, user: {id: a}, tags: [{text: x}, {text: y}]}
          - {id: "2", likes: many, user: a, tags: [{text: x}], surplus: 1}
    steps:
      - request: Post
        urn: posts
      - change: {update: {Post/1: {text: null}}}
      - save
    """

  init() throws {
    let loaded = try ScenarioReading().load(Array(Self.text.utf8))
    guard let scenario = loaded.scenario else {
      fatalError("the scenario is wrong: \(DiagnosticRenderer().text(of: loaded.diagnostics))")
    }
    self.scenario = scenario
    snapshot = RunTarget.execute(scenario, on: .memory).snapshot
    let written = snapshot.goldenForm.canonicalText()
    expect(
      differences(Array(written.utf8))?.isEmpty == true, "the golden file differs from what it was made of")
  }

  func check(_ input: [UInt8]) {
    if let differences = differences(input) { DiagnosticsOracle.check(differences) }
  }

  /// Returns the differences; nil if the file is refused.
  private func differences(_ bytes: [UInt8]) -> Differences? {
    do {
      let recorded = try GoldenReader.read(bytes, path: "golden")
      return GoldenDiff.differences(
        recorded: recorded, actual: snapshot, model: scenario.model.schema, path: "golden")
    } catch {
      expect(!error.diagnostics.isEmpty, "the file is refused without a reason")
      DiagnosticsOracle.check(error.diagnostics, sizes: ["golden": bytes.count])
      return nil
    }
  }
}
