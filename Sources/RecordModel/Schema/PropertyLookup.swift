package import JSONTree

/// The paths at which items contain the properties of an entity. One pass over an item finds all properties with a path
/// of a single key, which are nearly all properties.
// A class, because it is passed along for each item.
package final class PropertyLookup: Sendable {
  /// One path of a property.
  package enum Step: Sendable {
    /// A path of a single key, by its position in ``keys``.
    case key(Int)
    /// A longer path, by its position in ``paths``.
    case path(Int)
  }

  /// The paths of all properties that are single keys.
  package let keys: KeyTable
  /// The paths of all properties that are longer than a single key.
  package let paths: [MappingPath]
  /// The paths of all properties, in the order of the properties.
  package let steps: [Step]
  /// For each property, the range of its paths in ``steps``, in the order in which they are tried. Attributes come
  /// before relationships.
  package let properties: [Range<Int>]
  /// The keys at which items contain the key of the entity, in the order in which they are tried. Nil if the key is not
  /// a single attribute, or if one of its paths is longer than a single key.
  package let identifyingKeys: KeyTable?
  /// For each property, the values that mean null; empty if there are none for any property.
  package let nullValues: [[JSONValue]]

  /// Creates the lookup of an entity without properties.
  package init() {
    keys = KeyTable([])
    paths = []
    steps = []
    properties = []
    identifyingKeys = nil
    nullValues = []
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
    let values =
      entity.attributes.map(\.nullValues) + entity.relationships.map { schema.relationships[$0].nullValues }
    nullValues = values.allSatisfy(\.isEmpty) ? [] : values
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

extension SchemaEntity {
  /// Returns the paths of all attributes and relationships.
  package func paths(in schema: Schema) -> [MappingPath] {
    attributes.flatMap(\.paths) + relationships.flatMap { schema.relationships[$0].paths }
  }
}
