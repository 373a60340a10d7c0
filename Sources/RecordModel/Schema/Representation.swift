public import JSONTree

/// The mapping of an entity's items in code instead of in the model: names, paths and key.
///
/// Every requirement has a default implementation that returns the declaration of the entity's description. Implement
/// only the requirements that differ. A representation is called once, when the model is created, and its results are
/// validated like the model. Only computed keys are requested for each item.
///
/// ```swift
/// /// A server that writes `user_name` for the property `userName`.
/// struct SnakeCase: Representation {
///   func additionalKeyPaths(for property: PropertyName, of entity: EntityName) -> [MappingPath] {
///     let words = property.rawValue.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }
///     return [MappingPath(keys: [words.joined()])]
///   }
/// }
///
/// let model = try ManagedObjectModel(entities: entities, representations: ["User": SnakeCase()])
/// ```
///
/// A sub-entity without a representation uses that of its nearest ancestor for the properties that it declares itself.
/// The paths of an inherited property come from the representation of the entity that declares it.
///
/// Rule: `customize.representation`.
public protocol Representation: Sendable {
  /// Returns the primary key; empty for the key of the ancestors. Not called for sub-entities without a representation.
  func primaryKey(of entity: EntityDescription) -> [PropertyName]

  /// Returns the path of the items in a response object. Not called for sub-entities without a representation.
  func responseKeyPath(of entity: EntityDescription) -> MappingPath?

  /// Returns the format of strings for the entity's dates. Not called for sub-entities without a representation.
  func dateFormat(of entity: EntityDescription) -> String?

  /// Returns all paths of an attribute, in the order in which they are tried. If empty, the attribute is not read from
  /// items. The default is ``additionalKeyPaths(for:of:)`` followed by the paths of the attribute's description.
  func keyPaths(for attribute: AttributeDescription, of entity: EntityName) -> [MappingPath]

  /// Returns all paths of a relationship, in the order in which they are tried. If empty, the relationship is not read
  /// from items. The default is ``additionalKeyPaths(for:of:)`` followed by the paths of the relationship's
  /// description.
  func keyPaths(for relationship: RelationshipDescription, of entity: EntityName) -> [MappingPath]

  /// Returns the paths that are tried before those of the model. The default is empty.
  func additionalKeyPaths(for property: PropertyName, of entity: EntityName) -> [MappingPath]

  /// A Boolean value that indicates whether ``primaryKeyValue(in:)`` is called. The default is false.
  var computesPrimaryKey: Bool { get }

  /// Returns the computed key of an item; nil to read the key at its paths. The key is converted like a value in the
  /// response. It is called for each dictionary of an entity whose key is a single attribute, and must return equal
  /// values for equal dictionaries.
  func primaryKeyValue(in dictionary: JSONNode) -> JSONValue?
}

extension Representation {
  public func primaryKey(of entity: EntityDescription) -> [PropertyName] { entity.primaryKey }
  public func responseKeyPath(of entity: EntityDescription) -> MappingPath? { entity.responseKeyPath }
  public func dateFormat(of entity: EntityDescription) -> String? { entity.dateFormat }

  public func keyPaths(for attribute: AttributeDescription, of entity: EntityName) -> [MappingPath] {
    additionalKeyPaths(for: attribute.name, of: entity) + attribute.mappingPaths
  }

  public func keyPaths(for relationship: RelationshipDescription, of entity: EntityName) -> [MappingPath] {
    additionalKeyPaths(for: relationship.name, of: entity) + relationship.mappingPaths
  }

  public func additionalKeyPaths(for property: PropertyName, of entity: EntityName) -> [MappingPath] { [] }

  public var computesPrimaryKey: Bool { false }
  public func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? { nil }
}

extension Representation {
  /// Returns the entity with the declarations of the representation.
  ///
  /// - Parameter isOwn: a Boolean value that indicates whether the representation is registered for the entity itself
  ///   and not for an ancestor.
  fileprivate func described(_ entity: EntityDescription, isOwn: Bool) -> EntityDescription {
    var result = entity
    if isOwn {
      result.primaryKey = primaryKey(of: entity)
      result.responseKeyPath = responseKeyPath(of: entity)
      result.dateFormat = dateFormat(of: entity)
    }
    for index in entity.attributes.indices {
      let attribute = entity.attributes[index]
      result.attributes[index].setMappingPaths(keyPaths(for: attribute, of: entity.name))
    }
    for index in entity.relationships.indices {
      let relationship = entity.relationships[index]
      result.relationships[index].setMappingPaths(keyPaths(for: relationship, of: entity.name))
    }
    return result
  }
}

extension [EntityDescription] {
  /// Returns the entities with the declarations of their representations, or of those of their nearest ancestors.
  func described(by representations: [EntityName: any Representation]) -> [EntityDescription] {
    if representations.isEmpty { return self }
    let parents = Dictionary(map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    func parent(_ entity: EntityName) -> EntityName? { parents[entity] ?? nil }
    var inherited = NearestValues<any Representation>()
    var described = map { entity in
      if let own = representations[entity.name] { return own.described(entity, isOwn: true) }
      let nearest = entity.parent.flatMap { ancestor in
        inherited.value(of: ancestor, parent: parent) { representations[$0] }
      }
      return nearest?.described(entity, isOwn: false) ?? entity
    }
    // If a representation returns the ancestors' key again for a sub-entity, the key is inherited.
    let keys = Dictionary(described.map { ($0.name, $0.primaryKey) }, uniquingKeysWith: { first, _ in first })
    var inheritedKeys = NearestValues<[PropertyName]>()
    for (index, entity) in enumerated() where entity.primaryKey.isEmpty {
      let key = entity.parent.flatMap { ancestor in
        inheritedKeys.value(of: ancestor, parent: parent) { keys[$0].flatMap { $0.isEmpty ? nil : $0 } }
      }
      if let key, key == described[index].primaryKey { described[index].primaryKey = [] }
    }
    return described
  }
}

extension AttributeDescription {
  fileprivate mutating func setMappingPaths(_ paths: [MappingPath]) {
    guard paths != mappingPaths else { return }
    let keepsOwnName = usesOwnName && paths.last == mappingPaths.last
    (from, usesOwnName) = (keepsOwnName ? paths.dropLast() : paths, keepsOwnName)
  }
}

extension RelationshipDescription {
  fileprivate mutating func setMappingPaths(_ paths: [MappingPath]) {
    guard paths != mappingPaths else { return }
    let keepsOwnName = usesOwnName && paths.last == mappingPaths.last
    (from, usesOwnName) = (keepsOwnName ? paths.dropLast() : paths, keepsOwnName)
  }
}
