import TestSupport
import Testing

@testable import ScenarioFormat

/// Tests that models with the maximum number of columns have the same results on both stores.
struct WideModelTests {
  struct Width: Sendable, CustomTestStringConvertible {
    var keys = 1
    var attributes = 0
    /// The numbers of to-one relationships without and with an ordered inverse.
    var toOnes = (plain: 0, ordered: 0)

    var testDescription: String { "\(keys) \(attributes) \(toOnes.plain) \(toOnes.ordered)" }
    var columns: Int { keys + attributes + toOnes.plain + 2 * toOnes.ordered }
  }

  static let widths = [
    Width(attributes: 1995), Width(keys: 1001, attributes: 995),
    Width(attributes: 1795, toOnes: (plain: 100, ordered: 50)),
  ]

  @Test(arguments: sampled(widths)) func theWidestModelsEndAlike(width: Width) async throws {
    #expect(width.columns == 1996)
    let suite = try CommandSuite(["wide": Self.scenario(width)])
    #expect(await suite.recordspec("bless").status == 0)
    let outcome = await suite.recordspec("run", "--store", "sqlite")
    #expect(outcome.output == "1 passed, 0 failed, 0 skipped\n")
  }

  @Test(arguments: StoreKind.allCases) func widerOnesAreRefusedOnEveryStore(kind: StoreKind) async throws {
    let suite = try CommandSuite(["wide": Self.scenario(Width(attributes: 1996))])
    let outcome = await suite.recordspec("run", "--store", kind.rawValue)
    #expect(outcome.status == 2)
    #expect(
      outcome.output.contains(
        """
          Scenarios/wide.yaml:4:5: error: 'Post' needs 1997 columns in a store; at most 1996 are allowed [too-many-columns]
              4 |     Post:
                |     ^^^^
        """))
  }

  /// Returns a scenario in which every value changes from one response to the next.
  private static func scenario(_ width: Width) -> String {
    let keys = (0..<width.keys).map { "k\($0)" }
    let attributes = (0..<width.attributes).map { "a\($0)" }
    let plain = (0..<width.toOnes.plain).map { "p\($0)" }
    let ordered = (0..<width.toOnes.ordered).map { "o\($0)" }
    func list(_ names: [String], _ text: (String) -> String) -> String {
      names.map(text).joined(separator: ", ")
    }
    func body(_ version: String) -> String {
      "[{\(list(keys) { "\($0): x" } + ", " + list(attributes + plain + ordered) { "\($0): \(version)" })}]"
    }
    return """
      title: A wide model
      model:
        entities:
          Post:
            primaryKey: [\(list(keys) { $0 })]
            attributes: {\(list(keys + attributes) { "\($0): string" })}
            relationships: {\(list(plain + ordered) { "\($0): {to: User, inverse: \($0)s}" })}
          User:
            primaryKey: id
            attributes: {id: string}
            relationships:
              {\((plain.map { "\($0)s: {toMany: Post, inverse: \($0)}" }
          + ordered.map { "\($0)s: {toMany: Post, inverse: \($0), ordered: true}" }).joined(separator: ", "))}
      responses:
        posts: [{body: \(body("a"))}, {body: \(body("b"))}]
      steps:
        - {request: Post, urn: posts}
        - {request: Post, urn: posts}
        - reopen
        - {fetch: Post, where: k0 == "x", sort: [k0]}
      expect: {graph: {Post: {count: 1}}}
      """
  }
}
