import JSONTree
import OrderedCollections
import RecordModel

/// What was counted in the items of one entity. A place is the index of a value as long as the response is looked through,
/// and then a pointer.
struct DriftTally<Location: Hashable & Sendable>: Hashable, Sendable {
  /// The entity's place in the model.
  let index: EntityIndex
  let entity: EntityName
  var itemCount = 0
  var unused: OrderedDictionary<MappingPath, Occurrences<Location>> = [:]
  /// The attributes, then the relationships.
  var properties: [PropertyTally<Location>]

  /// Whether it says anything, be it of items elsewhere.
  var isOfUse: Bool { itemCount > 0 || properties.contains(where: \.hasCome) }
}

/// What was counted of one property.
struct PropertyTally<Location: Hashable & Sendable>: Hashable, Sendable {
  let name: PropertyName
  let paths: [MappingPath]
  /// Whether some item has it.
  var hasCome = false
  var kinds: KindTally<Location>
  /// Of what the arrays of a to-many hold.
  var elementKinds: KindTally<Location>
}

/// The kinds of values that were met.
struct KindTally<Location: Hashable & Sendable>: Hashable, Sendable {
  /// Those that need no conversion; empty if any will do.
  let expected: [JSONKind]
  var found: [JSONKind: Occurrences<Location>] = [:]

  init(expected: [JSONKind]) { self.expected = expected }

  mutating func note(_ kind: JSONKind, at location: Location) {
    found[kind, default: Occurrences(first: location)].count += 1
  }
}

/// How often something was met, and where first.
struct Occurrences<Location: Hashable & Sendable>: Hashable, Sendable {
  var count = 0
  let first: Location
}

// MARK: - Places that become pointers

extension DriftTally {
  /// Where everything was met first.
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
          name: $0.name, paths: $0.paths, hasCome: $0.hasCome, kinds: $0.kinds.located(location),
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

// MARK: - Several responses

extension DriftTally {
  func merging(_ other: DriftTally) -> DriftTally {
    var result = self
    result.itemCount += other.itemCount
    result.unused.merge(other.unused) { $0.merging($1) }
    // Between two requests a tweak may have given a property other paths; its name stays.
    let others = Dictionary(
      other.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for index in properties.indices {
      guard let property = others[properties[index].name] else { continue }
      result.properties[index].hasCome = properties[index].hasCome || property.hasCome
      result.properties[index].kinds.found.merge(property.kinds.found) { $0.merging($1) }
      result.properties[index].elementKinds.found.merge(property.elementKinds.found) { $0.merging($1) }
    }
    return result
  }
}
