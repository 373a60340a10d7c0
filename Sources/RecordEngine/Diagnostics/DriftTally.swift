import JSONTree
import OrderedCollections
import RecordModel

/// What was counted in the items of one entity. A place is the index of a value as long as the response is looked through,
/// and then a pointer.
struct DriftTally<Place: Hashable & Sendable>: Hashable, Sendable {
  /// The entity's place in the model.
  let index: EntityIndex
  let entity: EntityName
  var itemCount = 0
  var unused: OrderedDictionary<MappingPath, Occurrences<Place>> = [:]
  /// The attributes, then the relationships.
  var properties: [PropertyTally<Place>]

  /// Whether it says anything, be it of items elsewhere.
  var isOfUse: Bool { itemCount > 0 || properties.contains(where: \.hasCome) }
}

/// What was counted of one property.
struct PropertyTally<Place: Hashable & Sendable>: Hashable, Sendable {
  let name: PropertyName
  let paths: [MappingPath]
  /// Whether some item has it.
  var hasCome = false
  var kinds: KindTally<Place>
  /// Of what the arrays of a to-many hold.
  var elementKinds: KindTally<Place>
}

/// The kinds of values that were met.
struct KindTally<Place: Hashable & Sendable>: Hashable, Sendable {
  /// Those that need no conversion; empty if any will do.
  let expected: [JSONKind]
  var found: [JSONKind: Occurrences<Place>] = [:]

  init(expected: [JSONKind]) { self.expected = expected }

  mutating func note(_ kind: JSONKind, at place: Place) {
    found[kind, default: Occurrences(first: place)].count += 1
  }
}

/// How often something was met, and where first.
struct Occurrences<Place: Hashable & Sendable>: Hashable, Sendable {
  var count = 0
  let first: Place
}

// MARK: - Places that become pointers

extension DriftTally {
  /// Where everything was met first.
  var places: [Place] {
    unused.values.map(\.first)
      + properties.flatMap { property in
        [property.kinds, property.elementKinds].flatMap { $0.found.values.map(\.first) }
      }
  }

  func located<Other>(_ place: (Place) -> Other) -> DriftTally<Other> {
    DriftTally<Other>(
      index: index, entity: entity, itemCount: itemCount,
      unused: unused.mapValues { $0.located(place) },
      properties: properties.map {
        PropertyTally<Other>(
          name: $0.name, paths: $0.paths, hasCome: $0.hasCome, kinds: $0.kinds.located(place),
          elementKinds: $0.elementKinds.located(place))
      })
  }
}

extension KindTally {
  fileprivate func located<Other>(_ place: (Place) -> Other) -> KindTally<Other> {
    var result = KindTally<Other>(expected: expected)
    result.found = found.mapValues { $0.located(place) }
    return result
  }
}

extension Occurrences {
  fileprivate func located<Other>(_ place: (Place) -> Other) -> Occurrences<Other> {
    Occurrences<Other>(count: count, first: place(first))
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
