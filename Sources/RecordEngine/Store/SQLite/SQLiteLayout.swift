import RecordModel

/// The tables and columns in the file of a store that correspond to a schema. There is one table for each inheritance
/// tree, and one for the links of each relationship that no row stores. Names are unquoted.
///
/// The columns of attributes have no declared type, so that SQLite stores and compares values unconverted.
package struct SQLiteLayout: Sendable {
  package struct Table: Sendable {
    /// The name of the root entity, with a suffix if another table has this name.
    package var name: String
    /// The columns of attributes, indexed by `SchemaAttribute.column`.
    package var columns: [String]
    /// The columns of to-one relationships, indexed by `SchemaRelationship.slot`.
    package var toOnes: [ToOne]

    /// The slots with their columns.
    var slots: some Sequence<(SlotIndex, ToOne)> { toOnes.lazy.enumerated().map { (SlotIndex($0), $1) } }
  }

  /// The column of a to-one relationship. It contains the serial number of a record in the tree of the destination.
  package struct ToOne: Sendable {
    package var column: String
    /// The column with the position of the record in the inverse, if the inverse is ordered. Positions are assigned in
    /// ascending order.
    package var position: String?
  }

  /// A table of links. Its columns `owner` and `member` contain serial numbers in the trees of the two sides.
  package struct LinkTable: Sendable {
    package var name: String
    /// A Boolean value that indicates whether there is a column `position`, with the position of a member among the
    /// members of its owner.
    package var isOrdered: Bool
    /// A Boolean value that indicates whether there is a column `inversePosition`, with the position of an owner among
    /// the owners of a member.
    package var isInverseOrdered: Bool
  }

  /// The tables, by tree.
  package var tables: [Table]
  /// The tables of links, by `SchemaRelationship.linkRelationship`; nil for all other relationships.
  package var linkTables: [LinkTable?]
  /// For each entity, its number in the column `$entity`.
  package var entityNumbers: [Int64]

  /// The column with the serial number of a record, which is the primary key.
  package static let id = "$id"
  /// The column with the number of a record's entity, as in ``entityNumbers``.
  package static let entity = "$entity"
  /// The column that contains 1 if only the key of a record is known, otherwise 0.
  package static let stub = "$stub"
}

extension SQLiteLayout {
  /// Creates the layout of a file whose model has the same entities and properties as the schema.
  init(_ schema: Schema, _ model: StoredModel) {
    let entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    tables = schema.trees.map {
      Table(
        name: entities[schema.entities[$0.root].name.rawValue]?.table ?? "",
        columns: Array(repeating: "", count: $0.columnCount),
        toOnes: Array(repeating: ToOne(column: ""), count: $0.toOnes.count))
    }
    entityNumbers = schema.entities.map { entities[$0.name.rawValue]?.number ?? -1 }
    linkTables = Array(repeating: nil, count: schema.relationships.count)
    for entity in schema.entities {
      guard let stored = entities[entity.name.rawValue] else { continue }
      for attribute in stored.attributes {
        guard let position = entity.attributeIndices[PropertyName(attribute.name)] else { continue }
        tables[for: entity.tree].columns[for: entity.attributes[position].column] = attribute.column
      }
      for relationship in stored.relationships {
        guard let index = entity.relationshipIndices[PropertyName(relationship.name)] else { continue }
        let value = schema.relationships[index]
        if let slot = value.slot, let column = relationship.column {
          tables[for: entity.tree].toOnes[for: slot] = ToOne(column: column, position: relationship.position)
        }
        if let table = relationship.table {
          linkTables[for: index] = LinkTable(
            name: table, isOrdered: value.isOrdered,
            isInverseOrdered: value.inverse.map { schema.relationships[$0].isOrdered } ?? false)
        }
      }
    }
  }
}

// MARK: - SQL

extension String {
  /// The name as a quoted SQL identifier.
  package var quoted: String {
    "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

extension SQLiteLayout {
  struct Object: Hashable {
    var name: String
    var sql: String
  }

  static let metadata = Object(
    name: "$metadata",
    sql: #"CREATE TABLE "$metadata" (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"#)
  /// The table of counters: the next serial number of each tree, under the name of its table, and the next position.
  static let counters = Object(
    name: "$counters",
    sql: #"CREATE TABLE "$counters" (name TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID"#)
  /// The name of the counter for positions.
  static let positionCounter = "$position"

  /// Returns the tables and indexes of the schema, in the order of their creation.
  func objects(_ schema: Schema) -> [Object] {
    var objects: [Object] = []
    var keyNames = DistinctNames()
    for (tree, table) in zip(schema.trees.elementIndices, tables) {
      objects.append(Object(name: table.name, sql: creation(of: table)))
      for entity in schema.entities(ofTree: tree) where entity.keyScope == entity.index {
        guard case .attributes(let positions) = entity.key else { continue }
        let columns = positions.map { table.columns[for: entity.attributes[$0].column].quoted }
        objects.append(
          index(
            keyNames.add("\(table.name).\(entity.name.rawValue)$key"), on: table.name,
            columns.joined(separator: ", ")))
      }
      for toOne in table.toOnes {
        let columns = [toOne.column, toOne.position].compactMap { $0?.quoted }.joined(separator: ", ")
        objects.append(
          index(
            "\(table.name).\(toOne.column)$index", on: table.name,
            "\(columns)) WHERE \(toOne.column.quoted) NOT NULL", isOpen: true))
      }
    }
    for case let links? in linkTables {
      objects.append(Object(name: links.name, sql: creation(of: links)))
      objects.append(index("\(links.name)$inverse", on: links.name, "member, owner"))
    }
    return objects
  }

  private func creation(of table: Table) -> String {
    var columns = ["\(Self.id.quoted) INTEGER PRIMARY KEY", "\(Self.entity.quoted)", "\(Self.stub.quoted)"]
    columns += table.columns.map(\.quoted)
    columns += table.toOnes.map(\.column.quoted) + table.toOnes.compactMap { $0.position?.quoted }
    return "CREATE TABLE \(table.name.quoted) (\(columns.joined(separator: ", ")))"
  }

  private func creation(of links: LinkTable) -> String {
    let columns =
      ["owner", "member"] + (links.isOrdered ? ["position"] : [])
      + (links.isInverseOrdered ? ["inversePosition"] : [])
    return "CREATE TABLE \(links.name.quoted) (\(columns.joined(separator: ", ")), "
      + "PRIMARY KEY (owner, member)) WITHOUT ROWID"
  }

  private func index(_ name: String, on table: String, _ columns: String, isOpen: Bool = false) -> Object {
    Object(name: name, sql: "CREATE INDEX \(name.quoted) ON \(table.quoted) (\(columns)\(isOpen ? "" : ")")")
  }
}
