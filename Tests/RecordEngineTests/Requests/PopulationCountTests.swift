import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that a response is populated once for each state of its context. Rules: `context.conflict`, `save.child`,
/// `save.concurrent`.
@Suite struct PopulationCountTests {
  /// The number of calls of a hook for the item of a response.
  // Unchecked: `count` is accessed only under `lock`.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }
    func increase() { lock.withLock { count += 1 } }
  }

  /// The unsaved changes of a context before the request.
  enum Unsaved: CaseIterable {
    case none, edit, response, both
  }

  /// A request in a context with this number of parents.
  struct Case: CustomTestStringConvertible, Sendable {
    var depth: Int
    var unsaved: Unsaved
    var isSaved: Bool
    var isDryRun: Bool

    var testDescription: String {
      "\(isSaved ? "saved" : "unsaved")\(isDryRun ? " dry run" : "") in context \(depth), unsaved: \(unsaved)"
    }
  }

  static let cases = (0...2).flatMap { depth in
    Unsaved.allCases.flatMap { unsaved in
      [true, false].flatMap { isSaved in
        [true, false].map { Case(depth: depth, unsaved: unsaved, isSaved: isSaved, isDryRun: $0) }
      }
    }
  }

  private let server = NextResponse()
  private let container: PersistentContainer

  init() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)])
    ])
    container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema), configuration: .init(server: server))
  }

  private func options(_ value: Case, _ counter: Counter) -> RequestOptions {
    var options = RequestOptions()
    options.automaticallyPersistsRecords = value.isSaved
    options.isDryRun = value.isDryRun
    options.prePopulation = { _ in
      counter.increase()
      return nil
    }
    return options
  }

  /// Leaves changes unsaved in each context.
  private func change(_ contexts: [ManagedObjectContext], _ unsaved: Unsaved) async throws {
    for (index, context) in contexts.enumerated() {
      if unsaved == .response || unsaved == .both {
        try await server.request(
          "Post", [["id": "1", "text": "unsaved"], ["id": .string("new \(index)")]], from: container, context,
          isSaved: false)
      }
      guard unsaved == .edit || unsaved == .both else { continue }
      try context.insert("Post")["id"] = "inserted \(index)"
      for post in try context.fetch(RecordFetchRequest("Post")) { post["text"] = "edited" }
    }
  }

  @Test(arguments: cases) func aResponseIsPopulatedOnce(value: Case) async throws {
    var contexts = [container.makeContext()]
    try await server.request(
      "Post", [["id": "1", "text": "stored"]], from: container, contexts[0], isSaved: true)
    for _ in 0..<value.depth { contexts.append(contexts[contexts.count - 1].makeChild()) }
    try await change(contexts, value.unsaved)
    let counter = Counter()
    server.set([["id": "1", "text": "new"]])
    _ = try await container.request(
      "Post", urn: "next", options: options(value, counter), context: contexts[value.depth])
    #expect(counter.value == 1)
  }

  /// A change of the context during the population leads to one more population, but only if the response depends on the
  /// context.
  @MainActor @Test(.timeLimit(.minutes(10)), arguments: cases.filter { $0.unsaved == .none && $0.depth < 2 })
  func aChangedContextIsPopulatedAgain(value: Case) async throws {
    let parent = container.makeContext()
    let context = value.depth == 0 ? parent : parent.makeChild()
    let (counter, holdup) = (Counter(), Holdup())
    server.set([["id": "1", "text": "new", "deep": Holdup.deepValue]])
    let hook = holdup.options.prePopulation
    var options = options(value, counter)
    options.prePopulation = { item in
      counter.increase()
      return hook?(item)
    }
    let request = Task { @MainActor [container, options] in
      _ = try await container.request("Post", urn: "next", options: options, context: context)
    }
    await holdup.pass()
    try parent.insert("Post")["id"] = "2"
    holdup.letGo()
    try await request.value
    #expect(counter.value == (value.isSaved ? 1 : 2))
  }
}
