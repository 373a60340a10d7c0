package import JSONTree
package import RecordModel

/// The primary key, paths and date format of an entity in items, in declarative form.
package struct DeclaredRepresentation: Representation {
  /// The properties of the primary key; nil for the model's key.
  package var primaryKey: [PropertyName]?
  /// The path of the items in a response; nil for the model's path.
  package var responseKeyPath: MappingPath?
  /// The format of date strings; nil for the model's format.
  package var dateFormat: String?
  /// The paths of each property from `keyPaths:`, which replace the model's paths.
  package var keyPaths: [PropertyName: [MappingPath]] = [:]
  /// The paths from `keyFrom:`. Their values, joined by `-`, are the primary key.
  package var keyFrom: [MappingPath] = []

  package func primaryKey(of entity: EntityDescription) -> [PropertyName] { primaryKey ?? entity.primaryKey }

  package func responseKeyPath(of entity: EntityDescription) -> MappingPath? {
    responseKeyPath ?? entity.responseKeyPath
  }

  package func dateFormat(of entity: EntityDescription) -> String? { dateFormat ?? entity.dateFormat }

  package func keyPaths(for attribute: AttributeDescription, of entity: EntityName) -> [MappingPath] {
    keyPaths[attribute.name] ?? attribute.mappingPaths
  }

  package func keyPaths(for relationship: RelationshipDescription, of entity: EntityName) -> [MappingPath] {
    keyPaths[relationship.name] ?? relationship.mappingPaths
  }

  package var computesPrimaryKey: Bool { !keyFrom.isEmpty }

  /// Returns the primary key of an item by `keyFrom`; nil unless all paths find strings, numbers or Booleans.
  package func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? {
    let parts = keyFrom.compactMap { path -> String? in
      switch path.find(in: dictionary)?.node.value {
      case .string(let text): text
      case .number(let number): number.digits
      case .boolean(let boolean): String(boolean)
      case .null, .array, .object, nil: nil
      }
    }
    return parts.count == keyFrom.count ? .string(parts.joined(separator: "-")) : nil
  }
}
