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
  /// A folder that nobody else knows; nil where nothing is kept in files.
  private let folder: URL?
  /// The file of tweaks; nil if the scenario has none.
  let tweaks: URL?

  private enum Place {
    case memory(MemoryStore)
    case file(URL)
  }

  init(_ kind: StoreKind, for scenario: Scenario) throws {
    model = scenario.model
    let hasTweaks = scenario.steps.contains { if case .tweak = $0.action { true } else { false } }
    switch kind {
    case .memory:
      place = .memory(MemoryStore(schema: model.schema))
      folder = hasTweaks ? try Self.makeFolder() : nil
    case .sqlite:
      let made = try Self.makeFolder()
      place = .file(made.appendingPathComponent("scenario.store"))
      folder = made
    }
    tweaks = hasTweaks ? folder?.appendingPathComponent("tweaks.json") : nil
  }

  func open(
    server: any Server, _ customisations: [EntityName: EntityCustomisation],
    _ registrations: ScenarioRegistrations
  ) throws -> PersistentContainer {
    let store: any Store =
      switch place {
      case .memory(let store): store
      case .file(let url): try SQLiteStore(url: url, schema: model.schema)
      }
    var marshalers = registrations.marshalers
    for (entity, customisation) in customisations {
      guard let marshaling = customisation.marshaling else { continue }
      marshalers[entity] = DeclarativeMarshaler(marshaling: marshaling, schema: model.schema)
    }
    return PersistentContainer(
      model: model, store: store, recordTypes: registrations.recordTypes(of: model), marshalers: marshalers,
      server: server, transformers: registrations.transformers, tweaks: tweaks)
  }

  /// To be called when all is over. What cannot be removed is left to the system, whose folder it is.
  func remove() {
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("recordspec-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
