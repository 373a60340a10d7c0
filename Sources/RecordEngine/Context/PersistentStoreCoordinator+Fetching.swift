import RecordModel

/// A request to fetch, its names turned into what the model has.
extension PersistentStoreCoordinator {
  func fetch(_ request: RecordFetchRequest) throws(RequestFailure) -> StoreFetch {
    let entity = try entity(request.entity)
    if let predicate = request.predicate { try check(predicate, entity) }
    let sort = try request.sortDescriptors.map { descriptor throws(RequestFailure) in
      try storeSort(descriptor, entity)
    }
    return StoreFetch(
      entity: entity.index, predicate: request.predicate, sort: sort, offset: request.offset,
      limit: request.limit)
  }

  /// Where rows of the entity keep an attribute.
  func column(of name: PropertyName, in entity: SchemaEntity) throws(RequestFailure) -> Int {
    if let position = entity.attributePositions[name] { return entity.attributes[position].column }
    guard entity.relationshipIndices[name] == nil else {
      throw unfit(name, entity, "'\(name)' of '\(entity.name)' is a relationship, not an attribute")
    }
    throw unknownProperty(name, [entity])
  }

  private func storeSort(
    _ descriptor: RecordSortDescriptor, _ entity: SchemaEntity
  ) throws(RequestFailure) -> StoreSort {
    var entity = entity
    var path: [Int] = []
    for name in descriptor.keyPath.dropLast() {
      guard let index = entity.relationshipIndices[name] else {
        guard entity.attributePositions[name] == nil else {
          throw unfit(name, entity, "'\(name)' of '\(entity.name)' is an attribute, which leads nowhere")
        }
        throw unknownProperty(name, [entity])
      }
      guard !schema.relationships[index].isToMany else {
        throw unfit(
          name, entity, "'\(name)' of '\(entity.name)' is a to-many, and records are sorted by one value")
      }
      path.append(index)
      entity = schema.entities[schema.relationships[index].destination]
    }
    guard let last = descriptor.keyPath.last else { throw unknownProperty("", [entity]) }
    return StoreSort(
      path: path, column: try column(of: last, in: entity), isAscending: descriptor.isAscending)
  }

  // MARK: Predicates

  private func check(_ predicate: RecordPredicate, _ entity: SchemaEntity) throws(RequestFailure) {
    if let error = predicate.syntaxError {
      let advice = error.advice.map { "; \($0)" } ?? ""
      throw RequestFailure(
        Diagnostic(
          .fetchError, entity: entity.name,
          message: "the predicate is none: \(error.message)\(advice)\n"
            + marked(error.range, in: predicate.text)))
    }
    for keyPath in predicate.keyPaths { try check(keyPath, of: predicate, entity) }
  }

  /// Follows the keys through relationships. What only sub-entities have may be asked for; the others have nil there.
  private func check(
    _ keyPath: PredicateKeyPath, of predicate: RecordPredicate, _ entity: SchemaEntity
  ) throws(RequestFailure) {
    var entities = [entity]
    for (position, key) in keyPath.keys.enumerated() {
      if key == "@count", position == keyPath.keys.count - 1 { return }
      let name = PropertyName(key)
      let candidates = schema.entities.filter { candidate in
        entities.contains { schema.isKind(candidate.index, of: $0.index) }
      }
      let relationships = candidates.compactMap { $0.relationshipIndices[name] }
      // What lies within an attribute, as within a transformable one, is nil.
      if relationships.isEmpty, candidates.contains(where: { $0.attributePositions[name] != nil }) { return }
      guard !relationships.isEmpty else {
        throw unknownProperty(name, entities, at: "\n" + marked(keyPath.range, in: predicate.text))
      }
      entities = relationships.map { schema.entities[schema.relationships[$0].destination] }
    }
  }

  private func unfit(_ name: PropertyName, _ entity: SchemaEntity, _ message: String) -> RequestFailure {
    RequestFailure(Diagnostic(.invalidEntity, entity: entity.name, property: name, message: message))
  }

  /// - Parameter entities: one, or those that a relationship of one name leads to.
  private func unknownProperty(
    _ name: PropertyName, _ entities: [SchemaEntity], at place: String = ""
  ) -> RequestFailure {
    let names = entities.flatMap { entity in
      entity.attributes.map(\.name.rawValue)
        + entity.relationships.map { schema.relationships[$0].name.rawValue }
    }
    let advice = nearestName(to: name.rawValue, among: names).map { "; did you mean '\($0)'?" } ?? ""
    let entity = entities.first?.name
    return RequestFailure(
      Diagnostic(
        .invalidEntity, entity: entity, property: name,
        message: "'\(entity ?? "")' has no property '\(name)'\(advice)\(place)"))
  }
}

/// The line of the text that a range begins in, and below it the range, marked.
private func marked(_ range: Range<Int>, in text: String) -> String {
  let scalars = Array(text.unicodeScalars)
  let start = scalars[..<min(range.lowerBound, scalars.count)].lastIndex(of: "\n").map { $0 + 1 } ?? 0
  let end = scalars[start...].firstIndex(of: "\n") ?? scalars.count
  var line = String.UnicodeScalarView()
  line.append(contentsOf: scalars[start..<end])
  let width = max(1, min(range.upperBound, end) - range.lowerBound)
  return "  \(String(line))\n  \(String(repeating: " ", count: range.lowerBound - start))"
    + String(repeating: "^", count: width)
}
