import JSONTree
import OrderedCollections
import RecordModel

/// The counts in the items of one entity. A location is the index of a value while the response is searched, and then a
/// pointer.
struct DriftTally<Location: Hashable & Sendable>: Hashable, Sendable {
  /// The index of the entity in the model.
  let index: EntityIndex
  let entity: EntityName
  var itemCount = 0
  var unused: OrderedDictionary<MappingPath, Occurrences<Location>> = [:]
  /// The counts of the attributes, followed by those of the relationships.
  var properties: [PropertyTally<Location>]

  /// A Boolean value that indicates whether the counts contain anything. Properties can also occur through items of
  /// other entities.
  var isOfUse: Bool { itemCount > 0 || properties.contains(where: \.hasCome) }
}

/// The counts of one property.
struct PropertyTally<Location: Hashable & Sendable>: Hashable, Sendable {
  let name: PropertyName
  let paths: [MappingPath]
  /// A Boolean value that indicates whether the property occurs in an item.
  var hasCome = false
  /// A Boolean value that indicates whether an item contains the property, and not only the inverse of it.
  var isSent = false
  var kinds: KindTally<Location>
  /// The kinds of the elements in the arrays of a to-many.
  var elementKinds: KindTally<Location>
}

/// The kinds of values that occurred.
struct KindTally<Location: Hashable & Sendable>: Hashable, Sendable {
  /// The kinds that need no conversion; empty if any kind is expected.
  let expected: [JSONKind]
  var found: [JSONKind: Occurrences<Location>] = [:]

  init(expected: [JSONKind]) { self.expected = expected }

  mutating func note(_ kind: JSONKind, at location: Location) {
    found[kind, default: Occurrences(first: location)].count += 1
  }
}

/// The number of occurrences, and the location of the first one.
struct Occurrences<Location: Hashable & Sendable>: Hashable, Sendable {
  var count = 0
  let first: Location
}

// MARK: - Converting locations

extension DriftTally {
  /// The locations of all first occurrences.
  var locations: [Location] {
    unused.values.map(\.first)
      + properties.flatMap { property in
        [property.kinds, property.elementKinds].flatMap { $0.found.values.map(\.first) }
      }
  }

  func located<Other>(_ location: (Location) -> Other) -> DriftTally<Other> {
    DriftTally<Other>(
      index: index, entity: entity, itemCount: itemCount,
      unused: unused.mapValues { $0.located(location) },
      properties: properties.map {
        PropertyTally<Other>(
          name: $0.name, paths: $0.paths, hasCome: $0.hasCome, isSent: $0.isSent,
          kinds: $0.kinds.located(location),
          elementKinds: $0.elementKinds.located(location))
      })
  }
}

extension KindTally {
  fileprivate func located<Other>(_ location: (Location) -> Other) -> KindTally<Other> {
    var result = KindTally<Other>(expected: expected)
    result.found = found.mapValues { $0.located(location) }
    return result
  }
}

extension Occurrences {
  fileprivate func located<Other>(_ location: (Location) -> Other) -> Occurrences<Other> {
    Occurrences<Other>(count: count, first: location(first))
  }

  fileprivate func merging(_ other: Occurrences) -> Occurrences {
    Occurrences(count: count + other.count, first: first)
  }
}

// MARK: - Merging

extension DriftTally {
  func merging(_ other: DriftTally) -> DriftTally {
    var result = self
    result.itemCount += other.itemCount
    result.unused.merge(other.unused) { $0.merging($1) }
    // A tweak may have changed the paths of a property between two requests, but not its name.
    let others = Dictionary(
      other.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for index in properties.indices {
      guard let property = others[properties[index].name] else { continue }
      result.properties[index].hasCome = properties[index].hasCome || property.hasCome
      result.properties[index].isSent = properties[index].isSent || property.isSent
      result.properties[index].kinds.found.merge(property.kinds.found) { $0.merging($1) }
      result.properties[index].elementKinds.found.merge(property.elementKinds.found) { $0.merging($1) }
    }
    return result
  }
}
