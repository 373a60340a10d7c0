import OrderedCollections
public import RecordModel

/// A result of a fetch, with the changes since the last one.
public struct FetchUpdate<RecordType: Record> {
  /// The records that match the fetch, in its order.
  public let records: [RecordType]
  /// The changes since the last element of the sequence. The changes of the first element insert all records.
  public let changes: FetchChanges
}

extension ManagedObjectContext {
  /// Returns the results of a fetch over time: the current one, and a new one after each change of this context that
  /// affects it.
  ///
  /// A change is an unsaved change of this context or its parents, a rollback, a refresh or a reset, the response of a
  /// request for this context, or a merged save of another context (``merge(_:)``).
  ///
  /// - Parameters:
  ///   - request: the request for the records.
  ///   - properties: the properties whose changes count as updates; nil for all properties, including relationships.
  ///     To observe a to-many relationship, the sequence reads the identifiers of its members.
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have the entity or a property, or with
  ///   `fetch-error` if the predicate is invalid.
  /// - Complexity: after a change that can affect the result, that of ``fetch(_:)``, and O(n log n) in the number of
  ///   records in the result, with one query for each observed to-many relationship. Instead of a fetch, only the changed
  ///   records and those of the result are read if few records of the entity have changed, if the predicate and the order
  ///   use only attributes, and if neither an offset nor a limit cuts the result. After a change of a record that is not
  ///   part of the result and does not match the predicate, that of reading the record and evaluating the predicate, and
  ///   linear in the number of unsaved changes if the predicate or the order follows relationships. After a change of an
  ///   entity that the request and the observed to-many relationships do not use, constant. See
  ///   <doc:Fetching#Observe-a-fetch>.
  public func updates(
    of request: RecordFetchRequest, properties: [PropertyName]? = nil
  ) throws(RequestFailure) -> ContextUpdates<FetchUpdate<Record>> {
    try updates(of: request, properties, as: Record.self)
  }

  /// Returns the results of a fetch of a record type over time: the current one, and a new one after each change of this
  /// context that affects it. See ``updates(of:properties:)-(RecordFetchRequest,_)``.
  ///
  /// - Parameters:
  ///   - type: a record type that the container was created with.
  ///   - predicate: the condition that the records satisfy; nil for all records.
  ///   - sortDescriptors: the sort order, as for ``fetch(_:where:sortedBy:offset:limit:)->[Element]``.
  ///   - offset: the number of records to skip at the start.
  ///   - limit: the maximum number of records; nil for no limit.
  ///   - properties: the properties whose changes count as updates; nil for all properties.
  /// - Throws: ``RequestFailure`` as for a ``RecordFetchRequest``, and with `invalid-entity` if no entity has the record
  ///   type.
  public func updates<RecordType: Record>(
    of type: RecordType.Type, where predicate: RecordPredicate? = nil,
    sortedBy sortDescriptors: [RecordSortDescriptor] = [], offset: Int = 0, limit: Int? = nil,
    properties: [PropertyName]? = nil
  ) throws(RequestFailure) -> ContextUpdates<FetchUpdate<RecordType>> {
    let request = RecordFetchRequest(
      try coordinator.entity(of: type).name, predicate: predicate, sortDescriptors: sortDescriptors,
      offset: offset, limit: limit)
    return try updates(of: request, properties, as: type)
  }

  private func updates<RecordType: Record>(
    of request: RecordFetchRequest, _ properties: [PropertyName]?, as type: RecordType.Type
  ) throws(RequestFailure) -> ContextUpdates<FetchUpdate<RecordType>> {
    let fetch = try coordinator.fetch(request)
    let kinds = schema.kinds(of: fetch.entity).map { schema.entities[$0] }
    for name in properties ?? [] where !kinds.contains(where: { $0.hasProperty(name) }) {
      throw schema.unknownProperty(name, kinds)
    }
    return updates(of: fetch, ObservedProperties(properties, of: fetch.entity, schema))
  }

  private func updates<RecordType: Record>(
    of fetch: StoreFetch, _ properties: ObservedProperties
  ) -> ContextUpdates<FetchUpdate<RecordType>> {
    let dependencies = UpdateDependencies(
      tree: schema.entities[fetch.entity].tree,
      relatedTrees: fetch.relatedTrees(schema).union(properties.relatedTrees(schema)))
    return ContextUpdates(self, dependencies) {
      var last: [ObservedRecord]?
      var found: OrderedSet<RecordID> = []
      return { context, effect throws(RequestFailure) in
        var changed: [RecordID]?
        if case .records(let ids) = effect {
          if !ids.contains(where: found.contains), try !context.canFind(ids, fetch) { return .unchanged }
          changed = ids
        }
        let former = found.map(context.successors.current)
        let rows = try context.rows(fetch, formerly: former, changed: changed)
        let (records, current) = try context.observe(rows, of: fetch, properties, as: RecordType.self)
        var lastSeen = last ?? []
        lastSeen.replace(context.successors, properties, context.schema)
        let changes = current.changes(since: lastSeen, properties, context.schema)
        let isFirst = last == nil
        last = current
        found = OrderedSet(rows.map(\.id))
        return isFirst || !changes.isEmpty
          ? .update(FetchUpdate(records: records, changes: changes)) : .unchanged
      }
    }
  }

  /// Returns a Boolean value that indicates whether changes of some records that a result does not contain can affect
  /// it.
  fileprivate func canFind(_ ids: [RecordID], _ fetch: StoreFetch) throws(RequestFailure) -> Bool {
    // A record before the first one of the result can have changed.
    if fetch.offset > 0 { return true }
    return try fetching(fetch) { () throws(StoreError) in try graph.canFind(ids, fetch) }
  }

  /// Returns the rows that match a fetch.
  ///
  /// - Parameters:
  ///   - former: the last result.
  ///   - changed: the only records of the entity that have changed since then; nil if others may have changed, too.
  fileprivate func rows(
    _ fetch: StoreFetch, formerly former: [RecordID], changed: [RecordID]?
  ) throws(RequestFailure) -> [Row] {
    try fetching(fetch) { () throws(StoreError) in
      if let changed, let rows = try graph.rows(fetch, formerly: former, changed: changed) { return rows }
      return try graph.rows(fetch)
    }
  }

  /// Returns the records of a type among the rows of a fetch, and their observed state.
  fileprivate func observe<RecordType: Record>(
    _ rows: [Row], of fetch: StoreFetch, _ properties: ObservedProperties, as type: RecordType.Type
  ) throws(RequestFailure) -> ([RecordType], [ObservedRecord]) {
    try fetching(fetch) { () throws(StoreError) in
      var found: [RecordID: Row] = [:]
      for row in rows { found[row.id] = row }
      let records = objects(of: rows.map(\.id)).compactMap { $0 as? RecordType }
      return (records, try observe(records.compactMap { found[$0.recordID] }, properties))
    }
  }
}

extension SchemaEntity {
  func hasProperty(_ name: PropertyName) -> Bool {
    attributeIndices[name] != nil || relationshipIndices[name] != nil
  }
}
