import RecordModel

/// The model in the file of a store: its entities, with the tables and columns that store them.
struct StoredModel: Hashable, Sendable {
  struct Entity: Hashable, Sendable {
    var name: String
    /// The first name of the entity, which renaming identifiers refer to.
    var identifier: String
    /// The number of the entity in the column `$entity`.
    var number: Int64
    var parent: String?
    var isAbstract: Bool
    /// The names of the key properties, as declared; empty if the key is that of an ancestor.
    var key: [String]
    /// The table of the tree; nil for sub-entities.
    var table: String?
    var attributes: [Attribute]
    var relationships: [Relationship]
  }

  struct Attribute: Hashable, Sendable {
    var name: String
    var identifier: String
    var type: AttributeType
    var isOptional: Bool
    var column: String
  }

  struct Relationship: Hashable, Sendable {
    var name: String
    var identifier: String
    var destination: String
    var isToMany: Bool
    var isOrdered: Bool
    var isOptional: Bool
    var inverse: String?
    /// The column of a to-one; nil for a to-many.
    var column: String?
    /// The position column of a to-one whose inverse is ordered.
    var position: String?
    /// The table of links, if no row stores the members. It belongs to the relationship whose owners are the owners in
    /// the table.
    var table: String?
  }

  /// The entities, in the order of the model.
  var entities: [Entity]
}

// MARK: - From a schema

extension StoredModel {
  /// Creates the model of a new file.
  ///
  /// SQL names are case-insensitive, and sub-entities can declare properties with the same name. Names are made unique
  /// by numbers where necessary. No name in a model contains `$`.
  init(_ schema: Schema) {
    let names = NamesInFile(schema)
    entities = schema.entities.map { entity in
      Entity(
        name: entity.name.rawValue, identifier: entity.renamingIdentifier ?? entity.name.rawValue,
        number: Int64(entity.index.rawValue), parent: entity.parent.map { schema.entities[$0].name.rawValue },
        isAbstract: entity.isAbstract,
        key: entity.keyScope == entity.index ? entity.keyNames(in: schema) : [],
        table: entity.parent == nil ? names.tables[for: entity.tree] : nil,
        attributes: entity.declaredAttributes(in: schema).map { attribute in
          Attribute(
            name: attribute.name.rawValue,
            identifier: attribute.renamingIdentifier ?? attribute.name.rawValue,
            type: attribute.type, isOptional: attribute.isOptional,
            column: names.columns[for: entity.tree][for: attribute.column])
        },
        relationships: entity.relationships
          .dropFirst(entity.parent.map { schema.entities[$0].relationships.count } ?? 0)
          .map { Relationship(schema.relationships[$0], of: entity, schema, names) })
    }
  }
}

extension StoredModel.Relationship {
  fileprivate init(
    _ relationship: SchemaRelationship, of entity: SchemaEntity, _ schema: Schema, _ names: NamesInFile
  ) {
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    let column = relationship.slot.map { names.toOnes[for: entity.tree][for: $0] }
    self.init(
      name: relationship.name.rawValue,
      identifier: relationship.renamingIdentifier ?? relationship.name.rawValue,
      destination: schema.entities[relationship.destination].name.rawValue,
      isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
      inverse: inverse?.name.rawValue, column: column,
      position: inverse.flatMap { $0.isOrdered ? column.map { $0 + "$position" } : nil },
      table: names.linkTables[for: relationship.index])
  }
}

/// The names of the tables and columns in a new file.
private struct NamesInFile {
  /// The tables, by tree.
  var tables: [String]
  /// The columns of attributes, by tree and column.
  var columns: [[String]] = []
  /// The columns of to-one relationships, by tree and slot.
  var toOnes: [[String]] = []
  /// The tables of links, by relationship; nil if rows store the members, or if the inverse has the table.
  var linkTables: [String?]

  init(_ schema: Schema) {
    var tableNames = DistinctNames()
    tables = schema.trees.map { tableNames.add(schema.entities[$0.root].name.rawValue) }
    linkTables = schema.relationships.map { relationship in
      relationship.linkRelationship == relationship.index
        ? tableNames.add("\(schema.entities[relationship.entity].name).\(relationship.name)") : nil
    }
    for (tree, value) in schema.trees.indexed {
      var attributes = Array(repeating: "", count: value.columnCount)
      for entity in schema.entities(ofTree: tree) {
        for attribute in entity.declaredAttributes(in: schema) {
          attributes[for: attribute.column] = attribute.name.rawValue
        }
      }
      var names = DistinctNames()
      columns.append(attributes.map { names.add($0) })
      toOnes.append(value.toOnes.map { names.add(schema.relationships[$0].name.rawValue) })
    }
  }
}

extension SchemaEntity {
  /// Returns the names of the properties that form the key.
  func keyNames(in schema: Schema) -> [String] {
    switch key {
    case .none: []
    case .attributes(let positions): positions.map { attributes[$0].name.rawValue }
    case .relationship(let index): [schema.relationships[index].name.rawValue]
    }
  }
}

/// A set of names that are distinct in SQL.
struct DistinctNames {
  private var taken: Set<String> = []
  /// For each base name, the number of the last name.
  private var numbers: [String: Int] = [:]

  mutating func add(_ name: String) -> String {
    // SQLite reserves these names.
    let base = name.lowercased().hasPrefix("sqlite_") ? "$" + name : name
    var candidate = base
    var number = numbers[base.lowercased()] ?? 1
    while !taken.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(base)$\(number)"
    }
    numbers[base.lowercased()] = number
    return candidate
  }
}
