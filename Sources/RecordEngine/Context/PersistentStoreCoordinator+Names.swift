import RecordModel

/// Lookup of entities by name and by record type. The error for an unknown name suggests the nearest one.
extension PersistentStoreCoordinator {
  package func entity(_ name: EntityName) throws(RequestFailure) -> SchemaEntity {
    if let entity = schema.entity(name) { return entity }
    let nearest = nearestName(to: name.rawValue, among: schema.entities.map(\.name.rawValue))
    let advice = nearest.map { "; did you mean '\($0)'?" } ?? ""
    throw RequestFailure(
      Diagnostic(.invalidEntity, entity: name, message: "unknown entity '\(name)'\(advice)"))
  }

  package func concreteEntity(_ name: EntityName) throws(RequestFailure) -> SchemaEntity {
    let entity = try entity(name)
    guard !entity.isAbstract else {
      throw RequestFailure(Diagnostic(.invalidEntity, entity: name, message: "'\(name)' is abstract"))
    }
    return entity
  }

  /// Returns the first entity whose class is the record type.
  package func entity(of type: Record.Type) throws(RequestFailure) -> SchemaEntity {
    if let entity = registeredEntity(of: type) { return schema.entities[entity] }
    let message: String
    if let entity = schema.entities.first(where: { $0.className == String(describing: type) }) {
      message =
        "to use it for the entity '\(entity.name)', pass \(type).self in the container's 'recordTypes'"
    } else {
      let advice = schema.nearestClass(to: type).map { "; did you mean '\($0)'?" } ?? ""
      message = "no entity has the record type '\(type)'\(advice)"
    }
    throw RequestFailure(Diagnostic(.invalidEntity, message: message))
  }
}
