public import Foundation
public import Logging
public import RecordModel

/// The engine: a model, a store and a server, and the requests that connect them.
///
/// There is no global state. You can create any number of containers.
///
/// ```swift
/// let container = try PersistentContainer(model: model, recordTypes: [Post.self], server: server)
/// let context = container.makeContext()
/// let posts = try await container.request(Post.self, urn: "stream/global", context: context).records
/// ```
public final class PersistentContainer: Sendable {
  let coordinator: PersistentStoreCoordinator
  let pipeline: RequestPipeline

  /// The model, including the declarations of the record types.
  public var model: ManagedObjectModel { coordinator.model }

  /// Creates a container with a store in memory, which exists as long as the container.
  ///
  /// - Parameters:
  ///   - model: the model of the records.
  ///   - recordTypes: subclasses of ``Record``. Each one must be the class of an entity. Rule: `model.class-name`.
  ///   - marshalers: the marshalers that populate the records of entities, instead of those of the record types.
  ///     Rules: `customise.*`.
  ///   - server: the server that answers requests with no registered server.
  ///   - transformers: the value transformers, by the names that transformable attributes specify.
  ///   - debugger: the debugger for requests that have none. By default, a diagnostic has the severity of its code.
  ///     Rule: `diagnostics.replace`.
  ///   - cache: the cache for responses. It answers requests instead of the server for as long as HTTP allows. It is
  ///     not encrypted. By default, every request asks its server. See <doc:Caching>.
  ///   - tweaks: the URL of a tweak file, which overrides how the model reads responses. The file need not exist. See
  ///     <doc:Tweaks>.
  ///   - logger: the logger that receives the engine's messages, from its level on. Nothing is logged by default.
  ///     Rule: `diagnostics.levels`.
  /// - Throws: ``ModelError`` if the declarations of a record type (such as ``Record/representation``) do not fit its
  ///   entity, or if a record type belongs to no entity.
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

  /// Creates a container with a store in a file, which is created if it does not exist.
  ///
  /// A file that was created with an older model is migrated to this one. Entities, relationships, and optional or
  /// defaulted attributes may have been added or removed. Renamed ones specify their former name as
  /// `renamingIdentifier`. If the migration fails, the file is unchanged.
  ///
  /// The container has exclusive access to the file until the container and all its contexts are deallocated.
  ///
  /// - Parameters:
  ///   - model: the model of the records.
  ///   - storeURL: the URL of the file. While the store is open, or after a crash, a second file with the suffix `-wal`
  ///     is next to it. The two files belong together.
  ///   - recordTypes: subclasses of ``Record``. Each one must be the class of an entity. Rule: `model.class-name`.
  ///   - marshalers: the marshalers that populate the records of entities, instead of those of the record types.
  ///     Rules: `customise.*`.
  ///   - server: the server that answers requests with no registered server.
  ///   - transformers: the value transformers, by the names that transformable attributes specify.
  ///   - debugger: the debugger for requests that have none. By default, a diagnostic has the severity of its code.
  ///     Rule: `diagnostics.replace`.
  ///   - cache: the cache for responses. It answers requests instead of the server for as long as HTTP allows. It is
  ///     not encrypted. By default, every request asks its server. See <doc:Caching>.
  ///   - tweaks: the URL of a tweak file, which overrides how the model reads responses. The file need not exist. See
  ///     <doc:Tweaks>.
  ///   - logger: the logger that receives the engine's messages, from its level on. Nothing is logged by default.
  ///     Rule: `diagnostics.levels`.
  /// - Throws: ``ModelError`` if the declarations of a record type do not fit its entity, or if a record type belongs
  ///   to no entity; ``PersistentStoreError`` if the file cannot be opened or is not a store. The file is unchanged in
  ///   these cases.
  /// - Complexity: constant; if the file has to be migrated, linear in its contents.
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

  /// Creates a container with a store that is already open for the model. The model must include the declarations of
  /// the record types.
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

  /// Creates a context for the isolation in which you call this method.
  public func makeContext() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  /// A stream of all saves from now on, by contexts and by requests, in the order of the saves.
  ///
  /// Each access returns a new stream that yields every save. Unconsumed saves are buffered without limit, with the
  /// identifiers of their records and the changed values. A save that writes nothing is not part of the stream.
  ///
  /// A stream ends when the container and its contexts are deallocated, or when the task that reads it is canceled. If
  /// the task holds the container or a context, you have to cancel it.
  public var saves: AsyncStream<SavedChanges> { coordinator.saves }
}

extension PersistentContainer {
  /// Writes a tweak file with everything that tweaks can change, as the model currently defines it. The tweaks change
  /// nothing until you edit them. Tweaks that the file already contains are kept. Rule: `tweaks.file`.
  ///
  /// - Throws: an error if the existing file is invalid or the file cannot be written. The file is unchanged then.
  public func writeTweaks(to url: URL) throws(TweakFileError) { try TweakFile.write(model, to: url) }
}
