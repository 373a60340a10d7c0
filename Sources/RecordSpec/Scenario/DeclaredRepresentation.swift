public import JSONTree
public import RecordModel

/// Names, paths and key that an entity has in items, in declarative form.
public struct DeclaredRepresentation: Representation {
  public var primaryKey: [PropertyName]?
  public var responseKeyPath: MappingPath?
  public var dateFormat: String?
  /// `keyPaths:`: all paths of a property.
  public var keyPaths: [PropertyName: [MappingPath]] = [:]
  /// `keyFrom:`: what these find, joined by `-`, is the key.
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

  /// Nil unless all paths find text, numbers or booleans.
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
