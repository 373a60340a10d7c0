public import RecordModel

/// A description of the records to fetch, and of their order.
///
/// ```swift
/// var request = RecordFetchRequest("Post", predicate: "user.name BEGINSWITH 'A' AND tags.@count > 0")
/// request.sortDescriptors = [RecordSortDescriptor("user.name"), RecordSortDescriptor("date", isAscending: false)]
/// request.limit = 20
/// let posts = try context.fetch(request)
/// ```
public struct RecordFetchRequest: Hashable, Sendable {
  /// The entity of the records, including its sub-entities.
  public var entity: EntityName
  /// The condition that the records satisfy; nil for all records.
  public var predicate: RecordPredicate?
  /// The sort order, the most significant descriptor first. Records that are equal in all descriptors are sorted by
  /// age, the oldest first.
  public var sortDescriptors: [RecordSortDescriptor]
  /// The number of records to skip at the start. A negative number counts as 0.
  public var offset: Int
  /// The maximum number of records; nil for no limit. A negative number counts as 0.
  public var limit: Int?

  /// Creates a request for the records of an entity; by default for all of them, sorted by age.
  public init(
    _ entity: EntityName, predicate: RecordPredicate? = nil, sortDescriptors: [RecordSortDescriptor] = [],
    offset: Int = 0, limit: Int? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.offset = offset
    self.limit = limit
  }
}

/// An attribute to sort by. In ascending order, records without a value come first.
///
/// Numbers and dates are sorted by value, `false` before `true`, and texts by their Unicode scalars.
public struct RecordSortDescriptor: Hashable, Sendable {
  /// The attribute, preceded by the to-one relationships that lead to its record. Usually the attribute alone.
  public var keyPath: [PropertyName]
  /// A Boolean value that indicates whether the smallest value comes first.
  public var isAscending: Bool

  /// Creates a sort descriptor.
  ///
  /// - Parameters:
  ///   - keyPath: the key path of the attribute, such as `date` or `user.name`.
  ///   - isAscending: true to sort the smallest value first, which is the default.
  public init(_ keyPath: String, isAscending: Bool = true) {
    self.init(
      keyPath.split(separator: ".", omittingEmptySubsequences: false).map { PropertyName(String($0)) },
      isAscending: isAscending)
  }

  init(_ keyPath: [PropertyName], isAscending: Bool) {
    (self.keyPath, self.isAscending) = (keyPath, isAscending)
  }
}
