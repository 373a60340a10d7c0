public import RecordModel

extension ManagedObjectContext {
  /// Returns the records that match a request, including unsaved changes. Rule: `fetch.unsaved`.
  ///
  /// The store matches the records without unsaved changes, and returns only the matching ones. Rows that the context
  /// has already read keep their values until you refresh them.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have the entity or a property, or with
  ///   `fetch-error` if the predicate is invalid or the store cannot be read.
  /// - Complexity: that of the store, which without an index is at most linear in the number of records of the entity.
  ///   In addition, linear in the number of unsaved changes, or in the number of records of the entity if the predicate
  ///   or the order uses relationships to records with unsaved changes.
  public func fetch(_ request: RecordFetchRequest) throws(RequestFailure) -> [Record] {
    let fetch = try coordinator.fetch(request)
    return try fetching(fetch) { () throws(StoreError) in objects(of: try graph.rows(fetch).map(\.id)) }
  }

  /// Returns the records of a record type that match a predicate, including unsaved changes.
  ///
  /// ```swift
  /// let posts = try context.fetch(Post.self, where: "text CONTAINS[c] 'swift'", limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - type: a record type that the container was created with.
  ///   - predicate: the condition that the records satisfy; nil for all records.
  ///   - sortDescriptors: the sort order, the most significant descriptor first. Records that are equal in all
  ///     descriptors are sorted by age, the oldest first.
  ///   - offset: the number of records to skip at the start.
  ///   - limit: the maximum number of records; nil for no limit.
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does, and with `invalid-entity` if no entity has the record type.
  public func fetch<Element: Record>(
    _ type: Element.Type, where predicate: RecordPredicate? = nil,
    sortedBy sortDescriptors: [RecordSortDescriptor] = [], offset: Int = 0, limit: Int? = nil
  ) throws(RequestFailure) -> [Element] {
    let request = RecordFetchRequest(
      try coordinator.entity(of: type).name, predicate: predicate, sortDescriptors: sortDescriptors,
      offset: offset, limit: limit)
    return try fetch(request).compactMap { $0 as? Element }
  }

  /// Returns the records of an entity that match a predicate, including unsaved changes. Use it for entities without a
  /// record type: `context.fetch("Post", where: "text != nil")`.
  ///
  /// - Parameters:
  ///   - entity: the entity of the records, including its sub-entities.
  ///   - predicate: the condition that the records satisfy; nil for all records.
  ///   - sortDescriptors: the sort order, as for ``fetch(_:where:sortedBy:offset:limit:)->[Element]``.
  ///   - offset: the number of records to skip at the start.
  ///   - limit: the maximum number of records; nil for no limit.
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does.
  public func fetch(
    _ entity: EntityName, where predicate: RecordPredicate? = nil,
    sortedBy sortDescriptors: [RecordSortDescriptor] = [], offset: Int = 0, limit: Int? = nil
  ) throws(RequestFailure) -> [Record] {
    try fetch(
      RecordFetchRequest(
        entity, predicate: predicate, sortDescriptors: sortDescriptors, offset: offset, limit: limit))
  }

  /// Returns the number of records that ``fetch(_:)`` would return, without creating their objects.
  ///
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does.
  public func count(for request: RecordFetchRequest) throws(RequestFailure) -> Int {
    let fetch = try coordinator.fetch(request)
    return try fetching(fetch) { () throws(StoreError) in try graph.count(fetch) }
  }

  /// Returns the distinct values of an attribute in ascending order. Records without a value are ignored.
  ///
  /// - Parameters:
  ///   - attribute: the name of an attribute of the entity.
  ///   - entity: the entity of the records, including its sub-entities.
  ///   - predicate: the condition that the records satisfy; nil for all records.
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does.
  public func distinctValues(
    of attribute: PropertyName, in entity: EntityName, where predicate: RecordPredicate? = nil
  ) throws(RequestFailure) -> [AttributeValue] {
    let fetch = try coordinator.fetch(RecordFetchRequest(entity, predicate: predicate))
    let column = try coordinator.column(of: attribute, in: schema.entities[fetch.entity])
    return try fetching(fetch) { () throws(StoreError) in
      try graph.distinctValues(inColumn: column, fetch)
    }
  }

  func fetching<Result>(
    _ fetch: StoreFetch, _ body: () throws(StoreError) -> Result
  ) throws(RequestFailure) -> Result {
    do throws(StoreError) {
      applySuccessors()
      try throwReadFailure()
      return try body()
    } catch {
      throw RequestFailure(
        Diagnostic(.fetchError, entity: schema.entities[fetch.entity].name, message: error.message))
    }
  }
}
