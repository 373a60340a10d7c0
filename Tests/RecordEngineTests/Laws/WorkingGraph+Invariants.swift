import RecordModel

@testable import RecordEngine

/// The invariants of a graph, which are checked after each step.
extension WorkingGraph {
  /// Returns a message for each broken invariant.
  ///
  /// - Complexity: Reads all records that are linked to loaded ones, in a copy of the graph.
  func brokenInvariants() throws(StoreError) -> [String] {
    var copy = self
    var broken = copy.brokenIndices()
    for row in copy.liveRows() {
      for relationship in schema.entities[row.entity].relationships.map({ schema.relationships[$0] }) {
        broken += try copy.brokenLinks(relationship, row).map { "\(name(row.id)).\(relationship.name) \($0)" }
      }
    }
    return broken
  }

  private func name(_ id: RecordID) -> String {
    "\(schema.entities[schema.trees[id.tree].root].name)#\(id.serial)"
  }

  /// Returns the rows that can be read without the store, oldest first.
  private func liveRows() -> [Row] { indices.known.compactMap { knownRow($0) }.sorted { $0.id < $1.id } }

  // MARK: One row for each record

  private func brokenIndices() -> [String] {
    var broken: [String] = []
    var indices: Set<WorkingRecordIndex> = []
    for id in self.indices.known.sorted() {
      guard let index = self.indices[id] else { continue }
      if !indices.insert(index).inserted { broken.append("\(name(id)) has the same index as another record") }
      if records[index].row.id != id {
        broken.append("\(name(id)) is at the index of another record")
      }
      let record = records[index]
      if record.stored != record.row || record.isDeleted, !record.isChanged {
        broken.append("\(name(id)) has changed, but is not marked as changed")
      }
    }
    if Set(changed).count != changed.count { broken.append("a record is marked as changed twice") }
    if changed.contains(where: { !indices.contains($0) || !records[$0].isChanged }) {
      broken.append("a record that is marked as changed is missing")
    }
    return broken
  }

  // MARK: Both sides of a link agree, and no link leads to a deleted record

  private mutating func brokenLinks(
    _ relationship: SchemaRelationship, _ row: Row
  ) throws(StoreError) -> [String] {
    guard let slot = relationship.slot else { return try brokenMembers(relationship, row) }
    // Relationships without an inverse are not updated by deletions. Their readers check whether the record exists.
    guard let inverse = relationship.inverse, let target = row.toOnes[slot] else { return [] }
    guard let other = try self.row(target) else { return ["leads to \(name(target)), which is missing"] }
    if !schema.isKind(other.entity, of: relationship.destination) {
      return ["leads to \(name(target)), which has a different entity"]
    }
    let isMutual: Bool
    if let inverseSlot = schema.relationships[inverse].slot {
      isMutual = other.toOnes[inverseSlot] == row.id
    } else {
      isMutual = try members(of: inverse, owner: target).contains(row.id)
    }
    return isMutual ? [] : ["leads to \(name(target)), which does not lead back"]
  }

  private mutating func brokenMembers(
    _ relationship: SchemaRelationship, _ row: Row
  ) throws(StoreError) -> [String] {
    let members = try members(of: relationship.index, owner: row.id)
    var broken: [String] = []
    if Set(members).count != members.count { broken.append("has a member twice") }
    if !relationship.isOrdered, members != members.sorted() { broken.append("is not sorted") }
    for member in members {
      guard let other = try self.row(member) else {
        broken.append("has \(name(member)), which is missing")
        continue
      }
      if !schema.isKind(other.entity, of: relationship.destination) {
        broken.append("has \(name(member)), which has a different entity")
      }
      if try !isMember(member, of: relationship.index, owner: row.id) {
        broken.append("has \(name(member)), which is not a member")
      }
      if let inverse = relationship.inverse, schema.relationships[inverse].slot == nil,
        try !self.members(of: inverse, owner: member).contains(row.id)
      {
        broken.append("has \(name(member)), which does not lead back")
      }
    }
    let derived = try derivedMembers(relationship, row.id)
    if Set(members) != derived {
      let difference = derived.symmetricDifference(members).sorted().map(name).joined(separator: ", ")
      broken.append("differs from the members in its links: \(difference)")
    }
    return broken
  }

  /// Returns the members according to rows and links, regardless of the stored lists.
  private mutating func derivedMembers(
    _ relationship: SchemaRelationship, _ owner: RecordID
  ) throws(StoreError) -> Set<RecordID> {
    let stored = storedRow(owner) == nil ? [] : try reader.members(of: relationship.index, owners: [owner])[0]
    try load(stored)
    let candidates = Set(stored).union(indices.known).sorted()
    var members: Set<RecordID> = []
    for candidate in candidates {
      guard let row = knownRow(candidate), schema.isKind(row.entity, of: relationship.destination) else {
        continue
      }
      if try isMember(candidate, of: relationship.index, owner: owner) { members.insert(candidate) }
    }
    return members
  }
}
