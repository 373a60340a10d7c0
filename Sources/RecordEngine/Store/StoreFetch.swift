package import RecordModel

/// Which rows to read, and in which order.
package struct StoreFetch: Hashable, Sendable {
  /// The index of an entity in the schema; its sub-entities are included.
  package var entity: EntityIndex
  /// Nil: all.
  package var predicate: RecordPredicate?
  /// In order of weight. Rows that are equal in all of them stand oldest first.
  package var sort: [StoreSort]
  /// How many rows at the start of the answer to leave out; never below 0.
  package var offset: Int
  /// Nil: all; never below 0.
  package var limit: Int?

  package init(
    entity: EntityIndex, predicate: RecordPredicate? = nil, sort: [StoreSort] = [], offset: Int = 0,
    limit: Int? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
    self.offset = max(0, offset)
    self.limit = limit.map { max(0, $0) }
  }
}

/// An attribute to sort by: of the row itself, or of the one that its to-ones lead to. Rows without a value come first
/// when ascending.
package struct StoreSort: Hashable, Sendable {
  /// To-one relationships, by their index in the schema.
  package var path: [RelationshipIndex]
  /// `SchemaAttribute.column` of the row at the end of the path.
  package var column: ColumnIndex
  package var isAscending: Bool

  package init(path: [RelationshipIndex] = [], column: ColumnIndex, isAscending: Bool = true) {
    self.path = path
    self.column = column
    self.isAscending = isAscending
  }
}

extension StoreFetch {
  /// The part of a whole answer that the offset and the limit leave.
  /// Rule: `fetch.page`.
  func page<Element>(of whole: [Element]) -> [Element] {
    let rest = whole.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }
}
