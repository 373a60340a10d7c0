import Foundation
import RecordEngine
import Testing

/// Who judges diagnostics. Rule: `diagnostics.replace`.
@Suite struct DebuggerTests {
  typealias Fixture = RequestFixture

  /// Remembers what it was asked about.
  // Unchecked: `asked` is read and written under `lock` alone.
  private final class AskedDebugger: Debugger, @unchecked Sendable {
    private let lock = NSLock()
    private var asked: [DiagnosticCode] = []

    var codes: [DiagnosticCode] { lock.withLock { asked } }

    func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity {
      lock.withLock { asked.append(diagnostic.code) }
      return .ignored
    }
  }

  private static let items: JSONValue = ["data": [["text": "no key"], nil, ["id": "1", "user": true]]]

  @Test func theContainersDebuggerJudgesWhatHasNoneOfItsOwn() async throws {
    let server = TestServer(["posts": Self.items])
    let container = PersistentContainer(
      model: try Fixture.model(), server: server, debugger: CodeDebugger(failOn: [.missingPrimaryKey]))
    let context = container.makeContext()
    #expect(
      await Fixture.code { _ = try await container.request("Post", urn: "posts", context: context) }
        == .missingPrimaryKey)
    var options = RequestOptions()
    options.debugger = CodeDebugger(ignore: [.nullElement])
    let result = try await container.request("Post", urn: "posts", options: options, context: context)
    #expect(result.diagnostics.map(\.code) == [.valueType, .missingPrimaryKey])
    #expect(result.records.count == 2)
  }

  @Test func eachDiagnosticIsAskedAboutOnceAndFailuresAreNot() async throws {
    let debugger = AskedDebugger()
    let server = TestServer { request in
      ServerResponse(request.urn == "posts" ? .json(Self.items) : .bytes(Array("{".utf8)))
    }
    let container = PersistentContainer(model: try Fixture.model(), server: server, debugger: debugger)
    let context = container.makeContext()
    let result = try await container.request("Post", urn: "posts", context: context)
    #expect(result.diagnostics == [])
    #expect(debugger.codes == [.nullElement, .valueType, .missingPrimaryKey])
    #expect(
      await Fixture.code { _ = try await container.request("Post", urn: "broken", context: context) }
        == .invalidResponseFormat)
    #expect(debugger.codes.count == 3)
  }

  @Test func nothingIsSavedWhereADiagnosticIsAFailure() async throws {
    let container = PersistentContainer(
      model: try Fixture.model(), server: TestServer(["posts": Self.items]),
      debugger: CodeDebugger(failOn: [.nullElement]))
    let context = container.makeContext()
    for persists in [true, false] {
      var options = RequestOptions()
      options.automaticallyPersistsRecords = persists
      #expect(
        await Fixture.code {
          _ = try await container.request("Post", urn: "posts", options: options, context: context)
        } == .nullElement)
      #expect(!context.hasChanges)
    }
    #expect(try container.makeContext().fetch(RecordFetchRequest("Post")).isEmpty)
  }
}
