import Foundation
import Logging
import RecordEngine
import Testing

/// What a logger is told. Rule: `diagnostics.levels`.
@Suite struct RequestLogTests {
  typealias Fixture = RequestFixture

  /// Keeps what is logged, one line each.
  // Unchecked: `lines` is read and written under `lock` alone.
  private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }

    func append(_ line: String) { lock.withLock { lines.append(line) } }
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      lines.append(([event.level.rawValue, "\(event.message)"] + values).joined(separator: " "))
    }
  }

  private func lines(_ level: Logger.Level) async throws -> [String] {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines, logLevel: level) }
    let server = TestServer { request in
      switch request.urn {
      case "posts": return ServerResponse(.json(["data": [["id": "1", "text": "a"], nil]]))
      case "more": return ServerResponse(.json(["data": [["id": "1", "text": "b"], ["id": "2"]]]))
      case "gone": throw URLError(.notConnectedToInternet)
      default: return ServerResponse(.bytes([]), status: 404)
      }
    }
    let container = PersistentContainer(model: try Fixture.model(), server: server, logger: logger)
    let context = container.makeContext()
    for urn in ["posts", "more", "missing", "gone"] {
      _ = try? await container.request("Post", urn: urn, context: context)
    }
    return lines.all
  }

  @Test func errorsAreFailures() async throws {
    let lines = try await lines(.error)
    #expect(lines.count == 2)
    #expect(
      lines[0]
        == "error http-status entity=Post reason=the server answered with status 404 response=missing status=404 urn=missing"
    )
    #expect(lines[1].hasPrefix("error the server failed entity=Post reason="))
  }

  @Test func warningsAreDiagnostics() async throws {
    let lines = try await lines(.warning)
    #expect(
      lines.first
        == "warning null-element entity=Post pointer=/data/1 reason=a null among items was left out response=posts"
    )
    #expect(lines.count == 3)
  }

  @Test func requestsAreInformation() async throws {
    let lines = try await lines(.info).filter { $0.hasPrefix("info") }
    #expect(
      lines
        == ["posts", "more", "missing", "gone"].map {
          "info requesting records entity=Post method=GET urn=\($0)"
        })
  }

  @Test func responsesAreForDebugging() async throws {
    let lines = try await lines(.debug).filter { $0.hasPrefix("debug") }
    #expect(
      lines == [
        "debug populated a response deleted=0 diagnostics=1 entity=Post inserted=1 records=1 updated=0 urn=posts",
        "debug populated a response deleted=0 diagnostics=0 entity=Post inserted=1 records=2 updated=1 urn=more",
      ])
  }

  @Test func recordsAreDetails() async throws {
    let lines = try await lines(.trace).filter { $0.hasPrefix("trace") }
    #expect(
      lines == [
        "trace inserted a record entity=Post urn=posts",
        "trace inserted a record entity=Post urn=more",
        "trace updated a record entity=Post properties=[\"text\"] urn=more",
      ])
  }

  @Test func nobodyIsToldWithoutALogger() async throws {
    let container = try Fixture.container(TestServer(["posts": ["data": [nil]]]))
    let result = try await container.request("Post", urn: "posts", context: container.makeContext())
    #expect(result.diagnostics.map(\.code) == [.nullElement])
  }
}
