public import Foundation
public import Logging
public import RecordModel

extension PersistentContainer {
  /// The store, the server and the other parts of a container. By default, the store is in memory, and the container has
  /// none of the others.
  ///
  /// ```swift
  /// var configuration = PersistentContainer.Configuration(store: .file(url), server: server)
  /// configuration.cache = RecordCache()
  /// let container = try PersistentContainer(model: model, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The location of the records.
    public var store: StoreLocation
    /// The server that answers requests with no registered server; nil if there is none. Rule: `request.server`.
    public var server: (any Server)?
    /// The cache for responses. It answers requests instead of the server for as long as HTTP allows. It is not
    /// encrypted. If it is nil, every request asks its server. See <doc:Caching>.
    public var cache: RecordCache?
    /// The marshalers that populate the records of entities, instead of those of the record types. Rules:
    /// `customize.*`.
    public var marshalers: [EntityName: any Marshaler]
    /// The value transformers, by the names that transformable attributes specify.
    public var transformers: [String: any RecordValueTransformer]
    /// The URL of a tweak file, which overrides how the model reads responses. The file need not exist. See
    /// <doc:Tweaks>.
    public var tweaks: URL?
    /// The debugger for requests that have none; nil if a diagnostic has the severity of its code. Rule:
    /// `diagnostics.replace`.
    public var debugger: (any Debugger)?
    /// The logger that receives the engine's messages, from its level on; nil if nothing is logged. Rule:
    /// `diagnostics.levels`.
    public var logger: Logger?

    /// Creates a configuration.
    public init(
      store: StoreLocation = .inMemory, server: (any Server)? = nil, cache: RecordCache? = nil,
      marshalers: [EntityName: any Marshaler] = [:], transformers: [String: any RecordValueTransformer] = [:],
      tweaks: URL? = nil, debugger: (any Debugger)? = nil, logger: Logger? = nil
    ) {
      self.store = store
      self.server = server
      self.cache = cache
      self.marshalers = marshalers
      self.transformers = transformers
      self.tweaks = tweaks
      self.debugger = debugger
      self.logger = logger
    }
  }

  /// The location of a container's records.
  public enum StoreLocation: Hashable, Sendable {
    /// In memory, for as long as the container exists.
    case inMemory
    /// In a file, which is created if it does not exist.
    ///
    /// A file that was created with an older model is migrated to the model of the container. Entities, relationships,
    /// and optional or defaulted attributes may have been added or removed. Renamed ones specify their former name as
    /// `renamingIdentifier`. If the migration fails, the file is unchanged.
    ///
    /// The container has exclusive access to the file until the container and all its contexts are deallocated. While
    /// the store is open, or after a crash, a second file with the suffix `-wal` is next to it. The two files belong
    /// together.
    case file(URL)
  }
}
