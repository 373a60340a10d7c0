import Foundation
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The store and the cache of one scenario. They can be opened again once no object holds them, and their files are
/// removed afterward, so these need not survive a power failure.
struct ScenarioStore {
  private let model: ManagedObjectModel
  private let location: Location
  private let limits: RecordCache.Limits
  private let clock: VirtualClock
  /// The folder for the files; nil if there are none.
  private let folder: ScratchFolder?
  /// The tweak file; nil if the scenario has none.
  let tweaks: URL?

  private enum Location {
    case memory(MemoryStore, RecordCache?)
    case file(URL, cache: URL?)
  }

  /// Creates a store.
  ///
  /// - Parameter clock: the clock that the cache uses.
  init(_ kind: StoreKind, for scenario: Scenario, _ clock: VirtualClock) throws {
    model = scenario.model
    limits = scenario.cache.map(RecordCache.Limits.init) ?? RecordCache.Limits()
    self.clock = clock
    let hasTweaks = scenario.steps.contains { if case .tweak = $0.action { true } else { false } }
    switch kind {
    case .memory:
      location = .memory(
        MemoryStore(schema: model.schema),
        scenario.usesCache ? RecordCache(limits: limits, now: { clock.date }) : nil)
      folder = hasTweaks ? try ScratchFolder() : nil
    case .sqlite:
      let made = try ScratchFolder()
      location = .file(
        made.url(of: "scenario.store"), cache: scenario.usesCache ? made.url(of: "scenario.cache") : nil)
      folder = made
    }
    tweaks = hasTweaks ? folder?.url(of: "tweaks.json") : nil
  }

  /// Returns the opened cache; nil for a scenario that does not use one.
  func openCache() throws -> RecordCache? {
    switch location {
    case .memory(_, let cache): cache
    case .file(_, let url):
      try url.map {
        try RecordCache(url: $0, limits: limits, durability: .endOfProcess, now: { [clock] in clock.date })
      }
    }
  }

  func open(
    server: any Server, cache: RecordCache?, _ customizations: [EntityName: EntityCustomization],
    _ registrations: ScenarioRegistrations, recordsProvenance: Bool
  ) throws -> PersistentContainer {
    let store: any Store =
      switch location {
      case .memory(let store, _): store
      case .file(let url, _): try SQLiteStore(url: url, schema: model.schema, durability: .endOfProcess)
      }
    var marshalers = registrations.marshalers
    for (entity, customization) in customizations {
      guard let marshaling = customization.marshaling else { continue }
      marshalers[entity] = DeclarativeMarshaler(marshaling: marshaling, schema: model.schema)
    }
    return PersistentContainer(
      model: model, store: store, recordTypes: registrations.recordTypes(of: model),
      configuration: .init(
        server: server, cache: cache, marshalers: marshalers, transformers: registrations.transformers,
        tweaks: tweaks), recordsProvenance: recordsProvenance)
  }

  /// The reason why files cannot be written while the store is open; nil if they can.
  var problem: TemporaryFolderProblem? {
    do throws(TemporaryFolderProblem) {
      try folder?.check()
      return nil
    } catch {
      return error
    }
  }

  /// Removes the files. Call this method when the scenario has ended.
  func remove() { folder?.remove() }
}

extension RecordCache.Limits {
  fileprivate init(_ setting: CacheSetting) {
    self.init()
    if let size = setting.maximumSize { maximumSize = size }
    if let age = setting.maximumAge { maximumAge = age }
  }
}
