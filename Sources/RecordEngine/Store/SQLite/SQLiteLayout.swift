import RecordModel

/// Where a store's file keeps what the schema speaks of: one table for each inheritance tree, one for the links of each
/// relationship that no row keeps. All names are as they stand between quotation marks.
///
/// Attributes' columns have no declared type, so that SQLite keeps values and compares them as they are.
package struct SQLiteLayout: Sendable {
  package struct Table: Sendable {
    /// The root entity's name, unless another table has it.
    package var name: String
    /// By `SchemaAttribute.column`.
    package var columns: [String]
    /// By `SchemaRelationship.slot`.
    package var toOnes: [ToOne]

    /// The slots and the columns of the to-ones that have them.
    var slots: some Sequence<(SlotIndex, ToOne)> { toOnes.lazy.enumerated().map { (SlotIndex($0), $1) } }
  }

  /// The column of a to-one relationship: the serial number of a record of the destination's tree.
  package struct ToOne: Sendable {
    package var column: String
    /// The column that says where the record stands in the inverse, if that is ordered. Numbers only grow.
    package var position: String?
  }

  /// A table of links, with the columns `owner` and `member`: serial numbers in the trees of either side.
  package struct LinkTable: Sendable {
    package var name: String
    /// Whether there is a column `position`: where a member stands among the members of its owner.
    package var isOrdered: Bool
    /// Whether there is a column `inversePosition`: where an owner stands among the owners of a member.
    package var isInverseOrdered: Bool
  }

  /// By the index of the tree.
  package var tables: [Table]
  /// By `SchemaRelationship.linkRelationship`; nil for all others.
  package var linkTables: [LinkTable?]
  /// By the index of the entity: what `$entity` says of its records.
  package var entityNumbers: [Int64]

  /// The serial number of a record: the primary key.
  package static let id = "$id"
  /// The number of a record's entity, as in `entityNumbers`.
  package static let entity = "$entity"
  /// 1 for a record of which only the key is known, else 0.
  package static let stub = "$stub"
}

extension SQLiteLayout {
  /// The layout of a file whose model has the same entities and properties as the schema.
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
  /// The name as SQL has it.
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
  /// The next serial number of each tree, by its table's name, and the next position.
  static let counters = Object(
    name: "$counters",
    sql: #"CREATE TABLE "$counters" (name TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID"#)
  /// The name of the counter of positions.
  static let positionCounter = "$position"

  /// The tables and indexes of the schema, in the order in which they are made.
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
