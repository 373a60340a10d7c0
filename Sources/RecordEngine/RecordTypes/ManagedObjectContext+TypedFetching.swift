public import RecordModel

extension ManagedObjectContext {
  /// Returns the records of a record type that satisfy a condition, including unsaved changes.
  ///
  /// ```swift
  /// let posts = try context.fetch(
  ///   Post.self, where: \.$stars > 10 && \.$author.$name == "Ada", sortedBy: .descending(\.$stars), limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - type: a record type that the container was created with.
  ///   - condition: the condition that the records satisfy.
  ///   - order: the order of the records. Records that are equal in it are sorted by age, the oldest first.
  ///   - offset: the number of records to skip at the start.
  ///   - limit: the maximum number of records; nil for no limit.
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does, and with `invalid-entity` if no entity has the record type.
  public func fetch<RecordType: Record>(
    _ type: RecordType.Type, where condition: TypedPredicate<RecordType>,
    sortedBy order: TypedSortOrder<RecordType> = [], offset: Int = 0, limit: Int? = nil
  ) throws(RequestFailure) -> [RecordType] {
    try fetch(
      type, where: condition.predicate, sortedBy: order.sortDescriptors, offset: offset, limit: limit)
  }

  /// Returns all records of a record type in an order, including unsaved changes. The parameters are those of
  /// ``fetch(_:where:sortedBy:offset:limit:)->[RecordType]``.
  ///
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does, and with `invalid-entity` if no entity has the record type.
  public func fetch<RecordType: Record>(
    _ type: RecordType.Type, sortedBy order: TypedSortOrder<RecordType>, offset: Int = 0, limit: Int? = nil
  ) throws(RequestFailure) -> [RecordType] {
    try fetch(type, sortedBy: order.sortDescriptors, offset: offset, limit: limit)
  }

  /// Returns the number of records of a record type that satisfy a condition, without creating their objects.
  ///
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does, and with `invalid-entity` if no entity has the record type.
  public func count<RecordType: Record>(
    of type: RecordType.Type, where condition: TypedPredicate<RecordType>
  ) throws(RequestFailure) -> Int {
    try count(
      for: RecordFetchRequest(try coordinator.entity(of: type).name, predicate: condition.predicate))
  }

  /// Returns the results of a fetch over time, as
  /// ``updates(of:where:sortedBy:offset:limit:properties:)-(_,RecordPredicate?,_,_,_,_)`` does.
  ///
  /// ```swift
  /// for try await update in try context.updates(of: Post.self, where: \.$stars > 10) {
  ///   screen.show(update.records)
  /// }
  /// ```
  ///
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does, and with `invalid-entity` if no entity has the record type.
  public func updates<RecordType: Record>(
    of type: RecordType.Type, where condition: TypedPredicate<RecordType>,
    sortedBy order: TypedSortOrder<RecordType> = [], offset: Int = 0, limit: Int? = nil,
    properties: [PropertyName]? = nil
  ) throws(RequestFailure) -> ContextUpdates<FetchUpdate<RecordType>> {
    try updates(
      of: type, where: condition.predicate, sortedBy: order.sortDescriptors, offset: offset, limit: limit,
      properties: properties)
  }

  /// Returns all records of a record type over time, in an order.
  ///
  /// - Throws: ``RequestFailure`` as ``fetch(_:)`` does, and with `invalid-entity` if no entity has the record type.
  public func updates<RecordType: Record>(
    of type: RecordType.Type, sortedBy order: TypedSortOrder<RecordType>, offset: Int = 0, limit: Int? = nil,
    properties: [PropertyName]? = nil
  ) throws(RequestFailure) -> ContextUpdates<FetchUpdate<RecordType>> {
    try updates(
      of: type, sortedBy: order.sortDescriptors, offset: offset, limit: limit, properties: properties)
  }
}
