public import RecordModel

/// Which records to fetch, and in which order.
public struct RecordFetchRequest: Hashable, Sendable {
  /// Sub-entities included.
  public var entity: EntityName
  public var predicate: RecordPredicate?
  /// In order of weight. Records that are equal in all of them stand oldest first.
  public var sortDescriptors: [RecordSortDescriptor]
  /// Nil: all.
  public var limit: Int?

  public init(
    _ entity: EntityName, predicate: RecordPredicate? = nil, sortDescriptors: [RecordSortDescriptor] = [],
    limit: Int? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.limit = limit
  }
}

/// An attribute to sort by. Records without a value come first when ascending.
public struct RecordSortDescriptor: Hashable, Sendable {
  public var attribute: PropertyName
  public var isAscending: Bool

  public init(_ attribute: PropertyName, isAscending: Bool = true) {
    self.attribute = attribute
    self.isAscending = isAscending
  }
}
