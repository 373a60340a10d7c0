public import JSONTree
public import RecordModel

/// The differences between the items of one entity and the model.
public struct EntityDrift: Hashable, Sendable {
  /// The name of the entity.
  public let entity: EntityName
  /// The number of items of the entity, including repeated ones.
  public let itemCount: Int
  /// The keys that nothing in the model reads, in the order of the response.
  public let unusedKeys: [UnusedKey]
  /// The properties that occur in none of the items, in the model's order; empty if there are no items.
  public let missingProperties: [MissingProperty]
  /// The properties whose values have unexpected kinds, or kinds that differ from item to item, in the model's order.
  public let changedTypes: [ChangedType]

  /// A Boolean value that indicates whether there are no differences.
  var isEmpty: Bool { unusedKeys.isEmpty && missingProperties.isEmpty && changedTypes.isEmpty }
}

/// A key of items that nothing in the model reads.
public struct UnusedKey: Hashable, Sendable {
  /// The path that would read the key, such as `user.age`. As in every path, arrays on the way are omitted.
  public let path: MappingPath
  /// The number of occurrences.
  public let count: Int
  /// The location of the first occurrence.
  public let first: DriftLocation
}

/// A property that occurs in no item.
public struct MissingProperty: Hashable, Sendable {
  /// The name of the property.
  public let name: PropertyName
  /// The paths that were searched for the property.
  public let paths: [MappingPath]
}

/// A property whose values have unexpected kinds, or several kinds.
public struct ChangedType: Hashable, Sendable {
  /// The name of the property.
  public let property: PropertyName
  /// A Boolean value that indicates whether the kinds are those of the elements in the array of a to-many, and not of
  /// the value itself.
  public let isOfElements: Bool
  /// The kinds that need no conversion; empty if any kind is expected.
  public let expected: [JSONKind]
  /// The kinds that occurred, including expected ones, in the order of `JSONKind.allCases`.
  public let found: [FoundKind]
}

/// A kind of value that occurred for a property.
public struct FoundKind: Hashable, Sendable {
  /// The kind of the values.
  public let kind: JSONKind
  /// The number of occurrences.
  public let count: Int
  /// The location of the first occurrence. If a path combines values from several locations, this is the location of
  /// the item.
  public let first: DriftLocation
}

/// A location in one of the responses that a report covers.
public struct DriftLocation: Hashable, Sendable {
  /// The address of the response.
  public let response: String
  /// The position in the response.
  public let pointer: JSONPointer
  /// The mark by which the server recognizes the response; nil for a response without one. It is not part of the location.
  package let mark: Int?

  /// Returns a Boolean value that indicates whether two locations have the same response and position.
  public static func == (left: DriftLocation, right: DriftLocation) -> Bool {
    left.response == right.response && left.pointer == right.pointer
  }

  /// Hashes the response and the position.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(response)
    hasher.combine(pointer)
  }
}

// MARK: - Evaluating the counts

extension EntityDrift {
  init(_ tally: DriftTally<DriftLocation>) {
    entity = tally.entity
    itemCount = tally.itemCount
    unusedKeys = tally.unused.map { UnusedKey(path: $0, count: $1.count, first: $1.first) }
    let properties = tally.itemCount > 0 ? tally.properties : []
    missingProperties = properties.filter { !$0.hasCome && !$0.paths.isEmpty }.map {
      MissingProperty(name: $0.name, paths: $0.paths)
    }
    changedTypes = properties.flatMap { property in
      [
        ChangedType(property.name, property.kinds, isOfElements: false),
        ChangedType(property.name, property.elementKinds, isOfElements: true),
      ].compactMap(\.self)
    }
  }
}

extension ChangedType {
  /// Creates the difference; nil if all kinds are expected and equal.
  fileprivate init?(_ property: PropertyName, _ tally: KindTally<DriftLocation>, isOfElements: Bool) {
    let found = JSONKind.allCases.compactMap { kind in
      tally.found[kind].map { FoundKind(kind: kind, count: $0.count, first: $0.first) }
    }
    let isUnexpected = !tally.expected.isEmpty && found.contains { !tally.expected.contains($0.kind) }
    guard isUnexpected || found.count > 1 else { return nil }
    self.init(property: property, isOfElements: isOfElements, expected: tally.expected, found: found)
  }
}

// MARK: - Descriptions

extension EntityDrift: CustomStringConvertible {
  /// A line with the entity and the number of its items, and an indented line for each difference.
  public var description: String {
    var lines = unusedKeys.map { "unused key '\($0.path)': \($0.count.times), first at \($0.first)" }
    for property in missingProperties {
      let paths = property.paths.map(\.description)
      let others = paths == [property.name.rawValue] ? "" : ", searched at \(paths.joined(separator: ", "))"
      lines.append(
        "'\(property.name)' is missing in \(itemCount == 1 ? "the only item" : "all \(itemCount) items")\(others)"
      )
    }
    for type in changedTypes {
      let subject = type.isOfElements ? "an element of '\(type.property)'" : "'\(type.property)'"
      let found = type.found.map { "\($0.kind.rawValue) \($0.count.times), first at \($0.first)" }
      let expected = type.expected.map(\.rawValue).joined(separator: " or ")
      lines.append(
        "\(subject) is \(found.joined(separator: "; "))"
          + (expected.isEmpty ? "" : "; expected \(expected)"))
    }
    let head = "\(entity): drift in \(counted(itemCount, "item"))"
    return ([head] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension DriftLocation: CustomStringConvertible {
  /// The location as text, such as `/data/0/body of feed`.
  public var description: String { "\(pointer.tokens.isEmpty ? "the root" : "\(pointer)") of \(response)" }
}

extension Int {
  fileprivate var times: String { self == 1 ? "once" : "\(self) times" }
}
