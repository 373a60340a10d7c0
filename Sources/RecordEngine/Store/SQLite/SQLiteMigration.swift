import RecordModel

/// The migration of the content of a file to the tables of a newer model, in one transaction.
struct SQLiteMigration {
  let connection: SQLiteConnection
  let migration: ModelMigration
  let schema: Schema
  private let layout: SQLiteLayout

  init(_ connection: SQLiteConnection, _ migration: ModelMigration, _ schema: Schema) {
    self.connection = connection
    self.migration = migration
    self.schema = schema
    layout = SQLiteLayout(schema, migration.new)
  }

  func run() throws(SQLiteError) {
    let objects = layout.objects(schema)
    let tables = Set(layout.tables.map(\.name) + layout.linkTables.compactMap { $0?.name })
    try connection.transaction { () throws(SQLiteError) in
      let formerTables = oldTables
      for table in formerTables {
        try connection.run("ALTER TABLE \(table.quoted) RENAME TO \(Self.former(table))")
      }
      for object in objects where tables.contains(object.name) { try connection.run(object.sql) }
      for tree in schema.trees.elementIndices { try copyRows(tree) }
      for tree in schema.trees.elementIndices { try clearDangling(tree) }
      for relationship in schema.relationships { try copyLinks(relationship) }
      try writeCounters()
      for table in formerTables { try connection.run("DROP TABLE \(Self.former(table))") }
      for object in objects where !tables.contains(object.name) { try connection.run(object.sql) }
      try connection.run(
        #"UPDATE "$metadata" SET value = ?1 WHERE name = 'model'"#, .text(migration.new.text))
      try StoreGeneration.read(connection)?.saved(deletes: true, isFirst: true).write(connection)
    }
    connection.forgetStatements()
  }

  /// Returns the required relationships that records would lose because an entity was removed, one sentence each.
  func losses() throws(SQLiteError) -> [String] {
    var sentences: [String] = []
    for relationship in schema.relationships where !relationship.isOptional {
      guard let before = old(relationship),
        let (links, owner, member) = formerPairs(of: before, relationship),
        let owners = formerRecords(treeOf: relationship.entity),
        let members = formerRecords(treeOf: relationship.destination)
      else { continue }
      var count = 0
      try connection.query(
        "SELECT count(DISTINCT \(owner)) FROM \(links) WHERE \(owner) IN (\(owners)) AND \(member) NOT NULL "
          + "AND \(owner) NOT IN (SELECT \(owner) FROM \(links) WHERE \(owner) NOT NULL AND \(member) IN (\(members)))"
      ) { count = Int($0.integer(0)) }
      guard count > 0 else { continue }
      sentences.append(
        "'\(schema.entities[relationship.entity].name).\(relationship.name)' is required, and "
          + "\(counted(count, "record")) would have none: the entity of their destination was removed")
    }
    return sentences
  }

  /// Returns the table of the old model that stores the two sides of a relationship, with its columns.
  private func formerPairs(
    of before: StoredModel.Relationship, _ relationship: SchemaRelationship
  ) -> (table: String, owner: String, member: String)? {
    let id = SQLiteLayout.id.quoted
    if let column = before.column {
      return formerTable(of: relationship.entity).map { ($0.quoted, id, column.quoted) }
    }
    if let links = formerLinks(of: before) { return (links.table.quoted, links.owner, links.member) }
    guard let column = migration.oldInverse(of: before)?.column else { return nil }
    return formerTable(of: relationship.destination).map { ($0.quoted, column.quoted, id) }
  }

  /// Returns the table of the old model that stores the tree of an entity.
  private func formerTable(of entity: EntityIndex) -> String? {
    migration.entities[for: schema.trees[schema.entities[entity].tree].root]?.table
  }

  /// Returns SQL that selects the remaining records in the tree of an entity.
  private func formerRecords(treeOf entity: EntityIndex) -> String? {
    let numbers = schema.entities(ofTree: schema.entities[entity].tree)
      .compactMap { migration.entities[for: $0.index]?.number }
    return formerTable(of: entity).map {
      "SELECT \(SQLiteLayout.id.quoted) FROM \($0.quoted) "
        + "WHERE \(SQLiteLayout.entity.quoted) IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }
  }

  private var oldTables: [String] {
    migration.old.entities.flatMap { entity in
      (entity.table.map { [$0] } ?? []) + entity.relationships.compactMap(\.table)
    }
  }

  /// Returns the temporary name of a table of the old model.
  private static func former(_ table: String) -> String { "$old.\(table)".quoted }

  // MARK: Rows

  private func copyRows(_ tree: TreeIndex) throws(SQLiteError) {
    let table = layout.tables[for: tree]
    guard let oldTable = migration.entities[for: schema.trees[tree].root]?.table else { return }
    var values: [SQLiteValue] = []
    var names = [SQLiteLayout.id, SQLiteLayout.entity, SQLiteLayout.stub]
    var sources: [String] = []
    var numbers: [Int64] = []
    var entityNumber = "CASE \"$entity\""
    for entity in schema.entities(ofTree: tree) {
      guard let before = migration.entities[for: entity.index] else { continue }
      numbers.append(before.number)
      entityNumber += " WHEN \(before.number) THEN \(layout.entityNumbers[for: entity.index])"
    }
    sources += [SQLiteLayout.id.quoted, entityNumber + " END", SQLiteLayout.stub.quoted]
    for entity in schema.entities(ofTree: tree) {
      for (attribute, before) in zip(
        migration.new.entities[for: entity.index].attributes, migration.attributes[for: entity.index])
      {
        names.append(attribute.column)
        sources.append(source(attribute, before, of: entity, &values))
      }
      let pairs = zip(
        migration.new.entities[for: entity.index].relationships, migration.relationships[for: entity.index])
      for (relationship, before) in pairs {
        guard let column = relationship.column, let former = before?.column else { continue }
        names.append(column)
        sources.append(former.quoted)
        guard let position = relationship.position else { continue }
        names.append(position)
        // In a relationship without an order, the oldest members come first.
        sources.append(before?.position?.quoted ?? "CASE WHEN \(former.quoted) NOT NULL THEN \"$id\" END")
      }
    }
    try connection.query(
      "INSERT INTO \(table.name.quoted) (\(names.map(\.quoted).joined(separator: ", "))) "
        + "SELECT \(sources.joined(separator: ", ")) FROM \(Self.former(oldTable)) "
        + "WHERE \"$entity\" IN (\(numbers.map(String.init).joined(separator: ", ")))", values
    ) { _ in }
  }

  /// Returns the source of a column: its former value, or the default value.
  private func source(
    _ attribute: StoredModel.Attribute, _ before: StoredModel.Attribute?, of entity: SchemaEntity,
    _ values: inout [SQLiteValue]
  ) -> String {
    var fallback = "NULL"
    let value = entity.attributeIndices[PropertyName(attribute.name)].map { entity.attributes[$0] }
    if let value, let defaultValue = value.defaultValue, before == nil || !attribute.isOptional {
      let list = SQLiteList(count: 1) { _, _, cell in defaultValue.write(to: cell, as: value.type) }
      values.append(.list(list))
      // Attributes of the key have no default value (rule `identity.default`).
      let owners = schema.kinds(of: entity.index).filter {
        !schema.entities[$0].keyNames(in: schema).contains(attribute.name)
      }.compactMap { migration.entities[for: $0]?.number }
      fallback =
        "CASE WHEN \"$entity\" IN (\(owners.map(String.init).joined(separator: ", "))) "
        + "THEN (SELECT c0 FROM \"$list\"(?\(values.count))) END"
    }
    guard let before else { return fallback }
    return "coalesce(\(before.column.quoted), \(fallback))"
  }

  /// Clears to-one relationships that lead to records of removed entities.
  private func clearDangling(_ tree: TreeIndex) throws(SQLiteError) {
    for (toOne, index) in zip(layout.tables[for: tree].toOnes, schema.trees[tree].toOnes) {
      let destination = layout.tables[for: schema.entities[schema.relationships[index].destination].tree].name
      let settings = [toOne.column, toOne.position].compactMap { $0.map { "\($0.quoted) = NULL" } }
      try connection.run(
        "UPDATE \(layout.tables[for: tree].name.quoted) SET \(settings.joined(separator: ", ")) "
          + "WHERE \(toOne.column.quoted) NOT IN (SELECT \"$id\" FROM \(destination.quoted))")
    }
  }

  // MARK: Links

  /// A relationship of the old model, with the table of its links from its perspective.
  private struct FormerLinks {
    var table: String
    var owner: String
    var member: String
    /// The columns that sort the members of an owner, and the owners of a member.
    var position: String
    var inversePosition: String

    var reversed: FormerLinks {
      FormerLinks(
        table: table, owner: member, member: owner, position: inversePosition, inversePosition: position)
    }
  }

  private func formerLinks(of relationship: StoredModel.Relationship) -> FormerLinks? {
    let inverse = migration.oldInverse(of: relationship)
    if let table = relationship.table {
      return FormerLinks(
        table: table, owner: "owner", member: "member",
        position: relationship.isOrdered ? "position" : "member",
        inversePosition: inverse?.isOrdered ?? false ? "inversePosition" : "owner")
    }
    guard let inverse, let table = inverse.table else { return nil }
    return FormerLinks(
      table: table, owner: "member", member: "owner",
      position: relationship.isOrdered ? "inversePosition" : "owner",
      inversePosition: inverse.isOrdered ? "position" : "member")
  }

  private func copyLinks(_ relationship: SchemaRelationship) throws(SQLiteError) {
    guard let links = layout.linkTables[for: relationship.index] else { return }
    var former: FormerLinks?
    if let before = old(relationship) {
      former = formerLinks(of: before)
    } else if let inverse = relationship.inverse, let before = old(schema.relationships[inverse]) {
      former = formerLinks(of: before)?.reversed
    }
    guard let former else { return }
    let owners = layout.tables[for: schema.entities[relationship.entity].tree].name.quoted
    let members = layout.tables[for: schema.entities[relationship.destination].tree].name.quoted
    var columns = ["owner", "member"]
    var sources = [former.owner, former.member]
    if links.isOrdered { (columns, sources) = (columns + ["position"], sources + [former.position]) }
    if links.isInverseOrdered {
      (columns, sources) = (columns + ["inversePosition"], sources + [former.inversePosition])
    }
    try connection.run(
      "INSERT INTO \(links.name.quoted) (\(columns.joined(separator: ", "))) "
        + "SELECT \(sources.joined(separator: ", ")) FROM \(Self.former(former.table)) "
        + "WHERE \(former.owner) IN (SELECT \"$id\" FROM \(owners)) "
        + "AND \(former.member) IN (SELECT \"$id\" FROM \(members))")
  }

  private func old(_ relationship: SchemaRelationship) -> StoredModel.Relationship? {
    migration.relationship(
      relationship.name.rawValue, of: schema.entities[relationship.entity].name.rawValue)?.old
  }

  // MARK: Counters

  private func writeCounters() throws(SQLiteError) {
    var counters: [String: Int64] = [:]
    try connection.query(#"SELECT name, next FROM "$counters""#) { counters[$0.text(0)] = $0.integer(1) }
    try connection.run(#"DELETE FROM "$counters""#)
    // If a relationship has become ordered, serial numbers have become positions. The next position must exceed all of
    // them.
    let position = counters.values.max() ?? 1
    for (tree, table) in layout.tables.enumerated() {
      let former = migration.entities[for: schema.trees[tree].root]?.table
      try connection.run(
        #"INSERT INTO "$counters" VALUES (?1, ?2)"#, .text(table.name),
        .integer(former.flatMap { counters[$0] } ?? 1))
    }
    try connection.run(
      #"INSERT INTO "$counters" VALUES (?1, ?2)"#, .text(SQLiteLayout.positionCounter), .integer(position))
  }
}
