import Foundation
import RecordEngine
import Testing

/// Tests for debuggers, which determine the severity of diagnostics. Rule: `diagnostics.replace`.
@Suite struct DebuggerTests {
  typealias Fixture = RequestFixture

  /// A debugger that records the diagnostics that it is called for.
  // Unchecked: `asked` is accessed only under `lock`.
  private final class AskedDebugger: Debugger, @unchecked Sendable {
    private let lock = NSLock()
    private var asked: [DiagnosticCode] = []
    private let severity: @Sendable (DiagnosticCode) -> DiagnosticSeverity

    init(_ severity: @escaping @Sendable (DiagnosticCode) -> DiagnosticSeverity = { _ in .ignored }) {
      self.severity = severity
    }

    var codes: [DiagnosticCode] { lock.withLock { asked } }

    func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity {
      lock.withLock { asked.append(diagnostic.code) }
      return severity(diagnostic.code)
    }
  }

  private static let items: JSONValue = ["data": [["text": "no key"], nil, ["id": "1", "user": true]]]

  @Test func theContainersDebuggerJudgesWhatHasNoneOfItsOwn() async throws {
    let server = TestServer(["posts": Self.items])
    let container = try PersistentContainer(
      model: try Fixture.model(),
      configuration: .init(server: server, debugger: CodeDebugger(failOn: [.missingPrimaryKey])))
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
    let container = try PersistentContainer(
      model: try Fixture.model(), configuration: .init(server: server, debugger: debugger))
    let context = container.makeContext()
    let result = try await container.request("Post", urn: "posts", context: context)
    #expect(result.diagnostics == [])
    #expect(debugger.codes == [.nullElement, .valueType, .missingPrimaryKey])
    #expect(
      await Fixture.code { _ = try await container.request("Post", urn: "broken", context: context) }
        == .invalidResponseFormat)
    #expect(debugger.codes.count == 3)
  }

  /// If the save fails, the debugger has already evaluated the earlier diagnostics.
  @Test func aFailedSaveAsksNoMore() async throws {
    let debugger = AskedDebugger { $0 == .nullElement ? .ignored : .warning }
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Item", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("price", .decimal, isOptional: false),
          AttributeDescription("size", .int32),
        ])
    ])
    let container = try PersistentContainer(
      model: model,
      configuration: .init(
        server: TestServer(["items": [["id": "1", "size": "big"], nil]]), debugger: debugger))
    for isDryRun in [false, true] {
      var options = RequestOptions()
      options.isDryRun = isDryRun
      let context = container.makeContext()
      let failure = await Fixture.failure { [options] in
        _ = try await container.request("Item", urn: "items", options: options, context: context)
      }
      #expect(failure?.diagnostics.map(\.code) == [.valueType, .saveError])
      #expect(failure?.primary.code == .saveError)
      #expect(failure?.recordDictionary?["id"]?.string == "1")
    }
    #expect(debugger.codes == [.nullElement, .valueType, .nullElement, .valueType])
  }

  /// An invalid orphan scope fails the request. The earlier diagnostics are evaluated as usual.
  @Test func whatWasNoticedBeforeAScopeFailsIsJudged() async throws {
    let debugger = AskedDebugger { _ in .ignored }
    let server = TestServer(["posts": ["data": [["id": "1", "user": true]]]])
    let container = try PersistentContainer(
      model: try Fixture.model(), configuration: .init(server: server, debugger: debugger))
    var options = RequestOptions()
    options.orphans = OrphanDeletion(scope: .response { _ in "nothing == 1" })
    let failure = await Fixture.failure { [options] in
      _ = try await container.request(
        "Post", urn: "posts", options: options, context: container.makeContext())
    }
    #expect(failure?.primary.code == .invalidEntity)
    #expect(failure?.diagnostics.count == 1)
    #expect(debugger.codes == [.valueType])
  }

  @Test func nothingIsSavedWhereADiagnosticIsAFailure() async throws {
    let container = try PersistentContainer(
      model: try Fixture.model(),
      configuration: .init(
        server: TestServer(["posts": Self.items]), debugger: CodeDebugger(failOn: [.nullElement])))
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
