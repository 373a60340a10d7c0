public import JSONTree
public import RecordModel

/// Where the items of one entity no longer fit the model.
public struct EntityDrift: Hashable, Sendable {
  public let entity: EntityName
  /// How many items of the entity were judged, repeated ones included.
  public let itemCount: Int
  /// The keys that nothing reads, in the order of the response.
  public let unusedKeys: [UnusedKey]
  /// The properties that are in none of the items, in the model's order; none if there are no items.
  public let missingProperties: [MissingProperty]
  /// The properties whose values are of other kinds than expected, or differ in kind from item to item; in the model's order.
  public let changedTypes: [ChangedType]

  /// Whether there is nothing to tell.
  var isEmpty: Bool { unusedKeys.isEmpty && missingProperties.isEmpty && changedTypes.isEmpty }
}

/// A key of items that nothing in the model reads.
public struct UnusedKey: Hashable, Sendable {
  /// The path that would read it: `user.age`. Arrays on the way are not in it, as for any path.
  public let path: MappingPath
  /// How often it is there.
  public let count: Int
  /// Where it is first.
  public let first: DriftLocation
}

/// A property that is in no item.
public struct MissingProperty: Hashable, Sendable {
  public let name: PropertyName
  /// Where it is looked for.
  public let paths: [MappingPath]
}

/// A property whose values are of other kinds than expected, or of several.
public struct ChangedType: Hashable, Sendable {
  public let property: PropertyName
  /// Whether it is about what the array of a to-many holds, and not about the value itself.
  public let isOfElements: Bool
  /// The kinds that need no conversion; empty if any will do.
  public let expected: [JSONKind]
  /// The kinds that came, expected ones too, in the order of `JSONKind.allCases`.
  public let found: [FoundKind]
}

/// A kind of value that came for a property.
public struct FoundKind: Hashable, Sendable {
  public let kind: JSONKind
  /// How often it came.
  public let count: Int
  /// Where it is first; the item, for what a path has gathered from several places.
  public let first: DriftLocation
}

/// A place in one of the responses that a report is about.
public struct DriftLocation: Hashable, Sendable {
  /// The address of the response.
  public let response: String
  public let pointer: JSONPointer
}

// MARK: - From what was counted

extension EntityDrift {
  init(_ tally: DriftTally<DriftLocation>) {
    entity = tally.entity
    itemCount = tally.itemCount
    unusedKeys = tally.unused.map { UnusedKey(path: $0, count: $1.count, first: $1.first) }
    let judged = tally.itemCount > 0 ? tally.properties : []
    missingProperties = judged.filter { !$0.hasCome && !$0.paths.isEmpty }.map {
      MissingProperty(name: $0.name, paths: $0.paths)
    }
    changedTypes = judged.flatMap { property in
      [
        ChangedType(property.name, property.kinds, isOfElements: false),
        ChangedType(property.name, property.elementKinds, isOfElements: true),
      ].compactMap(\.self)
    }
  }
}

extension ChangedType {
  /// Nil if nothing changed.
  fileprivate init?(_ property: PropertyName, _ tally: KindTally<DriftLocation>, isOfElements: Bool) {
    let found = JSONKind.allCases.compactMap { kind in
      tally.found[kind].map { FoundKind(kind: kind, count: $0.count, first: $0.first) }
    }
    let isUnexpected = !tally.expected.isEmpty && found.contains { !tally.expected.contains($0.kind) }
    guard isUnexpected || found.count > 1 else { return nil }
    self.init(property: property, isOfElements: isOfElements, expected: tally.expected, found: found)
  }
}

// MARK: - For people

extension EntityDrift: CustomStringConvertible {
  /// A line for each point.
  public var description: String {
    var lines = unusedKeys.map { "nothing reads '\($0.path)': \($0.count.times), first at \($0.first)" }
    for property in missingProperties {
      let paths = property.paths.map(\.description)
      let others = paths == [property.name.rawValue] ? "" : ", looked for at \(paths.joined(separator: ", "))"
      lines.append("'\(property.name)' is in none of \(itemCount) items\(others)")
    }
    for type in changedTypes {
      let subject = type.isOfElements ? "an element of '\(type.property)'" : "'\(type.property)'"
      let found = type.found.map { "\($0.kind.rawValue) \($0.count.times), first at \($0.first)" }
      let expected = type.expected.map(\.rawValue).joined(separator: " or ")
      lines.append(
        "\(subject) is \(found.joined(separator: "; "))"
          + (expected.isEmpty ? "" : "; expected is \(expected)"))
    }
    return lines.map { "\(entity): \($0)" }.joined(separator: "\n")
  }
}

extension DriftLocation: CustomStringConvertible {
  /// `/data/0/body of feed`
  public var description: String { "\(pointer.tokens.isEmpty ? "the root" : "\(pointer)") of \(response)" }
}

extension Int {
  fileprivate var times: String { self == 1 ? "once" : "\(self) times" }
}
