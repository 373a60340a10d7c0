package import RecordModel

/// The selection and the order of the rows to read.
package struct StoreFetch: Hashable, Sendable {
  /// The index of the entity in the schema. Its sub-entities are included.
  package var entity: EntityIndex
  /// The predicate; nil for all rows.
  package var predicate: RecordPredicate?
  /// The sort descriptors, the most significant first. Rows that are equal in all of them are sorted oldest first.
  package var sort: [StoreSort]
  /// The number of rows to skip at the start of the result; at least 0.
  package var offset: Int
  /// The maximum number of rows; nil for all rows, otherwise at least 0.
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

/// A sort descriptor: an attribute of the row, or of the row that a path of to-one relationships leads to. In ascending
/// order, rows without a value come first.
package struct StoreSort: Hashable, Sendable {
  /// The to-one relationships to follow, by their indices in the schema.
  package var path: [RelationshipIndex]
  /// The `SchemaAttribute.column` of the row at the end of the path.
  package var column: ColumnIndex
  package var isAscending: Bool

  package init(path: [RelationshipIndex] = [], column: ColumnIndex, isAscending: Bool = true) {
    self.path = path
    self.column = column
    self.isAscending = isAscending
  }
}

extension StoreFetch {
  /// Returns the part of a complete result that the offset and the limit select. Rule: `fetch.page`.
  func page<Element>(of whole: [Element]) -> [Element] {
    let remaining = whole.dropFirst(offset)
    return Array(limit.map { remaining.prefix($0) } ?? remaining)
  }
}
