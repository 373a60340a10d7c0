public import JSONTree
public import RecordModel

/// The primary key, paths and date format of an entity in items, in declarative form.
public struct DeclaredRepresentation: Representation {
  /// The properties of the primary key; nil for the model's key.
  public var primaryKey: [PropertyName]?
  /// The path of the items in a response; nil for the model's path.
  public var responseKeyPath: MappingPath?
  /// The format of date strings; nil for the model's format.
  public var dateFormat: String?
  /// The paths of each property from `keyPaths:`, which replace the model's paths.
  public var keyPaths: [PropertyName: [MappingPath]] = [:]
  /// The paths from `keyFrom:`. Their values, joined by `-`, are the primary key.
  public var keyFrom: [MappingPath] = []

  public func primaryKey(of entity: EntityDescription) -> [PropertyName] { primaryKey ?? entity.primaryKey }

  public func responseKeyPath(of entity: EntityDescription) -> MappingPath? {
    responseKeyPath ?? entity.responseKeyPath
  }

  public func dateFormat(of entity: EntityDescription) -> String? { dateFormat ?? entity.dateFormat }

  public func keyPaths(for attribute: AttributeDescription, of entity: EntityName) -> [MappingPath] {
    keyPaths[attribute.name] ?? attribute.mappingPaths
  }

  public func keyPaths(for relationship: RelationshipDescription, of entity: EntityName) -> [MappingPath] {
    keyPaths[relationship.name] ?? relationship.mappingPaths
  }

  public var computesPrimaryKey: Bool { !keyFrom.isEmpty }

  /// Returns the primary key of an item by `keyFrom`; nil unless all paths find strings, numbers or Booleans.
  public func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? {
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
