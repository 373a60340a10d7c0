/// Where records are kept. All calls are for groups, so that a response costs a fixed number of them.
package protocol Store: Sendable {
  /// Sets aside serial numbers for new records of a tree. They are never given again.
  func reserveIDs(tree: Int, count: Int) -> [RecordID]

  /// The rows in the order of `ids`; nil for records that are not there.
  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?]

  /// The rows in the key scope `scope` (an entity that declares a key) that have one of the keys.
  func rows(scope: Int, keys: [RecordKey]) throws(StoreError) -> [RecordKey: Row]

  /// All rows of an entity and its sub-entities, oldest first.
  func rows(of entity: Int) throws(StoreError) -> [Row]

  /// The members of a to-many relationship of each owner: in their order if it is ordered, else oldest first.
  func members(of relationship: Int, owners: [RecordID]) throws(StoreError) -> [[RecordID]]

  /// For each pair, whether the second is a member of the first one's to-many relationship.
  func areMembers(
    of relationship: Int, _ pairs: [(owner: RecordID, member: RecordID)]
  ) throws(StoreError) -> [Bool]

  /// Does all of it or nothing.
  func commit(_ changes: ChangeSet) throws(StoreError)
}

/// Why a store could not be read or written.
package struct StoreError: Error, Hashable, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}
