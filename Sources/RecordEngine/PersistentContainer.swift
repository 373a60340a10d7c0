public import Foundation
public import RecordModel

/// The engine: a model, a store and a server, and the requests that connect them.
///
/// There is no global state. You can create any number of containers.
///
/// ```swift
/// let container = try PersistentContainer(
///   model: model, recordTypes: [Post.self], configuration: .init(server: server))
/// let context = container.makeContext()
/// let posts = try await container.request(Post.self, urn: "stream/global", context: context).records
/// ```
public final class PersistentContainer: Sendable {
  let coordinator: PersistentStoreCoordinator
  let pipeline: RequestPipeline

  /// The model, including the declarations of the record types.
  public var model: ManagedObjectModel { coordinator.model }

  /// Creates a container.
  ///
  /// - Parameters:
  ///   - model: the model of the records.
  ///   - recordTypes: subclasses of ``Record``. Each one must be the class of an entity. Rule: `model.class-name`.
  ///   - configuration: the store, the server and the other parts.
  /// - Throws: ``ModelError`` if the declarations of a record type (such as ``Record/representation``) do not fit its
  ///   entity, or if a record type belongs to no entity; ``PersistentStoreError`` if the file of the store cannot be
  ///   opened or is not a store. The file is unchanged in these cases.
  /// - Complexity: constant; if the file has to be migrated, linear in its contents.
  public convenience init(
    model: ManagedObjectModel, recordTypes: [Record.Type] = [], configuration: Configuration = Configuration()
  ) throws {
    let model = try model.represented(by: recordTypes)
    let store: any Store
    switch configuration.store {
    case .inMemory: store = MemoryStore(schema: model.schema)
    case .file(let url): store = try SQLiteStore(url: url, schema: model.schema)
    }
    self.init(model: model, store: store, recordTypes: recordTypes, configuration: configuration)
  }

  /// Creates a container whose model consists of record types. See
  /// ``ManagedObjectModel/init(_:_:dateFormat:nulls:names:nullValues:configure:)``.
  ///
  /// ```swift
  /// let container = try PersistentContainer(Post.self, User.self, configuration: .init(server: server))
  /// ```
  ///
  /// - Throws: ``ModelError`` if the types are not a valid model; ``PersistentStoreError`` as
  ///   ``init(model:recordTypes:configuration:)`` does.
  public convenience init(
    _ recordType: Record.Type, _ others: Record.Type..., configuration: Configuration = Configuration()
  ) throws {
    try self.init(recordTypes: [recordType] + others, configuration: configuration)
  }

  /// Creates a container whose model consists of a list of record types, as ``init(_:_:configuration:)`` does.
  public convenience init(recordTypes: [Record.Type], configuration: Configuration = Configuration()) throws {
    try self.init(
      model: ManagedObjectModel(recordTypes: recordTypes), recordTypes: recordTypes,
      configuration: configuration)
  }

  /// Creates a container with a store that is already open for the model, in place of that of the configuration. The
  /// model must include the declarations of the record types.
  ///
  /// - Parameters:
  ///   - recordsProvenance: a Boolean value that indicates whether the results of requests have the provenance of their
  ///     records.
  ///   - recognizesRepetition: a Boolean value that indicates whether a response that changed nothing is not populated
  ///     again.
  package init(
    model: ManagedObjectModel, store: any Store, recordTypes: [Record.Type] = [],
    configuration: Configuration = Configuration(), recordsProvenance: Bool = false,
    recognizesRepetition: Bool = true
  ) {
    let cache = configuration.cache
    var sessionHandler: (@Sendable (StoreGeneration, StoreGeneration) -> Void)?
    if let cache { sessionHandler = { cache.follow(from: $0, to: $1) } }
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, recordTypes: recordTypes, sessionHandler: sessionHandler)
    let log = RequestLog(configuration.logger)
    let sessionTimeout = SessionTimeoutRegistration()
    let servers = ServerSource(sessionTimeout: sessionTimeout, log: log, hasCache: cache != nil)
    var source: any ResponseSource = servers
    if let cache { source = CachedSource(servers, cache, coordinator, log) }
    let customization = Customization(model.schema, recordTypes, marshalers: configuration.marshalers)
    let isRepeatable =
      recognizesRepetition && !recordsProvenance && customization.isEmpty
      && configuration.transformers.isEmpty
      && model.schema.entities.allSatisfy { $0.keyComputation == nil }
    pipeline = RequestPipeline(
      coordinator: coordinator, servers: ServerRegistry(coordinator, server: configuration.server),
      defaults: RequestDefaultsRegistry(coordinator), sessionTimeout: sessionTimeout, source: source,
      transformers: configuration.transformers,
      customization: customization,
      debugger: configuration.debugger, tweaks: configuration.tweaks.map { TweakFile(url: $0, model: model) },
      recordsProvenance: recordsProvenance,
      repeatedResponses: isRepeatable ? RepeatedResponses() : nil, log: log)
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
