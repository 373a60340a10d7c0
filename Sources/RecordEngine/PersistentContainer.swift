public import Foundation
import JSONTree
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
  private let coordinator: PersistentStoreCoordinator
  private let server: (any Server)?
  private let transformers: [String: any RecordValueTransformer]

  public var model: ManagedObjectModel { coordinator.model }

  /// A container with a store that lives as long as it does.
  ///
  /// - Parameters:
  ///   - model: what records there may be.
  ///   - recordTypes: subclasses of ``Record``, bound to entities by their class name. Rule: `model.class-name`.
  ///   - server: who answers requests. Without one every request fails with `undefined-server`.
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
  ///   - server: who answers requests. Without one every request fails with `undefined-server`.
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
    self.server = server
    self.transformers = transformers
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
  /// Requests records of a record type: the response is populated, saved, and visible in the context.
  ///
  /// - Parameters:
  ///   - type: a record type that the container was made with.
  ///   - urn: the address, relative to the server.
  ///   - data: the parameters.
  ///   - options: what this request does otherwise than its entity.
  ///   - context: whose records the result holds.
  ///   - isolation: where the context is used; the caller's, if nothing else is said.
  /// - Throws: ``RequestFailure`` if the response could not be records or could not be saved; whatever the server
  ///   throws. Nothing has been saved then.
  public func request<Element: Record>(
    _ type: Element.Type, urn: String, data: [String: String] = [:],
    options: RequestOptions = RequestOptions(),
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    guard let entity = coordinator.entity(of: type) else {
      throw RequestFailure(
        Diagnostic(.invalidEntity, message: "no entity of the model has records of the type '\(type)'"))
    }
    let request = ServerRequest(urn: urn, data: data)
    return try await perform(request, entity, options, context)
  }

  /// Requests records of an entity, whatever their type.
  public func request(
    _ entity: EntityName, _ request: ServerRequest, options: RequestOptions = RequestOptions(),
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    try await perform(request, coordinator.entity(entity).index, options, context)
  }

  private func perform<Element: Record>(
    _ request: ServerRequest, _ entity: Int, _ options: RequestOptions, _ context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    precondition(context.coordinator === coordinator, "the context is one of another container")
    let name = coordinator.schema.entities[entity].name
    if let error = options.keyPathForResponseObject?.syntaxError {
      throw RequestFailure(
        Diagnostic(
          .unknown, entity: name, message: "'\(error.text)' is no key path: \(error.message)"))
    }
    guard let server else {
      throw RequestFailure(
        Diagnostic(.undefinedServer, entity: name, message: "no server is registered for '\(name)'"))
    }
    let response = try await server.response(to: request.with(options))
    let result: PopulationResult
    if options.automaticallyPersistsRecords {
      result = try await populate(response, request, entity, options, .save(by: context.contextID))
      context.mergeResponse(result.changes, known: result.known)
    } else {
      result = try await populateUnsaved(response, request, entity, options, context)
      context.take(result.changes)
    }
    return RequestResult(
      records: context.records(with: result.records).compactMap { $0 as? Element }, changes: result.summary,
      diagnostics: result.diagnostics)
  }

  /// Populates over what is unsaved in a context, and anew if that has changed meanwhile: what was made there may be
  /// what the response is about. Rules: `save.child`, `save.concurrent`.
  private func populateUnsaved(
    _ response: ServerResponse, _ request: ServerRequest, _ entity: Int, _ options: RequestOptions,
    _ context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> PopulationResult {
    while true {
      let version = context.version
      let result = try await populate(response, request, entity, options, .over(context.editsByLevel))
      if version == context.version { return result }
    }
  }

  /// What becomes of a populated response.
  private enum Destination: Sendable {
    /// It is saved for a context.
    case save(by: ContextID)
    /// It is handed back, as changes of a store with these edits applied, level by level.
    case over([[Edit]])
  }

  /// Populates, off the caller's isolation.
  private func populate(
    _ response: ServerResponse, _ request: ServerRequest, _ entity: Int, _ options: RequestOptions,
    _ destination: Destination
  ) async throws(RequestFailure) -> PopulationResult {
    let document = try document(response, to: request, entity)
    let (coordinator, finalOptions) = (coordinator, PopulationOptions(options, transformers: transformers))
    let work = { @Sendable () throws(RequestFailure) -> PopulationResult in
      try coordinator.writing { () throws(RequestFailure) in
        func population(over reader: any StoreReader) -> Population {
          Population(
            schema: coordinator.schema, reader: reader, entity: entity, response: request.urn,
            options: finalOptions)
        }
        switch destination {
        case .save(let context):
          var population = population(over: coordinator.store)
          let result = try population.populateAndSave(document, to: coordinator.store)
          coordinator.announce(result.summary, result.changes, by: context)
          return result
        case .over(let edits):
          var population = population(over: try coordinator.reader(over: edits))
          return try population.populate(document)
        }
      }
    }
    // Items are followed depth first, which takes stack for each level; threads of the pool have little of it.
    guard let document, document.depth > 24 else { return try work() }
    return try await DeepStack.run(work).get()
  }

  /// The response object; nil for an empty body.
  private func document(
    _ response: ServerResponse, to request: ServerRequest, _ entity: Int
  ) throws(RequestFailure) -> JSONDocument? {
    let name = coordinator.schema.entities[entity].name
    guard response.status < 400 else {
      var failure = RequestFailure(
        Diagnostic(
          .httpStatus, entity: name, response: request.urn,
          message: "the server answered with status \(response.status)"))
      failure.status = response.status
      throw failure
    }
    switch response.body {
    case .json(let value): return JSONDocument(value)
    case .bytes(let bytes):
      if bytes.isEmpty { return nil }
      do {
        return try JSONDocument(parsing: bytes)
      } catch {
        throw RequestFailure(
          Diagnostic(
            .invalidResponseFormat, entity: name, response: request.urn,
            message: "line \(error.location.line), column \(error.location.column): \(error.message)"))
      }
    }
  }
}
