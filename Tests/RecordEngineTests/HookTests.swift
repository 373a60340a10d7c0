import Foundation
import Testing

@testable import RecordEngine

/// Tests that a save by a hook fails, because hooks are called during a save. The request continues.
@Suite struct HookTests {
  /// A transformer that saves, and collects the results of all saves by hooks.
  // Unchecked: `messagesByHook` is accessed only under `lock`.
  private final class Saver: RecordValueTransformer, @unchecked Sendable {
    private let lock = NSLock()
    private var messagesByHook: [String: Set<String>] = [:]
    /// The container to which the hook saves.
    var container: PersistentContainer?

    var messages: [String: Set<String>] { lock.withLock { messagesByHook } }

    func save(in hook: String) {
      guard let context = container?.makeContext() else { return }
      do {
        try context.insert("User")["id"] = "hook"
        try context.save()
        note("saved", hook)
      } catch {
        note(error.description, hook)
      }
    }

    private func note(_ message: String, _ hook: String) {
      lock.withLock { _ = messagesByHook[hook, default: []].insert(message) }
    }

    func value(from json: JSONValue) throws -> JSONValue {
      save(in: "transformer")
      return json
    }
  }

  private static let refusal =
    "save-error: a hook cannot save while its response is being populated and saved"

  /// JSON that is nested so deeply that the response is populated on a separate thread.
  private static let deep: JSONValue = (0..<40).reduce(.null) { json, _ in .array([json]) }

  private func container(_ saver: Saver, _ body: JSONValue) throws -> PersistentContainer {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string),
          AttributeDescription("json", .transformable, transformer: "saver"),
        ]),
      EntityDescription("User", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
    ])
    return try PersistentContainer(
      model: model, configuration: .init(server: CannedServer(["a": body]), transformers: ["saver": saver]))
  }

  private func options(_ saver: Saver) -> RequestOptions {
    var options = RequestOptions()
    options.prePopulation = { _ in
      saver.save(in: "prePopulation")
      return nil
    }
    options.keyInjection = { _ in
      saver.save(in: "keyInjection")
      return "injected"
    }
    return options
  }

  @Test(.timeLimit(.minutes(10)), arguments: [true, false], [true, false])
  func aHookMustNotSave(isSaved: Bool, isDeep: Bool) async throws {
    let saver = Saver()
    let json = isDeep ? Self.deep : "x"
    let container = try container(
      saver, [["id": "1", "json": json], ["id": "1", "json": "y"], ["json": "keyless"]])
    saver.container = container
    defer { saver.container = nil }
    var options = options(saver)
    options.automaticallyPersistsRecords = isSaved
    let context = container.makeContext()
    let result = try await container.request(
      "Post", urn: "a", options: options, context: context)
    #expect(result.records.map { $0["id"] } == ["1", "1", "injected"])
    #expect(
      saver.messages
        == Dictionary(
          uniqueKeysWithValues: ["transformer", "prePopulation", "keyInjection"].map { ($0, [Self.refusal]) })
    )
    #expect(try context.fetch(RecordFetchRequest("User")).isEmpty)
    // The failed save does not block later saves.
    try context.insert("User")["id"] = "A"
    try context.save()
  }

  @Test(.timeLimit(.minutes(10))) func aHookMaySaveToAnotherContainer() async throws {
    let saver = Saver()
    let container = try container(saver, [["id": "1", "json": "x"]])
    saver.container = try self.container(Saver(), [])
    defer { saver.container = nil }
    _ = try await container.request("Post", urn: "a", context: container.makeContext())
    #expect(saver.messages == ["transformer": ["saved"]])
  }
}
