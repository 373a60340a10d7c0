package import RecordModel

/// A source of records: a store, or the unsaved changes of a context on top of it.
///
/// All calls read groups of records, so that a response needs a fixed number of calls.
package protocol StoreReader: RowSource {
  /// Reserves `count` consecutive serial numbers for new records of a tree. Returns the first identifier. Reserved
  /// numbers are never assigned again.
  func reserveIDs(tree: TreeIndex, count: Int) -> RecordID

  /// Returns the rows in the order of `ids`; nil for records that do not exist.
  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?]

  /// Returns the rows with the given keys in a key scope, in the order of `keys`; nil for keys that no row has.
  ///
  /// - Parameter scope: the entity that declares the key.
  func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?]

  /// Returns the rows that match a fetch.
  func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row]

  /// Returns the number of rows that match a fetch.
  func count(_ fetch: StoreFetch) throws(StoreError) -> Int

  /// Returns the distinct values of a column in the rows that match a fetch, without nil, in the order of
  /// `AttributeValue.areInIncreasingOrder`.
  func distinctValues(inColumn column: ColumnIndex, _ fetch: StoreFetch) throws(StoreError)
    -> [AttributeValue]

  /// Returns the members of a to-many relationship of each owner: in their order if it is ordered, otherwise oldest
  /// first.
  func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError) -> [[RecordID]]

  /// Returns the owners of each member through a relationship without inverse, oldest first.
  func owners(of relationship: SchemaRelationship, members: [RecordID]) throws(StoreError) -> [[RecordID]]

  /// Returns, for each link, a Boolean value that indicates whether it exists.
  func exist(_ links: [Link]) throws(StoreError) -> [Bool]

  /// Returns a Boolean value that indicates whether a record was inserted by unsaved changes, so that no store contains
  /// it.
  func isUnsaved(_ id: RecordID) -> Bool
}

extension StoreReader {
  /// Returns all rows of an entity and its sub-entities, oldest first.
  package func rows(of entity: EntityIndex) throws(StoreError) -> [Row] {
    try rows(StoreFetch(entity: entity))
  }

  package func isUnsaved(_ id: RecordID) -> Bool { false }

  package func count(_ fetch: StoreFetch) throws(StoreError) -> Int { try rows(fetch).count }

  package func distinctValues(
    inColumn column: ColumnIndex, _ fetch: StoreFetch
  ) throws(StoreError) -> [AttributeValue] {
    AttributeValue.distinct(try rows(fetch).lazy.compactMap { $0.values[column] })
  }
}

extension AttributeValue {
  /// Returns the distinct values in ascending order.
  static func distinct(_ values: some Sequence<AttributeValue>) -> [AttributeValue] {
    var result: [AttributeValue] = []
    for value in values.sorted(by: areInIncreasingOrder) {
      if let last = result.last, !areInIncreasingOrder(last, value) { continue }
      result.append(value)
    }
    return result
  }
}

/// A store of records.
package protocol Store: StoreReader, Sendable {
  /// The generation of the store's content. A save without changes does not affect it.
  var generation: StoreGeneration { get }

  /// Writes all changes, or none. The caller must have exclusive write access.
  ///
  /// Deletes all links of deleted records and empties all to-one relationships to them, even if `changes` does not
  /// contain these changes.
  ///
  /// - Parameter isWanted: a closure that is called once, immediately before the changes take effect. It is not called
  ///   if there are no changes. It returns false to cancel the save.
  /// - Throws: a ``StoreError`` if the changes cannot be written, or if `isWanted` returns false.
  func commit(_ changes: ChangeSet, confirming isWanted: () -> Bool) throws(StoreError)
}

extension Store {
  /// Writes all changes, or none.
  package func commit(_ changes: ChangeSet) throws(StoreError) { try commit(changes) { true } }
}

/// An error that occurs when a store is read or written.
package struct StoreError: Error, Hashable, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}
