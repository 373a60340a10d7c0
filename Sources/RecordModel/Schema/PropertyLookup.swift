package import JSONTree

/// Where the items of an entity have its properties, made ready so that one walk over an item finds all that stand under
/// a single key, as nearly all do.
package struct PropertyLookup: Sendable {
  /// One way to a value.
  package enum Step: Sendable {
    /// A single key, by its position in ``keys``.
    case key(Int)
    case path(MappingPath)
  }

  /// The paths that are single keys, of all properties.
  package private(set) var keys = KeyTable([])
  /// The ways to each property, in the order in which to ask: the attributes', then the relationships'.
  package private(set) var steps: [[Step]] = []
  /// The keys of the attribute that is the key of the entity, in the order in which to ask; nil where there is no such
  /// one, or it has a path that is more than a key.
  package private(set) var identifyingKeys: KeyTable?

  package init() {}

  init(_ entity: SchemaEntity, _ schema: Schema) {
    var positions: [String: Int] = [:]
    var names: [String] = []
    let paths = entity.attributes.map(\.paths) + entity.relationships.map { schema.relationships[$0].paths }
    for paths in paths {
      steps.append(
        paths.map { path in
          guard let key = path.singleKey else { return .path(path) }
          if let known = positions[key] { return .key(known) }
          positions[key] = names.count
          names.append(key)
          return .key(names.count - 1)
        })
    }
    keys = KeyTable(names)
    if case .attributes(let positions) = entity.key, positions.count == 1 {
      let paths = entity.attributes[positions[0]].paths
      var keys: [String] = []
      for case let key? in paths.map(\.singleKey) where !keys.contains(key) { keys.append(key) }
      if paths.allSatisfy(\.isSingleKey) { identifyingKeys = KeyTable(keys) }
    }
  }
}
