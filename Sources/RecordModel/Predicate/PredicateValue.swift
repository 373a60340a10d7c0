package import Foundation
package import JSONTree

/// A value as predicates see it.
package indirect enum PredicateValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// Exact: a double or float is the number of its shortest text, so that a stored 0.1 equals `0.1`.
  case number(JSONNumber)
  case string(String)
  case date(Date)
  /// The members of a to-many, or what a key path finds in each of them.
  case list([PredicateValue])
  /// Something that has no order and no parts: a record, a dictionary, binary data. Two are equal if they
  /// have the same identity; one without identity equals nothing.
  case opaque(String?)
}

/// What a predicate asks: a record or a raw dictionary.
package protocol PredicateSubject {
  /// The value that the keys lead to; the subject itself for none.
  ///
  /// A to-many on the way gives a list with one entry for each member: what the other keys lead to from
  /// there. A key that is missing, and everything beyond nil, is null. The last key may be `@count`: the
  /// number of members of the to-many before it.
  func value(at keyPath: [String]) -> PredicateValue
}

/// A raw dictionary. Its nested dictionaries are opaque, and equal nothing.
extension JSONNode: PredicateSubject {
  package func value(at keyPath: [String]) -> PredicateValue { Self.value(at: keyPath[...], in: self) }

  private static func value(at rest: ArraySlice<String>, in node: JSONNode) -> PredicateValue {
    guard let key = rest.first else { return value(of: node) }
    let isCount = rest.count == 1 && key == "@count"
    switch node.kind {
    case .array where isCount, .object where isCount: return .number(JSONNumber(Int64(node.count)))
    case .array: return .list(node.elements.map { value(at: rest, in: $0) })
    case .object: return node[key].map { value(at: rest.dropFirst(), in: $0) } ?? .null
    default: return .null
    }
  }

  private static func value(of node: JSONNode) -> PredicateValue {
    switch node.kind {
    case .null: .null
    case .boolean: node.boolean.map(PredicateValue.boolean) ?? .null
    case .number: node.number.map(PredicateValue.number) ?? .null
    case .string: node.string.map(PredicateValue.string) ?? .null
    case .array: .list(node.elements.map(value))
    case .object: .opaque(nil)
    }
  }
}
