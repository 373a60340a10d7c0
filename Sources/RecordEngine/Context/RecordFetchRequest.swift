public import RecordModel

/// Which records to fetch, and in which order.
///
/// ```swift
/// var request = RecordFetchRequest("Post", predicate: "user.name BEGINSWITH 'A' AND tags.@count > 0")
/// request.sortDescriptors = [RecordSortDescriptor("user.name"), RecordSortDescriptor("date", isAscending: false)]
/// request.limit = 20
/// let posts = try context.fetch(request)
/// ```
public struct RecordFetchRequest: Hashable, Sendable {
  /// Sub-entities included.
  public var entity: EntityName
  /// Nil: all records.
  public var predicate: RecordPredicate?
  /// In order of weight. Records that are equal in all of them stand oldest first.
  public var sortDescriptors: [RecordSortDescriptor]
  /// How many records at the start to leave out; fewer than 0 mean 0.
  public var offset: Int
  /// How many records to fetch at most; fewer than 0 mean 0. Nil: all.
  public var limit: Int?

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

/// An attribute to sort by. Records without a value come first when ascending.
///
/// The order is that of the values: numbers and dates by worth, `false` before `true`, texts by Unicode scalars.
public struct RecordSortDescriptor: Hashable, Sendable {
  /// To-one relationships that lead to a record, and an attribute of it; most often the attribute alone.
  public var keyPath: [PropertyName]
  public var isAscending: Bool

  /// - Parameters:
  ///   - keyPath: `date`, or `user.name`.
  ///   - isAscending: whether the least value comes first.
  public init(_ keyPath: String, isAscending: Bool = true) {
    self.keyPath = keyPath.split(separator: ".", omittingEmptySubsequences: false).map {
      PropertyName(String($0))
    }
    self.isAscending = isAscending
  }
}
