import RecordModel

/// The conversion of fetch requests to fetches of the store, which use the indices of the model instead of names.
extension PersistentStoreCoordinator {
  func fetch(_ request: RecordFetchRequest) throws(RequestFailure) -> StoreFetch {
    let entity = try entity(request.entity)
    if let predicate = request.predicate { try schema.check(predicate, over: entity) }
    let sort = try request.sortDescriptors.map { descriptor throws(RequestFailure) in
      try storeSort(descriptor, entity)
    }
    return StoreFetch(
      entity: entity.index, predicate: request.predicate, sort: sort, offset: request.offset,
      limit: request.limit)
  }

  /// Returns the column of an attribute in the rows of the entity.
  func column(of name: PropertyName, in entity: SchemaEntity) throws(RequestFailure) -> ColumnIndex {
    if let position = entity.attributeIndices[name] { return entity.attributes[position].column }
    guard entity.relationshipIndices[name] == nil else {
      throw unfit(name, entity, "'\(name)' of '\(entity.name)' is a relationship, not an attribute")
    }
    throw schema.unknownProperty(name, [entity])
  }

  private func storeSort(
    _ descriptor: RecordSortDescriptor, _ entity: SchemaEntity
  ) throws(RequestFailure) -> StoreSort {
    var entity = entity
    var path: [RelationshipIndex] = []
    for name in descriptor.keyPath.dropLast() {
      guard let index = entity.relationshipIndices[name] else {
        guard entity.attributeIndices[name] == nil else {
          throw unfit(
            name, entity,
            "'\(name)' of '\(entity.name)' is an attribute, and a key path cannot continue after one")
        }
        throw schema.unknownProperty(name, [entity])
      }
      guard !schema.relationships[index].isToMany else {
        throw unfit(
          name, entity,
          "'\(name)' of '\(entity.name)' is a to-many relationship, and records are sorted by a single value")
      }
      path.append(index)
      entity = schema.entities[schema.relationships[index].destination]
    }
    guard let last = descriptor.keyPath.last else { throw schema.unknownProperty("", [entity]) }
    return StoreSort(
      path: path, column: try column(of: last, in: entity), isAscending: descriptor.isAscending)
  }

  private func unfit(_ name: PropertyName, _ entity: SchemaEntity, _ message: String) -> RequestFailure {
    RequestFailure(Diagnostic(.invalidEntity, entity: entity.name, property: name, message: message))
  }
}
