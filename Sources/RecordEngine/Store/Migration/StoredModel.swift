import RecordModel

/// What a store's file says of the model that made it: what there may be, and where it stands.
struct StoredModel: Hashable, Sendable {
  struct Entity: Hashable, Sendable {
    var name: String
    /// What it was first called: what a renaming identifier refers to.
    var identifier: String
    /// What `$entity` says of its records.
    var number: Int64
    var parent: String?
    var isAbstract: Bool
    /// The names of the properties, as declared; empty where the ancestors' key counts.
    var key: [String]
    /// Of an entity without parent alone.
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
    /// Of a to-one.
    var column: String?
    /// The column of a to-one whose inverse is ordered.
    var position: String?
    /// The table of links, where no row keeps the members: under the relationship whose owners are its owners.
    var table: String?
  }

  /// In the order of the model.
  var entities: [Entity]
}

// MARK: - From a schema

extension StoredModel {
  /// The model of a new file.
  ///
  /// SQL names ignore case, and sub-entities may declare like-named properties, so that names are told apart by
  /// numbers where they have to be. `$` stands in no name of a model.
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

/// The names of tables and columns in a new file.
private struct NamesInFile {
  /// By tree.
  var tables: [String]
  /// By tree and column.
  var columns: [[String]] = []
  /// By tree and slot.
  var toOnes: [[String]] = []
  /// By relationship; nil where rows keep the members, or the inverse has the table.
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
  /// The names of the properties that the key is made of.
  func keyNames(in schema: Schema) -> [String] {
    switch key {
    case .none: []
    case .attributes(let positions): positions.map { attributes[$0].name.rawValue }
    case .relationship(let index): [schema.relationships[index].name.rawValue]
    }
  }
}

/// Names that SQL tells apart.
struct DistinctNames {
  private var taken: Set<String> = []
  /// The number that the last name with each base has.
  private var numbers: [String: Int] = [:]

  mutating func add(_ name: String) -> String {
    // Such names are SQLite's own.
    let base = name.lowercased().hasPrefix("sqlite_") ? "$" + name : name
    var candidate = base
    var number = numbers[base.lowercased()] ?? 1
    if number > 1 { candidate = "\(base)$\(number)" }
    while !taken.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(base)$\(number)"
    }
    numbers[base.lowercased()] = number
    return candidate
  }
}
