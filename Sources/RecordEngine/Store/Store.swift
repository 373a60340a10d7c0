package import RecordModel

/// Where records are read from: a store, or the unsaved changes of a context over it.
///
/// All calls are for groups, so that a response costs a fixed number of them.
package protocol StoreReader: RowSource {
  /// Sets aside serial numbers for new records of a tree, and answers the first of `count` ids that follow each other.
  /// They are never given again.
  func reserveIDs(tree: TreeIndex, count: Int) -> RecordID

  /// The rows in the order of `ids`; nil for records that are not there.
  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?]

  /// The rows in the key scope `scope` (an entity that declares a key), in the order of `keys`; nil for keys that none
  /// has.
  func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?]

  /// All rows of an entity and its sub-entities, oldest first.
  func rows(of entity: EntityIndex) throws(StoreError) -> [Row]

  /// The rows that a fetch asks for.
  func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row]

  /// How many rows a fetch asks for.
  func count(_ fetch: StoreFetch) throws(StoreError) -> Int

  /// The different values that the rows a fetch asks for have in a column, nil left out, in the order of
  /// `AttributeValue.compare`.
  func distinctValues(inColumn column: ColumnIndex, _ fetch: StoreFetch) throws(StoreError)
    -> [AttributeValue]

  /// The members of a to-many relationship of each owner: in their order if it is ordered, else oldest first.
  func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError) -> [[RecordID]]

  /// The owners of each member through a relationship without inverse, oldest first.
  func owners(of relationship: SchemaRelationship, members: [RecordID]) throws(StoreError) -> [[RecordID]]

  /// For each link, whether it is there.
  func areThere(_ links: [Link]) throws(StoreError) -> [Bool]

  /// Whether a record was made by unsaved changes, so that no store has it.
  func isUnsaved(_ id: RecordID) -> Bool
}

extension StoreReader {
  package func isUnsaved(_ id: RecordID) -> Bool { false }

  package func count(_ fetch: StoreFetch) throws(StoreError) -> Int { try rows(fetch).count }

  package func distinctValues(
    inColumn column: ColumnIndex, _ fetch: StoreFetch
  ) throws(StoreError) -> [AttributeValue] {
    AttributeValue.distinct(try rows(fetch).lazy.compactMap { $0.values[column] })
  }
}

extension StoreReader {
  package func owners(
    of relationship: SchemaRelationship, members: [RecordID]
  ) throws(StoreError) -> [[RecordID]] {
    let rows = try rows(of: relationship.entity)
    let targets =
      if let slot = relationship.slot {
        rows.map { row in row.toOnes[slot].map { [$0] } ?? [] }
      } else {
        try self.members(of: relationship.index, owners: rows.map(\.id))
      }
    var owners: [RecordID: [RecordID]] = [:]
    for member in members { owners[member] = [] }
    for (row, targets) in zip(rows, targets) {
      for target in targets { owners[target]?.append(row.id) }
    }
    return members.map { owners[$0] ?? [] }
  }
}

extension AttributeValue {
  /// Each value once, in order.
  static func distinct(_ values: some Sequence<AttributeValue>) -> [AttributeValue] {
    var result: [AttributeValue] = []
    for value in values.sorted(by: areInIncreasingOrder) {
      if let last = result.last, !areInIncreasingOrder(last, value) { continue }
      result.append(value)
    }
    return result
  }
}

/// Where records are kept.
package protocol Store: StoreReader, Sendable {
  /// How far it has come. A save that writes nothing changes nothing of it.
  var generation: StoreGeneration { get }

  /// Does all of it or nothing. To be called by whoever holds the turn to write.
  ///
  /// A deleted record leaves all links, and every to-one that leads to it, whether `changes` says so or not.
  ///
  /// - Parameter isWanted: called once, right before the changes take effect; not if there are none.
  /// - Throws: where `isWanted` returns false, too.
  func commit(_ changes: ChangeSet, confirming isWanted: () -> Bool) throws(StoreError)
}

extension Store {
  /// Does all of it or nothing.
  package func commit(_ changes: ChangeSet) throws(StoreError) { try commit(changes) { true } }
}

/// Why a store could not be read or written.
package struct StoreError: Error, Hashable, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}
