import RecordModel

/// The SQL statements of a store. They are built once.
struct SQLiteStoreStatements: Sendable {
  struct Key: Sendable {
    var types: [AttributeType]
    var sql: String
  }

  struct Links: Sendable {
    var exist: String
    var insertion: String
    var deletion: String
    var deletionByOwner: String
    var deletionByMember: String
    /// The statement that sets positions; nil if the side is not ordered.
    var ordering: String?
    var inverseOrdering: String?
  }

  struct ToOne: Sendable {
    /// The tree of the records that the to-one leads to.
    var destination: TreeIndex
    var clearing: String
  }

  /// The statements that read, insert and delete rows, by tree.
  let rowsByID: [String]
  let insertions: [String]
  let deletions: [String]
  /// The statements that find rows by key, by key scope; nil if the key does not consist of attributes.
  let rowsByKey: [Key?]
  /// The statements that read members, by relationship; nil for a to-one. The result columns are the index in the list,
  /// the member, and its position.
  let members: [String?]
  /// The statements that read owners, by relationship; nil for a relationship with an inverse. The result columns are
  /// the index in the list and the owner.
  let owners: [String?]
  /// The statements for links, by `SchemaRelationship.linkRelationship`.
  let links: [Links?]
  let toOnes: [ToOne]
  /// The statements that set positions in rows, by relationship; nil unless rows store the order of the members.
  let rowOrderings: [String?]

  static let counters = #"UPDATE "$counters" AS k SET next = l.c1 FROM "$list"(?1) AS l WHERE k.name = l.c0"#

  init(_ schema: Schema, _ layout: SQLiteLayout, _ tables: [SQLiteTable]) {
    rowsByID = tables.map(\.rowsByID)
    insertions = tables.map(\.insertion)
    deletions = tables.map(\.deletion)
    let scopes = Dictionary(grouping: schema.entities.elementIndices) { schema.entities[$0].keyScope }
    rowsByKey = schema.entities.map { entity in
      guard entity.keyScope == entity.index, case .attributes(let positions) = entity.key else { return nil }
      return Key(
        types: positions.map { entity.attributes[$0].type },
        sql: tables[for: entity.tree].rows(
          byKey: positions.map { entity.attributes[$0].column },
          among: (scopes[entity.index] ?? []).map { layout.entityNumbers[for: $0] }))
    }
    links = layout.linkTables.map { $0.map(Links.init) }
    let byRows = schema.relationships.map { MembersByRows($0, schema, layout, tables) }
    members = zip(schema.relationships, byRows).map { relationship, rows in
      guard let link = relationship.linkRelationship, let table = layout.linkTables[for: link] else {
        return rows?.members
      }
      return Self.members(in: table, isReversed: link != relationship.index)
    }
    rowOrderings = byRows.map { $0?.ordering }
    owners = schema.relationships.map { Self.owners(of: $0, schema, layout, tables) }
    toOnes = schema.trees.indexed.flatMap { tree, value in
      value.slots.map { slot, relationship in
        ToOne(
          destination: schema.entities[schema.relationships[relationship].destination].tree,
          clearing: tables[for: tree].clearing(slot: slot))
      }
    }
  }

  /// The statements of a to-many whose members' rows store their owner.
  private struct MembersByRows {
    var members: String
    /// The statement that sets positions; nil if the members have no order.
    var ordering: String?

    init?(
      _ relationship: SchemaRelationship, _ schema: Schema, _ layout: SQLiteLayout, _ tables: [SQLiteTable]
    ) {
      guard relationship.isToMany, let inverse = relationship.inverse.map({ schema.relationships[$0] }),
        let slot = inverse.slot
      else { return nil }
      let tree = schema.entities[inverse.entity].tree
      let toOne = layout.tables[for: tree].toOnes[for: slot]
      let (table, column) = (tables[for: tree].name, toOne.column.quoted)
      members =
        "SELECT l.rowid, t.\"$id\", t.\((toOne.position ?? SQLiteLayout.id).quoted) "
        + "FROM \"$list\"(?1) AS l CROSS JOIN \(table) AS t ON t.\(column) = l.c0"
      ordering = toOne.position.map {
        "UPDATE \(table) AS t SET \($0.quoted) = l.c2 FROM \"$list\"(?1) AS l "
          + "WHERE t.\"$id\" = l.c1 AND t.\(column) = l.c0"
      }
    }
  }

  private static func owners(
    of relationship: SchemaRelationship, _ schema: Schema, _ layout: SQLiteLayout, _ tables: [SQLiteTable]
  ) -> String? {
    guard relationship.inverse == nil else { return nil }
    if let table = layout.linkTables[for: relationship.index] {
      return
        "SELECT l.rowid, t.owner FROM \"$list\"(?1) AS l CROSS JOIN \(table.name.quoted) AS t ON t.member = l.c0"
    }
    guard let slot = relationship.slot else { return nil }
    let tree = schema.entities[relationship.entity].tree
    return
      "SELECT l.rowid, t.\"$id\" FROM \"$list\"(?1) AS l CROSS JOIN \(tables[for: tree].name) AS t "
      + "ON t.\(layout.tables[for: tree].toOnes[for: slot].column.quoted) = l.c0"
  }

  private static func members(in table: SQLiteLayout.LinkTable, isReversed: Bool) -> String {
    let (owner, member) = isReversed ? ("member", "owner") : ("owner", "member")
    let column: String =
      switch (isReversed, table.isOrdered, table.isInverseOrdered) {
      case (false, true, _): "position"
      case (true, _, true): "inversePosition"
      default: member
      }
    return
      "SELECT l.rowid, t.\(member), t.\(column) FROM \"$list\"(?1) AS l CROSS JOIN \(table.name.quoted) AS t "
      + "ON t.\(owner) = l.c0"
  }
}

extension SQLiteStoreStatements.Links {
  init(_ table: SQLiteLayout.LinkTable) {
    let name = table.name.quoted
    let positions =
      (table.isOrdered ? ["position"] : []) + (table.isInverseOrdered ? ["inversePosition"] : [])
    let columns = ["owner", "member"] + positions
    let cells = columns.indices.map { "c\($0)" }
    exist =
      "SELECT l.rowid FROM \"$list\"(?1) AS l CROSS JOIN \(name) AS t ON t.owner = l.c0 AND t.member = l.c1"
    insertion =
      "INSERT INTO \(name) (\(columns.joined(separator: ", "))) SELECT \(cells.joined(separator: ", ")) FROM \"$list\"(?1)"
    deletion = "DELETE FROM \(name) WHERE (owner, member) IN (SELECT c0, c1 FROM \"$list\"(?1))"
    deletionByOwner = "DELETE FROM \(name) WHERE owner IN (SELECT c0 FROM \"$list\"(?1))"
    deletionByMember = "DELETE FROM \(name) WHERE member IN (SELECT c0 FROM \"$list\"(?1))"
    ordering =
      table.isOrdered
      ? "UPDATE \(name) AS t SET position = l.c2 FROM \"$list\"(?1) AS l WHERE t.owner = l.c0 AND t.member = l.c1"
      : nil
    inverseOrdering =
      table.isInverseOrdered
      ? "UPDATE \(name) AS t SET inversePosition = l.c2 FROM \"$list\"(?1) AS l WHERE t.member = l.c0 AND t.owner = l.c1"
      : nil
  }
}
