/// Finds for entities what the nearest of themselves and their ancestors declares.
///
/// What was found is kept for each entity on the way, so that asking for all entities of a model is linear in their number,
/// however many levels they inherit over. Models that are wrong may be asked too: a cycle of parents ends the search.
package struct NearestValues<Value> {
  private var known: [EntityName: Value?] = [:]

  package init() {}

  /// Returns the value of the entity, or else that of its nearest ancestor with one.
  ///
  /// - Parameters:
  ///   - parent: the parent of an entity; the same in each call.
  ///   - own: what an entity itself declares; the same in each call.
  package mutating func value(
    of entity: EntityName, parent: (EntityName) -> EntityName?, own: (EntityName) -> Value?
  ) -> Value? {
    var path: [EntityName] = []
    var found: Value?
    var next: EntityName? = entity
    while let entity = next {
      if let value = known[entity] {
        found = value
        break
      }
      known.updateValue(nil, forKey: entity)
      path.append(entity)
      found = own(entity)
      next = found == nil ? parent(entity) : nil
    }
    for entity in path { known.updateValue(found, forKey: entity) }
    return found
  }
}
