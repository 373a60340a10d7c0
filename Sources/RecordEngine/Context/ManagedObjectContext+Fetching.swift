public import RecordModel

extension ManagedObjectContext {
  /// The records that a request asks for, unsaved changes included.
  /// Rule: `fetch.unsaved`.
  ///
  /// What nobody has changed here is looked for in the store, which hands over the records of the answer alone. Of
  /// records that this context holds already, the values here stay until they are refreshed.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` for an entity or property that the model does not have,
  ///   `fetch-error` for a predicate that is none, or if the store could not be read.
  /// - Complexity: the store's, which is linear in the records of the entity at most, without an index. In addition,
  ///   linear in the unsaved changes; linear in the records of the entity if the predicate or the order goes through
  ///   relationships whose records have unsaved changes.
  public func fetch(_ request: RecordFetchRequest) throws(RequestFailure) -> [Record] {
    let fetch = try coordinator.fetch(request)
    return try fetching(fetch) { () throws(StoreError) in objects(of: try graph.rows(fetch).map(\.id)) }
  }

  /// The records of a record type that a predicate holds for, unsaved changes included.
  ///
  /// ```swift
  /// let posts = try context.fetch(Post.self, where: "text CONTAINS[c] 'swift'", limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - type: a record type that the container was made with.
  ///   - predicate: nil for all records.
  ///   - sortDescriptors: in order of weight; records that are equal in all of them stand oldest first.
  ///   - offset: how many records at the start to leave out.
  ///   - limit: how many records to fetch at most; nil for all.
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does, and with `invalid-entity` for a type that no entity has.
  public func fetch<Element: Record>(
    _ type: Element.Type, where predicate: RecordPredicate? = nil,
    sortedBy sortDescriptors: [RecordSortDescriptor] = [], offset: Int = 0, limit: Int? = nil
  ) throws(RequestFailure) -> [Element] {
    let request = RecordFetchRequest(
      try coordinator.entity(of: type).name, predicate: predicate, sortDescriptors: sortDescriptors,
      offset: offset, limit: limit)
    return try fetch(request).compactMap { $0 as? Element }
  }

  /// How many records ``fetch(_:)`` would give, without making any.
  ///
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does.
  public func count(for request: RecordFetchRequest) throws(RequestFailure) -> Int {
    let fetch = try coordinator.fetch(request)
    return try fetching(fetch) { () throws(StoreError) in try graph.count(fetch) }
  }

  /// The different values that an attribute has, each once and in ascending order; records without a value add none.
  ///
  /// - Parameters:
  ///   - attribute: an attribute of the entity.
  ///   - entity: whose records are looked at, sub-entities included.
  ///   - predicate: which of them; nil for all.
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

  private func fetching<Result>(
    _ fetch: StoreFetch, _ body: () throws(StoreError) -> Result
  ) throws(RequestFailure) -> Result {
    do throws(StoreError) {
      try throwReadFailure()
      return try body()
    } catch {
      throw RequestFailure(
        Diagnostic(.fetchError, entity: schema.entities[fetch.entity].name, message: error.message))
    }
  }
}
