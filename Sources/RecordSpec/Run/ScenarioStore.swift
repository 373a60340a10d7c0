import Foundation
import RecordEngine
import RecordModel

/// What keeps the records of scenarios while they run.
package enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite
}

/// The store of one scenario: it can be opened again once nobody holds it any more, and nothing of it stays behind.
struct ScenarioStore {
  private let model: ManagedObjectModel
  private let place: Place

  private enum Place {
    case memory(MemoryStore)
    /// A folder that nobody else knows.
    case folder(URL)
  }

  init(_ kind: StoreKind, model: ManagedObjectModel) throws {
    self.model = model
    place =
      switch kind {
      case .memory: .memory(MemoryStore(schema: model.schema))
      case .sqlite: .folder(try Self.makeFolder())
      }
  }

  func open(server: any Server, _ registrations: ScenarioRegistrations) throws -> PersistentContainer {
    let store: any Store =
      switch place {
      case .memory(let store): store
      case .folder(let folder):
        try SQLiteStore(url: folder.appendingPathComponent("scenario.store"), schema: model.schema)
      }
    return PersistentContainer(
      model: model, store: store, recordTypes: registrations.recordTypes, server: server,
      transformers: registrations.transformers)
  }

  /// To be called when all is over. What cannot be removed is left to the system, whose folder it is.
  func remove() {
    if case .folder(let folder) = place { try? FileManager.default.removeItem(at: folder) }
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("recordspec-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
