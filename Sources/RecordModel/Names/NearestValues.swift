/// Looks up values that an entity declares itself or inherits from its nearest ancestor that does.
///
/// Results are kept for each entity on the way. The look-ups for all entities of a model therefore take time linear in
/// their number, for any depth of inheritance. Invalid models are allowed: a cycle of parents ends the search.
package struct NearestValues<Value> {
  private var known: [EntityName: Value?] = [:]

  package init() {}

  /// Returns the value of the entity, or that of its nearest ancestor with one; nil if there is no such value.
  ///
  /// - Parameters:
  ///   - parent: a closure that returns the parent of an entity. Its results must be the same in each call.
  ///   - own: a closure that returns the value that an entity itself declares. Its results must be the same in each
  ///     call.
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
