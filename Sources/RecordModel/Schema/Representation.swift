public import JSONTree

/// How an entity's records stand in items: names, paths and key, said in code instead of in the model.
///
/// Every requirement has a default that says what the entity's description says, so that one is written only for what is
/// otherwise. A representation is asked once, when the model is made, and what it answers is checked like the model; only
/// keys that are computed are asked for item by item.
///
/// ```swift
/// /// A server that writes `user_name` where the model says `userName`.
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
/// Sub-entities without a representation of their own have their nearest ancestor's: their own properties are looked up as
/// it says. Paths of inherited properties are for the representation of the entity that declares them.
///
/// Rule: `customise.representation`.
public protocol Representation: Sendable {
  /// The key; empty for the ancestors'. Asked for the entity alone that has the representation.
  func primaryKey(of entity: EntityDescription) -> [PropertyName]

  /// Where in a response object the items are. Asked for the entity alone that has the representation.
  func responseKeyPath(of entity: EntityDescription) -> MappingPath?

  /// How strings of the entity's dates are read. Asked for the entity alone that has the representation.
  func dateFormat(of entity: EntityDescription) -> String?

  /// All paths of an attribute, asked in order; none if items have nothing for it. The default is
  /// ``additionalKeyPaths(for:of:)``, then what the attribute says.
  func keyPaths(for attribute: AttributeDescription, of entity: EntityName) -> [MappingPath]

  /// All paths of a relationship, as those of an attribute.
  func keyPaths(for relationship: RelationshipDescription, of entity: EntityName) -> [MappingPath]

  /// Paths that are asked before those of the model. The default is none.
  func additionalKeyPaths(for property: PropertyName, of entity: EntityName) -> [MappingPath]

  /// Whether ``primaryKeyValue(in:)`` is to be asked. The default is false.
  var computesPrimaryKey: Bool { get }

  /// The key of an item, where it is no value that stands in it; nil for what the key's paths find. It is converted as a
  /// value of the response would be. Asked for each dictionary of an entity whose key is one attribute, and must answer
  /// the same for the same dictionary.
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
  /// The entity as it says.
  ///
  /// - Parameter isOwn: whether it is the entity's own, and not an ancestor's.
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
  /// The entities as their representations, or else those of their nearest ancestors, say.
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
    // A representation that sub-entities share with their ancestors says the ancestors' key again: it is inherited.
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
    (from, usesOwnName) = (paths, false)
  }
}

extension RelationshipDescription {
  fileprivate mutating func setMappingPaths(_ paths: [MappingPath]) {
    guard paths != mappingPaths else { return }
    (from, usesOwnName) = (paths, false)
  }
}
