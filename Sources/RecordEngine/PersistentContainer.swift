public import Foundation
public import Logging
public import RecordModel

/// The engine: a model, a store, a server, and the way from one to the other.
///
/// It has no global state; any number of containers live side by side.
///
/// ```swift
/// let container = try PersistentContainer(model: model, recordTypes: [Post.self], server: server)
/// let context = container.makeContext()
/// let posts = try await container.request(Post.self, urn: "stream/global", context: context).records
/// ```
public final class PersistentContainer: Sendable {
  let coordinator: PersistentStoreCoordinator
  let pipeline: RequestPipeline

  public var model: ManagedObjectModel { coordinator.model }

  /// A container with a store that lives as long as it does.
  ///
  /// - Parameters:
  ///   - model: what records there may be.
  ///   - recordTypes: subclasses of ``Record``, bound to entities by their class name; each of them has one. Rule:
  ///   `model.class-name`.
  ///   - marshalers: how records of entities are populated, over what their record types say. Rules: `customise.*`.
  ///   - server: who answers requests for which no other server is registered.
  ///   - transformers: value transformers by the name that transformable attributes give.
  ///   - debugger: judges what is noticed about responses, where a request brings no debugger of its own. Without one every
  ///   diagnostic is what its code says. Rule: `diagnostics.replace`.
  ///   - cache: where responses are kept that may be, and which answers in their server's place as long as HTTP lets it. It
  ///   is not encrypted. Without one every request goes to its server. See <doc:Caching>.
  ///   - tweaks: a file that may say otherwise than the model how responses are read; it need not be there. See <doc:Tweaks>.
  ///   - logger: who is told what happens, from its level on; without one nobody is. Rule: `diagnostics.levels`.
  /// - Throws: what is wrong with what record types say of their entities (``Record/representation`` and the like), or that
  ///   one of them belongs to no entity.
  public convenience init(
    model: ManagedObjectModel, recordTypes: [Record.Type] = [], marshalers: [EntityName: any Marshaler] = [:],
    server: (any Server)? = nil, transformers: [String: any RecordValueTransformer] = [:],
    debugger: (any Debugger)? = nil, cache: RecordCache? = nil, tweaks: URL? = nil,
    logger: Logger? = nil
  ) throws(ModelError) {
    let model = try model.represented(by: recordTypes)
    self.init(
      model: model, store: MemoryStore(schema: model.schema), recordTypes: recordTypes,
      marshalers: marshalers, server: server, transformers: transformers, debugger: debugger, cache: cache,
      tweaks: tweaks,
      logger: logger)
  }

  /// A container with a store in a file, which is made if it is missing.
  ///
  /// A file that an older model made is migrated to this one: entities, relationships, and optional or defaulted
  /// attributes may have come and gone, and what was renamed names its former self as `renamingIdentifier`. All of it
  /// is done or nothing.
  ///
  /// The file is this container's alone until nobody holds the container or one of its contexts any more.
  ///
  /// - Parameters:
  ///   - model: what records there may be.
  ///   - storeURL: the file. Beside it stands one with `-wal` behind its name while the store is open, or after a crash;
  ///   they belong together.
  ///   - recordTypes: subclasses of ``Record``, bound to entities by their class name; each of them has one. Rule:
  ///   `model.class-name`.
  ///   - marshalers: how records of entities are populated, over what their record types say. Rules: `customise.*`.
  ///   - server: who answers requests for which no other server is registered.
  ///   - transformers: value transformers by the name that transformable attributes give.
  ///   - debugger: judges what is noticed about responses, where a request brings no debugger of its own. Without one every
  ///   diagnostic is what its code says. Rule: `diagnostics.replace`.
  ///   - cache: where responses are kept that may be, and which answers in their server's place as long as HTTP lets it. It
  ///   is not encrypted. Without one every request goes to its server. See <doc:Caching>.
  ///   - tweaks: a file that may say otherwise than the model how responses are read; it need not be there. See <doc:Tweaks>.
  ///   - logger: who is told what happens, from its level on; without one nobody is. Rule: `diagnostics.levels`.
  /// - Throws: ``ModelError`` for what is wrong with what record types say of their entities, or that one of them belongs to
  ///   no entity; ``PersistentStoreError`` if
  ///   the file cannot be opened or is no such store. The file is as it was then.
  /// - Complexity: constant, unless the file has to be migrated: linear in what it holds then.
  public convenience init(
    model: ManagedObjectModel, storeURL: URL, recordTypes: [Record.Type] = [],
    marshalers: [EntityName: any Marshaler] = [:], server: (any Server)? = nil,
    transformers: [String: any RecordValueTransformer] = [:], debugger: (any Debugger)? = nil,
    cache: RecordCache? = nil, tweaks: URL? = nil, logger: Logger? = nil
  ) throws {
    let model = try model.represented(by: recordTypes)
    self.init(
      model: model, store: try SQLiteStore(url: storeURL, schema: model.schema), recordTypes: recordTypes,
      marshalers: marshalers, server: server, transformers: transformers, debugger: debugger, cache: cache,
      tweaks: tweaks,
      logger: logger)
  }

  /// A container over a store that somebody has opened for the model, which is as the record types say.
  package init(
    model: ManagedObjectModel, store: any Store, recordTypes: [Record.Type] = [],
    marshalers: [EntityName: any Marshaler] = [:], server: (any Server)? = nil,
    transformers: [String: any RecordValueTransformer] = [:], debugger: (any Debugger)? = nil,
    cache: RecordCache? = nil, tweaks: URL? = nil, logger: Logger? = nil
  ) {
    var sessionHandler: (@Sendable (StoreGeneration, StoreGeneration) -> Void)?
    if let cache { sessionHandler = { cache.follow(from: $0, to: $1) } }
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, recordTypes: recordTypes, sessionHandler: sessionHandler)
    let log = RequestLog(logger)
    let sessionTimeout = SessionTimeoutRegistration()
    let servers = ServerSource(sessionTimeout: sessionTimeout, log: log, hasCache: cache != nil)
    var source: any ResponseSource = servers
    if let cache { source = CachedSource(servers, cache, coordinator, log) }
    pipeline = RequestPipeline(
      coordinator: coordinator, servers: ServerRegistry(coordinator, server: server),
      defaults: RequestDefaultsRegistry(coordinator), sessionTimeout: sessionTimeout, source: source,
      transformers: transformers,
      customisation: Customisation(model.schema, recordTypes, marshalers: marshalers), debugger: debugger,
      tweaks: tweaks.map { TweakFile(url: $0, model: model) }, log: log)
  }

  /// A new context over the store, for the isolation it is made in.
  public func makeContext() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  /// Every save to the store from now on, by contexts and by requests, in the order in which they happen.
  ///
  /// Each call answers a stream of its own, and each stream has every save; saves that nobody has taken from it yet are
  /// kept without limit, as record ids and property names. It ends when the container and its contexts are gone, or the
  /// task that reads it is cancelled; a task that reads it and holds one of them has to be cancelled. A save that writes
  /// nothing is none.
  public var saves: AsyncStream<SavedChanges> { coordinator.saves }
}

extension PersistentContainer {
  /// Writes a file with everything that tweaks can say, as the model says it now, to be edited by hand: tweaks that change
  /// nothing. What the file says already is kept. Rule: `tweaks.file`.
  ///
  /// - Throws: what is wrong with the file that is there, or why it cannot be written. It is as it was then.
  public func writeTweaks(to url: URL) throws(TweakFileError) { try TweakFile.write(model, to: url) }
}
