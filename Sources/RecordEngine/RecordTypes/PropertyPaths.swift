/// An attribute in the conditions and orders of fetches: `\.$text`, or `\.$author.$name` for an attribute of the record
/// that a to-one relationship leads to.
public struct FieldPath<Value: FieldValue>: Hashable, Sendable {
  let keys: [String]
  var quantifier: Quantifier?
}

/// A to-one relationship in the conditions and orders of fetches.
@dynamicMemberLookup
public struct ToOnePath<Destination: Record>: Hashable, Sendable {
  let keys: [String]

  /// The attribute of the record that the relationship leads to.
  public subscript<Value>(dynamicMember member: KeyPath<Destination, FieldPath<Value>>) -> FieldPath<Value> {
    FieldPath(keys: keys + Destination.prototype()[keyPath: member].keys)
  }

  /// The to-one relationship of the record that the relationship leads to.
  public subscript<Next>(dynamicMember member: KeyPath<Destination, ToOnePath<Next>>) -> ToOnePath<Next> {
    ToOnePath<Next>(keys: keys + Destination.prototype()[keyPath: member].keys)
  }

  /// The to-many relationship of the record that the relationship leads to.
  public subscript<Next>(dynamicMember member: KeyPath<Destination, ToManyPath<Next>>) -> ToManyPath<Next> {
    ToManyPath<Next>(keys: keys + Destination.prototype()[keyPath: member].keys)
  }
}

/// A to-many relationship in the conditions of fetches.
public struct ToManyPath<Destination: Record>: Hashable, Sendable {
  let keys: [String]

  /// The number of members: `\.$labels.count > 2`.
  public var count: FieldPath<Int> { FieldPath(keys: keys + ["@count"]) }
  /// A condition that at least one member satisfies: `\.$labels.any.$name == "bug"`.
  public var any: MemberPath<Destination> { MemberPath(keys: keys, quantifier: .any) }
  /// A condition that all members satisfy, even if there is none.
  public var all: MemberPath<Destination> { MemberPath(keys: keys, quantifier: .all) }
  /// A condition that no member satisfies.
  public var none: MemberPath<Destination> { MemberPath(keys: keys, quantifier: Quantifier.none) }
}

/// The members of a to-many relationship in the conditions of fetches. A condition on them cannot use another to-many
/// relationship.
@dynamicMemberLookup
public struct MemberPath<Destination: Record>: Hashable, Sendable {
  let keys: [String]
  let quantifier: Quantifier

  /// The attribute of the members.
  public subscript<Value>(dynamicMember member: KeyPath<Destination, FieldPath<Value>>) -> FieldPath<Value> {
    FieldPath(keys: keys + Destination.prototype()[keyPath: member].keys, quantifier: quantifier)
  }

  /// The to-one relationship of the members.
  public subscript<Next>(dynamicMember member: KeyPath<Destination, ToOnePath<Next>>) -> MemberPath<Next> {
    MemberPath<Next>(keys: keys + Destination.prototype()[keyPath: member].keys, quantifier: quantifier)
  }
}

/// The members of a to-many relationship that have to satisfy a condition.
enum Quantifier: String, Sendable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}
