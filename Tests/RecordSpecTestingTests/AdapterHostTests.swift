import Foundation
import RecordSpecTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An app with notes, which are stored in a JSON file.
private final class Notes {
  struct Note: Codable {
    var id: Int
    var text: String?
    var seenAt: Date?
  }

  private let file: URL
  private let baseURL: URL
  private let load: @Sendable (URLRequest) async throws -> (Data, URLResponse)
  private(set) var notes: [Note] = []
  var now: Date

  init(_ context: AdapterContext, usesSession: Bool) throws {
    file = context.folder.appendingPathComponent("notes.json")
    (baseURL, now) = (context.baseURL, context.now)
    let (session, send) = (context.session, context.send)
    if usesSession {
      load = { try await session.data(for: $0) }
    } else {
      load = { try await send($0) }
    }
    if let data = try? Data(contentsOf: file) { notes = try JSONDecoder().decode([Note].self, from: data) }
  }

  struct HTTPError: Error { let status: Int }

  private func request(
    _ path: String, method: String = "GET", body: Data? = nil, type: String = "application/json"
  ) async throws -> [Note] {
    var request = URLRequest(url: baseURL.appendingPathComponent(path))
    (request.httpMethod, request.httpBody) = (method, body)
    if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    let (data, response) = try await load(request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw HTTPError(status: status) }
    return try JSONDecoder().decode([Note].self, from: data)
  }

  func refresh(_ path: String = "notes") async throws { try store(try await request(path)) }

  func add(_ text: String) async throws {
    let body = try JSONEncoder().encode(["text": text])
    try store(notes + (try await request("notes", method: "POST", body: body)))
  }

  func upload(_ file: Data) async throws {
    _ = try await request("files", method: "POST", body: file, type: "application/octet-stream")
  }

  func refreshTwice() async throws {
    let (load, urls) = (load, ["notes", "more"].map { baseURL.appendingPathComponent($0) })
    async let first = load(URLRequest(url: urls[0]))
    async let second = load(URLRequest(url: urls[1]))
    try store(try await [first, second].flatMap { try JSONDecoder().decode([Note].self, from: $0.0) })
  }

  private func store(_ notes: [Note]) throws {
    self.notes = notes.map { Note(id: $0.id, text: $0.text, seenAt: now) }
    try JSONEncoder().encode(self.notes).write(to: file)
  }
}

/// The part that the adapters of both transports share.
private protocol NotesAdapter: ScenarioAdapter {
  var context: AdapterContext { get }
  var app: Notes { get set }
  static var usesSession: Bool { get }
}

extension NotesAdapter {
  var actions: [String: AdapterAction<Self>] {
    [
      "refresh": .init { try await $0.app.refresh() },
      "follow": .init { try await $0.app.refresh("old") },
      "add": .init(with: NewNote.self) { try await $0.app.add($1.text) },
      "refreshTwice": .init { try await $0.app.refreshTwice() },
      "upload": .init { try await $0.app.upload(Data([0xff, 0, 1])) },
    ]
  }

  func dump() throws -> StoreDump {
    var dump = StoreDump()
    try dump.add("note", app.notes)
    return dump
  }

  func advance(to now: Date) { app.now = now }
}

private struct SessionAdapter: NotesAdapter {
  static let usesSession = true
  let context: AdapterContext
  var app: Notes

  init(_ context: AdapterContext) throws {
    self.context = context
    app = try Notes(context, usesSession: true)
  }
}

private struct ClosureAdapter: NotesAdapter {
  static let usesSession = false
  let context: AdapterContext
  var app: Notes

  init(_ context: AdapterContext) throws {
    self.context = context
    app = try Notes(context, usesSession: false)
  }
}

private struct NewNote: Decodable { let text: String }

/// An adapter without the optional methods, whose store is never empty.
private struct PoorAdapter: ScenarioAdapter {
  init(_ context: AdapterContext) {}
  var actions: [String: AdapterAction<Self>] {
    ["refresh": .init { _ in throw AdapterError("there is no app") }]
  }
  func dump() throws -> StoreDump {
    var dump = StoreDump()
    try dump.add("note", [Notes.Note]())
    return dump
  }
}

/// An adapter that sends requests without awaiting them, and whose dump names a missing file in some scenarios.
private struct CarelessAdapter: ScenarioAdapter {
  private let context: AdapterContext
  /// The requests that are not awaited.
  static let requests = Requests()

  final class Requests: @unchecked Sendable {
    private let lock = NSLock()
    private var tasks: [Task<(any Error)?, Never>] = []
    func add(_ task: Task<(any Error)?, Never>) { lock.withLock { tasks.append(task) } }
    var all: [Task<(any Error)?, Never>] { lock.withLock { tasks } }
  }

  init(_ context: AdapterContext) { self.context = context }

  var actions: [String: AdapterAction<Self>] {
    [
      "forget": .init { adapter in
        let (session, url) = (
          adapter.context.session, adapter.context.baseURL.appendingPathComponent("notes")
        )
        Self.requests.add(
          Task {
            do {
              for _ in 0..<1000 {
                _ = try await session.data(from: url)
                try await Task.sleep(for: .milliseconds(1))
              }
              return nil
            } catch {
              return error
            }
          })
      },
      "nothing": .init { _ in },
    ]
  }

  func dump() throws -> StoreDump {
    if context.scenario == "missing" {
      return StoreDump(sqlite: context.folder.appendingPathComponent("missing.sqlite"))
    }
    var dump = StoreDump()
    try dump.add("note", [Notes.Note]())
    return dump
  }
}

/// Tests for scenarios that run an app in the process of the tests.
struct AdapterHostTests {
  private static let scenario = """
    title: Notes
    tables: {note: id}
    responses:
      notes:
        - {body: [{id: 1, text: a}]}
        - {status: 503}
        - {error: timeout}
      old: {status: 302, headers: {Location: new}}
      new: {body: [{id: 2}]}
      POST notes: {when: {json: {text: Milk}}, body: [{id: 3, text: Milk}]}
    steps:
      - call: refresh
        expect: {inserted: [note/1], requests: [notes]}
      - call: refresh
        expect: {failure: {}}
      - call: refresh
        expect: {failure: {}}
      - reopen
      - advance: 1h
      - call: follow
        expect: {inserted: [note/2], deleted: [note/1], requests: [old, new]}
      - call: add
        with: {text: Milk}
        expect: {inserted: [note/3], requests: [{address: POST notes, json: {text: Milk}, headers: {Content-Type: application/json}}]}
    expect:
      graph:
        note: {only: [{id: 2, text: null, seenAt: "2000-01-01T01:00:00Z"}, {id: 3, text: Milk}]}
    """

  private static func kind<Adapter: ScenarioAdapter>(
    of text: String, on adapter: Adapter.Type, named name: String = "a"
  ) async throws -> (ScenarioTest.Failure.Kind?, String) {
    let folder = try Folder(["\(name).yaml": text])
    let test = try folder.first()
    do {
      try await test.check(adapter: adapter)
      return (nil, "")
    } catch {
      return (error.kind, error.description)
    }
  }

  // Without a golden file, everything but the file is as expected.

  @Test func aSessionIsAnsweredByTheScenario() async throws {
    let (kind, text) = try await Self.kind(of: Self.scenario, on: SessionAdapter.self)
    #expect(kind == .new, "\(text)")
  }

  @Test func aTransportClosureIsAnsweredByTheScenario() async throws {
    let (kind, text) = try await Self.kind(of: Self.scenario, on: ClosureAdapter.self)
    #expect(kind == .new, "\(text)")
  }

  @Test func sessionsOfScenariosAtTheSameTimeAreApart() async throws {
    let texts = (1...24).map { number in
      """
      title: Notes
      tables: {note: id}
      responses: {notes: {body: [{id: \(number)}], delay: 1s}, more: {body: [{id: \(number + 100)}]}}
      steps: [{call: refreshTwice}]
      expect: {graph: {note: {only: [{id: \(number)}, {id: \(number + 100)}]}}}
      """
    }
    await withTaskGroup { group in
      for text in texts {
        group.addTask {
          let result = try? await Self.kind(of: text, on: SessionAdapter.self)
          #expect(result?.0 == .new, "\(result?.1 ?? "")")
        }
      }
    }
  }

  @Test func anErrorOfTheAdapterIsNoFailureOfTheApp() async throws {
    let call = "title: A\ntables: {note: id}\nsteps: [{call: refresh, expect: {failure: {}}}]"
    let (kind, text) = try await Self.kind(of: call, on: PoorAdapter.self)
    #expect(kind == .broken)
    #expect(text.contains("the adapter failed in the action 'refresh': there is no app"))
    let advance = "title: A\ntables: {note: id}\nsteps: [advance: 1s]"
    let (_, other) = try await Self.kind(of: advance, on: PoorAdapter.self)
    #expect(other.contains("the adapter does not support 'advance': it has no method 'advance(to:)'"))
    let unknown = "title: A\ntables: {note: id}\nsteps: [{call: refesh}]"
    let (_, third) = try await Self.kind(of: unknown, on: SessionAdapter.self)
    #expect(third.contains("the adapter has no action 'refesh'") && third.contains("did you mean 'refresh'?"))
    let wrong = "title: A\ntables: {note: id}\nsteps: [{call: add, with: [1]}]"
    let (fourth, message) = try await Self.kind(of: wrong, on: SessionAdapter.self)
    #expect(fourth == .broken)
    #expect(message.contains("'with' is not a value of the type Dictionary<String, Any>"))
    #expect(message.contains("    3 | steps: [{call: add, with: [1]}]\n"), "\(message)")
    let lacking = "title: A\ntables: {note: id}\nsteps: [{call: add, with: {txt: a}}]"
    let (_, fifth) = try await Self.kind(of: lacking, on: SessionAdapter.self)
    #expect(fifth.contains("the action 'add' has other arguments: 'with' has no 'text'\n"), "\(fifth)")
    #expect(fifth.contains("  correct 'with', or the arguments of the action in the adapter"))
    let without = "title: A\ntables: {note: id}\nsteps: [{call: add}]"
    let (_, sixth) = try await Self.kind(of: without, on: SessionAdapter.self)
    #expect(sixth.contains("the action 'add' has other arguments: the step has no 'with'\n"), "\(sixth)")
  }

  @Test(arguments: ["{page: 3}", "{}", "null", "1"])
  func argumentsOfAnActionWithoutArgumentsBreakTheScenario(arguments: String) async throws {
    let text = "title: A\ntables: {note: id}\nsteps: [{call: nothing, with: \(arguments)}]"
    let (kind, message) = try await Self.kind(of: text, on: CarelessAdapter.self)
    #expect(kind == .broken)
    #expect(message.contains("the action 'nothing' has no arguments, and the step has 'with'"), "\(message)")
  }

  /// Such a request must not end the process, which runs all other tests.
  @Test func aRequestThatIsNotAwaitedIsCanceled() async throws {
    let text = """
      title: A
      tables: {note: id}
      responses: {notes: {body: [], repeat: true, optional: true}}
      steps: [{call: forget}]
      """
    try await withThrowingTaskGroup { group in
      for _ in 0..<30 {
        group.addTask {
          // A request can arrive before the action returns, or before the scenario ends.
          let (kind, message) = try await Self.kind(of: text, on: CarelessAdapter.self)
          #expect(kind == .new || kind == .failed, "\(message)")
        }
      }
      try await group.waitForAll()
    }
    for request in CarelessAdapter.requests.all {
      #expect((await request.value as? URLError)?.code == .cancelled)
    }
    #expect(CarelessAdapter.requests.all.count == 30)
  }

  @Test func aDumpThatNamesNoFileIsReportedAsText() async throws {
    let text = "title: A\ntables: {note: id}\nsteps: [{call: nothing}]"
    let (kind, message) = try await Self.kind(of: text, on: CarelessAdapter.self, named: "missing")
    #expect(kind == .broken)
    #expect(
      message.contains(
        "missing.sqlite', and there is no such file\n  return the full path of the store's file"),
      "\(message)")
  }

  /// Headers and bodies that an author states are compared, whatever the HTTP client adds.
  @Test(arguments: [
    ("{address: POST files, data: /wAB}", true), ("{address: POST files, data: /wAC}", false),
    ("POST files", false), ("{address: POST files, json: [255]}", false),
    ("{address: POST files, data: /wAB, headers: {content-type: application/octet-stream}}", true),
    ("{address: POST files, data: /wAB, headers: {Content-Type: image/png}}", false),
    ("{address: POST files, data: /wAB, headers: {Content-Type: null}}", false),
    ("{address: POST files, data: /wAB, headers: {Authorization: null}}", true),
  ])
  func bodiesAndStatedHeadersAreCompared(request: String, isMet: Bool) async throws {
    let text = """
      title: A
      tables: {note: id}
      responses: {POST files: {body: []}}
      steps: [{call: upload, expect: {requests: [\(request)]}}]
      """
    for isSession in [true, false] {
      let (kind, message) =
        isSession
        ? try await Self.kind(of: text, on: SessionAdapter.self)
        : try await Self.kind(of: text, on: ClosureAdapter.self)
      #expect(kind == (isMet ? .new : .failed), "\(message)")
    }
  }

  @Test func withoutAnAdapterAScenarioOfAnAppDoesNotPass() async throws {
    let folder = try Folder(["a.yaml": Self.scenario])
    let test = try folder.first()
    let failure = await #expect(throws: ScenarioTest.Failure.self) { try await test.check() }
    #expect(failure?.kind == .broken)
    #expect(failure?.description.contains("write 'await scenario.test(adapter: …)'") == true)
  }

  @Test func aWrongRowIsReportedAtItsLine() async throws {
    let text = """
      title: A
      tables: {note: id}
      responses: {notes: {body: [{id: 1, text: a}]}}
      steps: [{call: refresh}]
      expect:
        graph:
          note: [{id: 1, text: b}]
      """
    let folder = try Folder(["a.yaml": text])
    let test = try folder.first()
    let failure = await #expect(throws: ScenarioTest.Failure.self) {
      try await test.check(adapter: ClosureAdapter.self)
    }
    #expect(failure?.line == 7)
    #expect(failure?.kind == .failed)
  }
}

/// A folder of scenarios, which is removed with the last reference to it.
final class Folder: Sendable {
  private let root: URL

  init(_ files: [String: String]) throws {
    root = FileManager.default.temporaryDirectory.appending(path: "AdapterHostTests-\(UUID())")
    let scenarios = root.appending(path: "Scenarios")
    try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(to: scenarios.appending(path: name), atomically: true, encoding: .utf8)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func first() throws -> ScenarioTest {
    let tests = try Scenarios(in: root.appending(path: "Scenarios"))
    return try #require(tests.first)
  }
}
