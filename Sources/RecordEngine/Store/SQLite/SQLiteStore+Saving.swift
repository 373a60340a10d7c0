import RecordModel

extension SQLiteStore {
  /// Writes the changes in one transaction. The number of statements depends on the schema, not on the number of
  /// changes.
  package func commit(_ changes: ChangeSet, confirming isWanted: () -> Bool) throws(StoreError) {
    guard !changes.isEmpty else { return }
    try using { () throws(SQLiteError) in
      let generation = savedGeneration.saved(deletes: !changes.deleted.isEmpty, isFirst: !isWritten)
      var saved: (serials: [Int64], position: Int64)?
      try connection.transaction { () throws(SQLiteError) in
        let positions = MemberPositions(changes.orderings, next: nextPosition)
        defer { nextPosition = positions.next }
        try writeRows(changes, positions)
        try writeLinks(changes, positions)
        try reorder(changes.orderings, positions)
        try dropTraces(of: changes.deleted)
        saved = try writeCounters(changes, nextPosition: positions.next)
        try generation.write(connection)
        guard isWanted() else { throw .calledOff }
      }
      if let saved { (savedSerials, savedPosition) = saved }
      (savedGeneration, isWritten) = (generation, true)
    }
  }

  // MARK: Rows

  private func writeRows(_ changes: ChangeSet, _ positions: MemberPositions) throws(SQLiteError) {
    let insertedByTree = Dictionary(grouping: changes.inserted, by: \.id.tree)
    let updatedByTree = Dictionary(grouping: changes.updated, by: \.after.id.tree)
    for tree in Set(insertedByTree.keys).union(updatedByTree.keys).sorted() {
      let slots = schema.trees[tree].toOnes.map { schema.relationships[$0].inverse }
      let position: SQLiteTable.Position = { slot, owner, member in
        positions.position(of: member, in: slots[for: slot], owner: owner)
      }
      if let inserted = insertedByTree[tree] {
        try connection.run(
          statements.insertions[for: tree], .list(tables[for: tree].insertion(inserted, position)))
      }
      guard let updated = updatedByTree[tree] else { continue }
      for statement in tables[for: tree].updates(updated, position) {
        try connection.run(statement.sql, .list(statement.list))
      }
    }
  }

  /// Deletes rows, and removes their records from all relationships.
  private func dropTraces(of deleted: [Row]) throws(SQLiteError) {
    for tree in Set(deleted.map(\.id.tree)).sorted() {
      let list = SQLiteValue.list(SQLiteList(deleted.filter { $0.id.tree == tree }.map(\.id.serial)))
      try connection.run(statements.deletions[for: tree], list)
      for toOne in statements.toOnes where toOne.destination == tree {
        try connection.run(toOne.clearing, list)
      }
      for relationship in schema.relationships {
        guard let links = statements.links[for: relationship.index] else { continue }
        if schema.entities[relationship.entity].tree == tree {
          try connection.run(links.deletionByOwner, list)
        }
        if schema.entities[relationship.destination].tree == tree {
          try connection.run(links.deletionByMember, list)
        }
      }
    }
  }

  // MARK: Links

  private func writeLinks(_ changes: ChangeSet, _ positions: MemberPositions) throws(SQLiteError) {
    for relationship in schema.relationships {
      guard let statements = statements.links[for: relationship.index] else { continue }
      let unlinked = changes.unlinked.filter { $0.relationship == relationship.index }
      if !unlinked.isEmpty { try connection.run(statements.deletion, .list(Self.list(unlinked))) }
      let linked = changes.linked.filter { $0.relationship == relationship.index }
      guard !linked.isEmpty else { continue }
      let firstIsInverse = statements.ordering == nil
      let list = SQLiteList(count: linked.count) { row, column, cell in
        let link = linked[row]
        switch column {
        case 0: cell.set(link.owner.serial)
        case 1: cell.set(link.member.serial)
        case 2 where !firstIsInverse:
          cell.set(positions.position(of: link.member, in: relationship.index, owner: link.owner))
        default: cell.set(positions.position(of: link.owner, in: relationship.inverse, owner: link.member))
        }
      }
      try connection.run(statements.insertion, .list(list))
    }
  }

  // MARK: Order

  /// Renumbers the members of relationships with an explicit order. The order does not change the members.
  private func reorder(_ orderings: [ChangeSet.Ordering], _ positions: MemberPositions) throws(SQLiteError) {
    for relationship in schema.relationships where relationship.isOrdered {
      let ordered = orderings.filter { $0.relationship == relationship.index && $0.order != nil }
      guard !ordered.isEmpty, let sql = orderingStatement(relationship) else { continue }
      var numbers: [(owner: Int64, member: Int64, position: Int64)] = []
      let members = try members(relationship.index, ordered.map(\.owner))
      for (ordering, members) in zip(ordered, members) {
        let known = Set(members)
        let order = (ordering.order ?? []).filter(known.contains)
        let remaining = known.subtracting(order)
        for member in order + members.filter(remaining.contains) {
          numbers.append((ordering.owner.serial, member.serial, positions.takeNext()))
        }
      }
      let list = SQLiteList(count: numbers.count) { [numbers] row, column, cell in
        switch column {
        case 0: cell.set(numbers[row].owner)
        case 1: cell.set(numbers[row].member)
        default: cell.set(numbers[row].position)
        }
      }
      try connection.run(sql, .list(list))
    }
  }

  private func orderingStatement(_ relationship: SchemaRelationship) -> String? {
    guard let link = relationship.linkRelationship else {
      return statements.rowOrderings[for: relationship.index]
    }
    return link == relationship.index
      ? statements.links[for: link]?.ordering : statements.links[for: link]?.inverseOrdering
  }

  // MARK: Counters

  /// Writes the counters. Returns their values in the file after the transaction.
  private func writeCounters(
    _ changes: ChangeSet, nextPosition: Int64
  ) throws(SQLiteError) -> (serials: [Int64], position: Int64) {
    // A record from another source, for example in a test, can have a higher number than all reserved ones.
    for row in changes.inserted {
      nextSerials[for: row.id.tree] = max(nextSerials[for: row.id.tree], row.id.serial + 1)
    }
    var counters: [(name: String, next: Int64)] = []
    for tree in nextSerials.indices where nextSerials[tree] != savedSerials[tree] {
      counters.append((layout.tables[tree].name, nextSerials[tree]))
    }
    if nextPosition != savedPosition { counters.append((SQLiteLayout.positionCounter, nextPosition)) }
    if !counters.isEmpty {
      let list = SQLiteList(count: counters.count) { [counters] row, column, cell in
        if column == 0 { cell.set(counters[row].name) } else { cell.set(counters[row].next) }
      }
      try connection.run(SQLiteStoreStatements.counters, .list(list))
    }
    return (nextSerials, nextPosition)
  }
}

/// The positions of new members in ordered relationships. They are assigned in ascending order as members are added.
private final class MemberPositions {
  private struct Membership: Hashable {
    var end: RelationshipEnd
    var member: RecordID
  }

  private var positions: [Membership: Int64] = [:]
  private(set) var next: Int64

  init(_ orderings: [ChangeSet.Ordering], next: Int64) {
    self.next = next
    for ordering in orderings {
      let end = RelationshipEnd(relationship: ordering.relationship, owner: ordering.owner)
      for member in ordering.added { positions[Membership(end: end, member: member)] = takeNext() }
    }
  }

  func takeNext() -> Int64 {
    defer { next += 1 }
    return next
  }

  /// Returns the position of a new member. A member whose addition is not recorded is added at the end.
  func position(of member: RecordID, in relationship: RelationshipIndex?, owner: RecordID) -> Int64 {
    relationship.flatMap {
      positions[Membership(end: RelationshipEnd(relationship: $0, owner: owner), member: member)]
    } ?? takeNext()
  }
}
