import RecordModel

/// Names that callers give, turned into what the model has; a name it does not have fails with the nearest one.
extension PersistentStoreCoordinator {
  package func entity(_ name: EntityName) throws(RequestFailure) -> SchemaEntity {
    if let entity = schema.entity(name) { return entity }
    let nearest = nearestName(to: name.rawValue, among: schema.entities.map(\.name.rawValue))
    let advice = nearest.map { "; did you mean '\($0)'?" } ?? ""
    throw RequestFailure(
      Diagnostic(.invalidEntity, entity: name, message: "the model has no entity '\(name)'\(advice)"))
  }

  package func concreteEntity(_ name: EntityName) throws(RequestFailure) -> SchemaEntity {
    let entity = try entity(name)
    guard !entity.isAbstract else {
      throw RequestFailure(Diagnostic(.invalidEntity, entity: name, message: "'\(name)' is abstract"))
    }
    return entity
  }

  /// The first entity whose records are of a record type.
  package func entityName(of type: Record.Type) throws(RequestFailure) -> EntityName {
    guard let entity = entity(of: type) else {
      throw RequestFailure(
        Diagnostic(.invalidEntity, message: "no entity of the model has records of the type '\(type)'"))
    }
    return schema.entities[entity].name
  }

  /// Whether the entity or one of its sub-entities has a property of that name, or the name is an operator's.
  func isProperty(_ name: String, of entity: SchemaEntity) -> Bool {
    if name.hasPrefix("@") || name.uppercased() == "SELF" { return true }
    return schema.entities.contains { candidate in
      schema.isKind(candidate.index, of: entity.index)
        && (candidate.attributePositions[PropertyName(name)] != nil
          || candidate.relationshipIndices[PropertyName(name)] != nil)
    }
  }

  func unknownAttribute(_ name: PropertyName, _ entity: SchemaEntity) -> RequestFailure {
    let nearest = nearestName(
      to: name.rawValue,
      among: entity.attributes.map(\.name.rawValue)
        + entity.relationships.map { schema.relationships[$0].name.rawValue })
    let advice = nearest.map { "; did you mean '\($0)'?" } ?? ""
    return RequestFailure(
      Diagnostic(
        .invalidEntity, entity: entity.name, property: name,
        message: "'\(entity.name)' has no property '\(name)'\(advice)"))
  }
}
