import RecordModel

/// A reader that reads the records of a graph, including its unsaved changes. A child context reads its parent this
/// way. A response that is not saved yet reads the unsaved changes of its context this way.
///
/// Not sendable: the reader and the owner of the graph share an isolation.
final class GraphReader: StoreReader {
  var graph: WorkingGraph

  init(_ graph: WorkingGraph) { self.graph = graph }

  /// Returns the current row of a record that has been read or inserted; nil if it is not known or deleted.
  // Each expression reads one stored property of the graph. Methods of the graph retain all of them at each call.
  func knownRow(_ id: RecordID) -> Row? {
    guard let index = graph.indices[id] else { return nil }
    return graph.records[index].isDeleted ? nil : graph.records[index].row
  }

  /// Returns the value of an attribute of a record that has been read or inserted, which can be nil; nil if the record is
  /// not known or deleted, or if its entity has no attribute with this name.
  func value(_ name: PropertyName, of id: RecordID) -> AttributeValue?? {
    guard let index = graph.indices[id], !graph.records[index].isDeleted else { return nil }
    let entity = graph.records[index].row.entity
    guard let position = graph.schema.entities[entity].attributeNames.position(of: name.rawValue) else {
      return nil
    }
    return .some(graph.records[index].row.values[graph.schema.entities[entity].attributes[position].column])
  }

  func reserveIDs(tree: TreeIndex, count: Int) -> RecordID {
    graph.reader.reserveIDs(tree: tree, count: count)
  }

  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?] { try graph.rows(ids) }

  func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?] {
    try graph.rows(scope: scope, keys: keys)
  }

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    try graph.rows(fetch).map { graph.withoutDeletedTargets($0) }
  }

  func count(_ fetch: StoreFetch) throws(StoreError) -> Int { try graph.count(fetch) }

  func distinctValues(inColumn column: ColumnIndex, _ fetch: StoreFetch) throws(StoreError)
    -> [AttributeValue]
  {
    try graph.distinctValues(inColumn: column, fetch)
  }

  func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError) -> [[RecordID]] {
    try graph.members(of: relationship, owners: owners)
  }

  func owners(of relationship: SchemaRelationship, members: [RecordID]) throws(StoreError) -> [[RecordID]] {
    try graph.owners(of: relationship.index, members: members)
  }

  func exist(_ links: [Link]) throws(StoreError) -> [Bool] { try graph.exist(links) }

  func isUnsaved(_ id: RecordID) -> Bool { graph.isNew(id) || graph.reader.isUnsaved(id) }
}

extension WorkingGraph {
  /// A reader of the current records.
  var currentReader: any StoreReader { isUntouched ? reader : GraphReader(self) }

  fileprivate mutating func exist(_ links: [Link]) throws(StoreError) -> [Bool] {
    for (relationship, links) in Dictionary(grouping: links, by: \.relationship).sorted(by: {
      $0.key < $1.key
    }) {
      try prepareMemberships(of: relationship, links.map { ($0.owner, $0.member) })
    }
    return try links.map { link throws(StoreError) -> Bool in
      // A `deny` rule keeps the links of a deleted record.
      if isDeleted(link.owner) || isDeleted(link.member) { return false }
      return try isMember(link.member, of: link.relationship, owner: link.owner)
    }
  }
}
