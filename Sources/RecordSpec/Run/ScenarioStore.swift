import RecordEngine
import RecordModel

/// What keeps the records of scenarios while they run.
package enum StoreKind: String, CaseIterable, Sendable {
  case memory
}

/// The store of one scenario: it can be closed and opened again, and nothing of it stays behind.
struct ScenarioStore {
  private let model: ManagedObjectModel
  private let memory: MemoryStore

  init(_ kind: StoreKind, model: ManagedObjectModel) throws {
    self.model = model
    memory = MemoryStore(schema: model.schema)
  }

  func open(server: any Server) throws -> PersistentContainer {
    PersistentContainer(model: model, store: memory, server: server)
  }

  func close() throws {}

  func remove() throws {}
}
