import TestSupport
import Testing

@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests that requests that wait for each other always have the same results, regardless of the load of the machine.
@Suite struct ConcurrentScenarioTests {
  private static let model = """
    title: At once
    model:
      entities:
        Post: {primaryKey: id, responseKeyPath: posts, cache: true, attributes: {id: int64}}

    """

  private static let steps = [
    "several requests wait for a canceled one": """
    responses:
      a: {headers: {Cache-Control: max-age=60}, body: {posts: [{id: 1}]}, repeat: true}
      b: {headers: {Cache-Control: max-age=60}, body: {posts: [{id: 2}]}, repeat: true}
    steps:
      - {request: Post, urn: b, as: r1, options: {domain: list}}
      - {request: Post, urn: a, as: r2, options: {domain: list}}
      - {request: Post, urn: a, as: r3}
      - {request: Post, urn: b, as: r4}
      - {request: Post, urn: a, as: r5}
      - cancel: list
      - fetch: Post
      - {await: r1, expect: {failure: cancelled}}
      - {await: r2, expect: {failure: cancelled}}
      - {await: r5, expect: {served: cache}}
      - {await: r3, expect: {served: network}}
      - {await: r4, expect: {served: network}}
    """,
    "several requests wait for one that is not cached": """
    responses:
      a:
        - {headers: {Cache-Control: no-store}, body: {posts: [{id: 1}]}}
        - {error: offline}
        - {headers: {Cache-Control: max-age=60}, body: {posts: [{id: 3}]}}
        - {headers: {Cache-Control: no-store}, body: {posts: [{id: 4}]}}
    steps:
      - {request: Post, urn: a, as: r1}
      - {request: Post, urn: a, as: r2}
      - {request: Post, urn: a, as: r3}
      - {request: Post, urn: a, expect: {records: [Post/4]}}
      - {await: r3, expect: {records: [Post/3]}}
      - {await: r2, expect: {failure: offline}}
      - {await: r1, expect: {records: [Post/1]}}
    """,
    "a request ends when the clock advances": """
    responses:
      a: {error: offline, delay: 1s, repeat: true}
    steps:
      - {request: Post, urn: a, as: r1}
      - {request: Post, urn: a, as: r2}
      - {request: Post, urn: a, as: r3}
      - advance: 1s
      - advance: 3s
      - fetch: Post
      - {await: r2, expect: {failure: offline}}
      - {await: r3, expect: {failure: offline}}
      - {await: r1, expect: {failure: offline}}
    """,
    "a batch waits for in-flight requests": """
    responses:
      a: {headers: {Cache-Control: max-age=0}, body: {posts: [{id: 1}]}, delay: 1s, repeat: true}
      b: {headers: {Cache-Control: max-age=0}, body: {posts: [{id: 2}]}, repeat: true}
      c: {headers: {Cache-Control: no-store}, body: {posts: [{id: 3}]}, delay: 2s, repeat: true}
    steps:
      - {request: Post, urn: c, as: r1}
      - {request: Post, urn: a, as: r2}
      - {request: Post, urn: a, as: r3}
      - batch:
          - {request: Post, urn: a}
          - {request: Post, urn: b}
          - {request: Post, urn: c}
          - {request: Post, urn: a}
      - fetch: Post
      - {await: r3}
      - {await: r2}
      - {await: r1}
    """,
  ]

  @Test(.timeLimit(.minutes(20)), arguments: sampled(steps.keys.sorted()))
  func theSameComesOfThemEachTime(name: String) async throws {
    let suite = try CommandSuite(["a": Self.model + (Self.steps[name] ?? "") + "\n"])
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let scenario = try #require(suite.folder.load("Scenarios/a.yaml").scenario)
    let expected = await ScenarioExecution.execute(scenario, on: .memory)
    #expect(expected.breakage == nil && expected.findings.isEmpty)
    for _ in 0..<20 {
      await withTaskGroup(of: ExecutedScenario.self) { group in
        for _ in 0..<8 { group.addTask { await ScenarioExecution.execute(scenario, on: .memory) } }
        for await executed in group {
          #expect(executed.snapshot == expected.snapshot)
          #expect(executed.graphs == expected.graphs)
          #expect(executed.findings.isEmpty)
        }
      }
    }
  }
}
