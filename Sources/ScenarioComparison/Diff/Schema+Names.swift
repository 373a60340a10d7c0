package import RecordModel

/// Lookups in a model by the names that scenarios and golden files use.
extension Schema {
  /// Returns a Boolean value that indicates whether `entity` is `ancestor` or one of its sub-entities.
  package func isKind(_ entity: EntityName, of ancestor: EntityName) -> Bool {
    guard let index = indices[entity], let ancestor = indices[ancestor] else { return entity == ancestor }
    return isKind(index, of: ancestor)
  }

  /// Returns the properties of the entity's key: attributes, one to-one relationship, or none.
  package func key(of name: EntityName) -> [PropertyName] {
    guard let entity = entity(name) else { return [] }
    return switch entity.key {
    case .none: []
    case .attributes(let positions): positions.map { entity.attributes[$0].name }
    case .relationship(let index): [relationships[index].name]
    }
  }

  /// Returns the names of the properties of an entity: the attributes, then the relationships.
  package func propertyNames(of name: EntityName) -> [PropertyName] {
    guard let entity = entity(name) else { return [] }
    return entity.attributes.map(\.name) + entity.relationships.map { relationships[$0].name }
  }

  package func attribute(_ name: PropertyName, of entity: EntityName) -> SchemaAttribute? {
    guard let entity = self.entity(entity) else { return nil }
    return entity.attributeIndices[name].map { entity.attributes[$0] }
  }

  package func relationship(_ name: PropertyName, of entity: EntityName) -> SchemaRelationship? {
    self.entity(entity)?.relationshipIndices[name].map { relationships[$0] }
  }
}
