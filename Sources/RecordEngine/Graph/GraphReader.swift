import RecordModel

/// A reader that reads the records of a graph, including its unsaved changes. A child context reads its parent this
/// way. A response that is not saved yet reads the unsaved changes of its context this way.
///
/// Not sendable: the reader and the owner of the graph share an isolation.
final class GraphReader: StoreReader {
  var graph: WorkingGraph
  /// The records that are not found by key or among the rows of an entity. Relationships still lead to them.
  private let hidden: Set<RecordID>

  init(_ graph: WorkingGraph, hiding hidden: Set<RecordID> = []) {
    self.graph = graph
    self.hidden = hidden
  }

  func reserveIDs(tree: TreeIndex, count: Int) -> RecordID {
    graph.reader.reserveIDs(tree: tree, count: count)
  }

  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?] { try graph.rows(ids) }

  func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?] {
    try graph.rows(scope: scope, keys: keys, hiding: hidden)
  }

  func rows(of entity: EntityIndex) throws(StoreError) -> [Row] {
    try rows(StoreFetch(entity: entity))
  }

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    let rows = try graph.rows(fetch).map { graph.withoutDeletedTargets($0) }
    return hidden.isEmpty ? rows : rows.filter { !hidden.contains($0.id) }
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
  fileprivate mutating func rows(
    scope: EntityIndex, keys: [RecordKey], hiding hidden: Set<RecordID>
  ) throws(StoreError) -> [Row?] {
    let stored = try reader.rows(scope: scope, keys: keys)
    adopt(stored.compactMap(\.self))
    var changed: [RecordKey: RecordID] = [:]
    for row in changedRows
    where schema.entities[row.entity].keyScope == scope && !hidden.contains(row.id) {
      // If two unsaved records have the same key, which no save permits, the record that was changed first is found.
      if let key = row.key(in: schema), changed[key] == nil { changed[key] = row.id }
    }
    return zip(keys, stored).map { key, stored in
      let current = stored.flatMap { knownRow($0.id) }
      let isFound = current.map { $0.key(in: schema) == key && !hidden.contains($0.id) } ?? false
      let row = isFound ? current : changed[key].flatMap { knownRow($0) }
      return row.map { withoutDeletedTargets($0) }
    }
  }

  fileprivate mutating func exist(_ links: [Link]) throws(StoreError) -> [Bool] {
    for (relationship, links) in Dictionary(grouping: links, by: \.relationship).sorted(by: {
      $0.key < $1.key
    }) {
      try prepareMemberships(of: relationship, links.map { ($0.owner, $0.member) })
    }
    return try links.map { link throws(StoreError) in
      try isMember(link.member, of: link.relationship, owner: link.owner)
    }
  }
}
