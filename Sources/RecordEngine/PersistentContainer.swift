public import Foundation
public import RecordModel

/// The engine: a model, a store, a server, and the way from one to the other.
///
/// It has no global state; any number of containers live side by side.
///
/// ```swift
/// let container = PersistentContainer(model: model, recordTypes: [Post.self], server: server)
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
  ///   - recordTypes: subclasses of ``Record``, bound to entities by their class name. Rule: `model.class-name`.
  ///   - server: who answers requests for which no other server is registered.
  ///   - transformers: value transformers by the name that transformable attributes give.
  public convenience init(
    model: ManagedObjectModel, recordTypes: [Record.Type] = [], server: (any Server)? = nil,
    transformers: [String: any RecordValueTransformer] = [:]
  ) {
    self.init(
      model: model, store: MemoryStore(schema: model.schema), recordTypes: recordTypes, server: server,
      transformers: transformers)
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
  ///   - recordTypes: subclasses of ``Record``, bound to entities by their class name. Rule: `model.class-name`.
  ///   - server: who answers requests for which no other server is registered.
  ///   - transformers: value transformers by the name that transformable attributes give.
  /// - Throws: ``PersistentStoreError`` if the file cannot be opened or is no such store, and then it is as it was.
  /// - Complexity: constant, unless the file has to be migrated: linear in what it holds then.
  public convenience init(
    model: ManagedObjectModel, storeURL: URL, recordTypes: [Record.Type] = [], server: (any Server)? = nil,
    transformers: [String: any RecordValueTransformer] = [:]
  ) throws(PersistentStoreError) {
    self.init(
      model: model, store: try SQLiteStore(url: storeURL, schema: model.schema), recordTypes: recordTypes,
      server: server, transformers: transformers)
  }

  /// A container over a store that somebody has opened.
  package init(
    model: ManagedObjectModel, store: any Store, recordTypes: [Record.Type] = [], server: (any Server)? = nil,
    transformers: [String: any RecordValueTransformer] = [:]
  ) {
    coordinator = PersistentStoreCoordinator(model: model, store: store, recordTypes: recordTypes)
    pipeline = RequestPipeline(coordinator, server: server, transformers: transformers)
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
