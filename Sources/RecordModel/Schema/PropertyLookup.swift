package import JSONTree

/// Where the items of an entity have its properties, made ready so that one walk over an item finds all that stand under
/// a single key, as nearly all do.
// A class, because it is handed on for each item.
package final class PropertyLookup: Sendable {
  /// One way to a value.
  package enum Step: Sendable {
    /// A single key, by its position in ``keys``.
    case key(Int)
    /// By its position in ``paths``.
    case path(Int)
  }

  /// The paths that are single keys, of all properties.
  package let keys: KeyTable
  /// The paths that are more than that.
  package let paths: [MappingPath]
  /// The ways to all properties.
  package let steps: [Step]
  /// Where in ``steps`` each property has its own, in the order in which to ask: the attributes', then the
  /// relationships'.
  package let properties: [Range<Int>]
  /// The keys of the attribute that is the key of the entity, in the order in which to ask; nil where there is no such
  /// one, or it has a path that is more than a key.
  package let identifyingKeys: KeyTable?

  /// Of an entity without properties.
  package init() {
    keys = KeyTable([])
    paths = []
    steps = []
    properties = []
    identifyingKeys = nil
  }

  init(_ entity: SchemaEntity, _ schema: Schema) {
    var positions: [ScalarString: Int] = [:]
    var names: [String] = []
    var longPaths: [MappingPath] = []
    var steps: [Step] = []
    var properties: [Range<Int>] = []
    let paths = entity.attributes.map(\.paths) + entity.relationships.map { schema.relationships[$0].paths }
    for paths in paths {
      let first = steps.count
      for path in paths {
        if let key = path.singleKey {
          let position = positions[ScalarString(key)] ?? names.count
          if position == names.count {
            positions[ScalarString(key)] = position
            names.append(key)
          }
          steps.append(.key(position))
        } else {
          longPaths.append(path)
          steps.append(.path(longPaths.count - 1))
        }
      }
      properties.append(first..<steps.count)
    }
    keys = KeyTable(names)
    self.paths = longPaths
    self.steps = steps
    self.properties = properties
    identifyingKeys = Self.identifyingKeys(of: entity)
  }

  private static func identifyingKeys(of entity: SchemaEntity) -> KeyTable? {
    guard case .attributes(let positions) = entity.key, positions.count == 1 else { return nil }
    let paths = entity.attributes[positions[0]].paths
    guard paths.allSatisfy(\.isSingleKey) else { return nil }
    var keys: [ScalarString] = []
    for case let key? in paths.map(\.singleKey) where !keys.contains(ScalarString(key)) {
      keys.append(ScalarString(key))
    }
    return KeyTable(keys.map(\.string))
  }
}
