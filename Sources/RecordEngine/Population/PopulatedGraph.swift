import RecordModel

/// The graph of a response, and the protos that are tied to its records.
///
/// Not copyable, so that each phase changes it in place.
struct PopulatedGraph: ~Copyable {
  var protos: [ProtoRecord]
  var summary: ItemSummary
  var graph: WorkingGraph
  /// The relationships that marshalers have changed directly.
  var marshaledEnds: Set<RelationshipEnd> = []
  /// A Boolean value that indicates whether marshalers have changed keys directly, so that two records may have the same.
  var areKeysMarshaled = false
  /// The replaced lists of the pages so far; nil if the response is not a page.
  var replacedLists: ReplacedLists?

  init(_ settled: consuming SettledProtos, _ graph: consuming WorkingGraph) {
    summary = settled.summary
    protos = settled.protos
    self.graph = graph
  }

  // MARK: Tying

  /// A stored record, and the proto tied to it.
  typealias FoundRecord = (row: Row, proto: ProtoIndex)

  mutating func tie(_ proto: ProtoIndex, to id: RecordID) {
    protos[proto].tie(to: id, at: graph.knownIndex(of: id))
  }

  /// Changes the entities of stored records to those of their items, unless the stored entity is the same or a
  /// sub-entity. Items that create no record do not change the entity. Rule: `identity.sub-entity`.
  mutating func adaptEntities(_ found: [FoundRecord], _ report: PopulationReport) throws(StoreError) {
    let schema = graph.schema
    var changing: [FoundRecord] = []
    for (row, proto) in found where !schema.isKind(row.entity, of: protos[proto].entity) {
      if protos[proto].isTombstone || schema.entities[protos[proto].entity].isAbstract { continue }
      if protos[proto].mayBeCreated {
        changing.append((row, proto))
      } else {
        protos[proto].entity = row.entity
      }
    }
    guard !changing.isEmpty else { return }
    try prepareLosses(changing)
    try graph.changeEntities(changing.map { (id: $0.row.id, entity: protos[$0.proto].entity) })
    for (row, proto) in changing {
      let wanted = protos[proto].entity
      report.add(
        .entityChanged, entity: wanted, at: protos[proto].effective.item.node,
        "the stored '\(schema.entities[row.entity].name)' was changed to a '\(schema.entities[wanted].name)'")
    }
  }

  /// Reads the members of the relationships that records are about to lose, one relationship at a time.
  private mutating func prepareLosses(_ changing: [FoundRecord]) throws(StoreError) {
    let schema = graph.schema
    var owners: [RelationshipIndex: [RecordID]] = [:]
    var related: [RecordID] = []
    for (row, proto) in changing {
      let kept = Set(schema.entities[protos[proto].entity].relationships)
      for relationship in schema.entities[row.entity].relationships where !kept.contains(relationship) {
        if let slot = schema.relationships[relationship].slot {
          row.toOnes[slot].map { related.append($0) }
        } else {
          owners[relationship, default: []].append(row.id)
        }
      }
    }
    for (relationship, owners) in owners.sorted(by: { $0.key < $1.key }) {
      try graph.prepareMembers(of: relationship, owners: owners)
      for owner in owners { related += try graph.members(of: relationship, owner: owner) }
    }
    try graph.load(related)
  }

  // MARK: Mentioned records

  /// Returns the records that no delete rule may delete: all records that the response mentions and does not delete,
  /// including those in superseded dictionaries. Records that only tombstones mention are not included.
  func broughtRecords(_ population: Population) throws(StoreError) -> Set<RecordID> {
    var isLeftOut = protos.map(\.isTombstone)
    var pending = Array(protos.elementIndices.filter { isLeftOut[for: $0] })
    while let proto = pending.popLast() {
      for child in protos[proto].effective.children.flatMap(\.protos)
      where !isLeftOut[for: child] && !protos[child].isReachable {
        isLeftOut[for: child] = true
        pending.append(child)
      }
    }
    return try mentionedRecords(population) { !isLeftOut[for: $0] }
  }

  /// Returns the records of protos, including those that only superseded dictionaries mention, although these are not
  /// populated.
  func mentionedRecords(
    _ population: Population, _ isMeant: (ProtoIndex) -> Bool = { _ in true }
  ) throws(StoreError) -> Set<RecordID> {
    var records: Set<RecordID> = []
    var keys = Array(repeating: [RecordKey](), count: population.schema.entities.count)
    for index in protos.elementIndices where isMeant(index) {
      if let record = protos[index].record {
        records.insert(record)
      } else if !protos[index].isReachable, case .key(let scope, let key)? = protos[index].identity {
        keys[for: scope].append(key)
      }
    }
    for scope in population.schema.entities.elementIndices where !keys[for: scope].isEmpty {
      for case let row? in try population.storedRows(scope: scope, keys: keys[for: scope]) {
        records.insert(row.id)
      }
    }
    return records
  }
}
