public import RecordModel

/// The states of one record over time: the current one, and a new one after each change of its properties.
///
/// ```swift
/// for try await update in context.updates(of: post) { screen.show([update.record]) }
/// ```
///
/// - The first element is the current state, without changed properties.
/// - Another element follows only if properties have changed since the last element.
/// - If the context changes several times before the next element is requested, the element lists all changed properties
///   since the last one.
///
/// The sequence ends when the record is deleted or becomes one of another type. It also ends when its task is canceled,
/// when the context is deallocated, or after an error. It does not keep the context alive, but a record does. Use it in
/// the isolation of its context. Each iterator observes the context independently.
public struct RecordUpdates<RecordType: Record>: AsyncSequence {
  public typealias Element = RecordUpdate<RecordType>

  private weak var context: ManagedObjectContext?
  private let id: RecordID
  private let properties: ObservedProperties
  private let dependencies: UpdateDependencies

  init(_ context: ManagedObjectContext, _ id: RecordID, _ properties: ObservedProperties) {
    self.context = context
    self.id = id
    self.properties = properties
    dependencies = UpdateDependencies(tree: id.tree, relatedTrees: properties.relatedTrees(context.schema))
  }

  /// Returns an iterator that observes the record from now on.
  public func makeAsyncIterator() -> Iterator {
    var last: ObservedRecord?
    return Iterator(
      loop: UpdateLoop(context, dependencies) { [id, properties] context, effect throws(RequestFailure) in
        let successors = context.allSuccessors
        let currentID = successors[id] ?? id
        if case .records(let changed) = effect, !changed.contains(currentID) { return .unchanged }
        guard let (record, current) = try context.observe(currentID, properties),
          let record = record as? RecordType
        else { return .end }
        guard var former = last else {
          last = current
          return .update(RecordUpdate(record: record, properties: []))
        }
        last = current
        if !successors.isEmpty { former.replace(successors, properties, context.schema) }
        guard let names = current.changes(since: former, properties, context.schema) else {
          return .unchanged
        }
        return .update(RecordUpdate(record: record, properties: names))
      })
  }

  /// An iterator over the states of a record.
  public struct Iterator: AsyncIteratorProtocol {
    let loop: UpdateLoop<RecordUpdate<RecordType>>

    /// Waits until properties of the record have changed since the last element. The first call returns the current
    /// state immediately.
    ///
    /// - Returns: the record and its changed properties; nil if the record is deleted, the task is canceled, or the
    ///   context is deallocated.
    /// - Throws: ``RequestFailure`` with `fetch-error` if the store cannot be read.
    public func nextUpdate(
      isolation: isolated (any Actor)? = #isolation
    ) async throws -> RecordUpdate<RecordType>? {
      try await loop.next()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public func next(isolation: isolated (any Actor)?) async throws -> RecordUpdate<RecordType>? {
      try await nextUpdate(isolation: isolation)
    }

    public nonisolated(nonsending) func next() async throws -> RecordUpdate<RecordType>? {
      try await nextUpdate(isolation: #isolation)
    }
  }
}

/// A state of a record, with the properties that have changed since the last one.
public struct RecordUpdate<RecordType: Record> {
  /// The record.
  public let record: RecordType
  /// The names of the properties that have changed since the last element of the sequence, in the order of the model,
  /// attributes first. It is empty for the first element, and if only the entity of the record has changed.
  public let properties: [PropertyName]
}

extension ManagedObjectContext {
  /// Returns the states of a record over time: the current one, and a new one after each change of this context that
  /// affects its properties. The changes are those of ``updates(of:properties:)-(RecordFetchRequest,_)``.
  ///
  /// - Parameters:
  ///   - record: a record of this context. If it is deleted, the sequence is empty.
  ///   - properties: the properties whose changes count; nil for all properties, including relationships. Naming a
  ///     property that no entity of the record's inheritance tree has is a programming error.
  public func updates<RecordType: Record>(
    of record: RecordType, properties: [PropertyName]? = nil
  ) -> RecordUpdates<RecordType> {
    let id = id(of: record)
    let entities = schema.entities(ofTree: id.tree)
    for name in properties ?? [] {
      precondition(
        entities.contains { $0.attributeIndices[name] != nil || $0.relationshipIndices[name] != nil },
        "'\(schema.entities[schema.trees[id.tree].root].name)' has no property '\(name)'")
    }
    return RecordUpdates(self, id, ObservedProperties(properties, of: schema.trees[id.tree].root, schema))
  }

  /// Returns a record and its observed state; nil if it does not exist.
  fileprivate func observe(
    _ id: RecordID, _ properties: ObservedProperties
  ) throws(RequestFailure) -> (Record, ObservedRecord)? {
    try fetching(StoreFetch(entity: schema.trees[id.tree].root)) { () throws(StoreError) in
      guard let row = try graph.row(id), let record = record(with: id) else { return nil }
      return try observe([row], properties).first.map { (record, $0) }
    }
  }
}
