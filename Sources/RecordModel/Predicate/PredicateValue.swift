public import Foundation
public import JSONTree

/// A value in the evaluation of a predicate.
@usableFromInline
package enum PredicateValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// An exact number. A double or float is represented by its shortest text, so that a stored 0.1 equals `0.1`.
  /// Rule: `predicate.number`.
  case number(JSONNumber)
  /// A number that is a 64-bit integer, which is faster to compare.
  case integer(Int64)
  case string(String)
  case date(Date)
  /// The members of a to-many, or the values that a key path finds in each of them. ``PredicateFindings`` creates the
  /// lists, which contain at most one level of further lists.
  case list([PredicateValue])
  /// A value without order and parts: a record, a dictionary, or binary data. Two opaque values are equal if they have
  /// the same identity. A value without identity equals nothing.
  case opaque(String?)

  package init(_ number: JSONNumber) {
    self = number.int64Value.map(PredicateValue.integer) ?? .number(number)
  }
}

/// The subject of a predicate: a record or a raw dictionary.
@usableFromInline
package protocol PredicateSubject {
  /// A key path as the subject reads it.
  associatedtype Path

  /// Returns the value at a key path; the subject itself for an empty path. Rules: `predicate.count`,
  /// `predicate.key-path`.
  ///
  /// A to-many on the path yields a list with one entry for each member: the value at the remaining keys from there. A
  /// missing key yields null, as does any key after nil. The last key may be `@count`: the number of members of the
  /// to-many before it.
  func value(at path: Path) -> PredicateValue
}

/// A raw dictionary. Its nested dictionaries are opaque and equal nothing.
extension JSONNode: PredicateSubject {
  /// Returns the value at a key path. Long paths and deep documents take no machine stack.
  ///
  /// - Complexity: linear in the number of keys and of the nodes that they lead to.
  @usableFromInline
  package func value(at keyPath: [String]) -> PredicateValue {
    var node = self
    var keys = keyPath[...]
    while let place = keys.first.flatMap(MappingPath.Place.init) {
      keys.removeFirst()
      let next: JSONNode?
      switch place {
      case .parent: next = node.enclosingObject
      case .root: next = node.outermost
      case .request: next = node.request
      case .key: return node.enclosingKey.map(PredicateValue.string) ?? .null
      case .index: return node.enclosingPosition.map { .integer(Int64($0)) } ?? .null
      }
      guard let next else { return .null }
      node = next
    }
    while node.kind == .object, let key = keys.first, keys.count > 1 || key != "@count" {
      guard let child = node[key] else { return .null }
      node = child
      keys.removeFirst()
    }
    return keys.isEmpty && node.kind != .array ? node.scalarValue : Self.value(at: keys, in: node)
  }

  private static func value(at keys: ArraySlice<String>, in node: JSONNode) -> PredicateValue {
    var nodes = [FoundNode(node: node, depth: 0)]
    var findings = PredicateFindings()
    var keys = keys
    while let key = keys.popFirst() {
      let isCount = keys.isEmpty && key == "@count"
      var next: [FoundNode] = []
      while let found = nodes.popLast() {
        switch found.node.kind {
        case .array where isCount, .object where isCount:
          findings.add(.integer(Int64(found.node.count)), depth: found.depth)
        case .array: nodes.append(contentsOf: found.elements(in: &findings))
        case .object:
          if let child = found.node[key] {
            next.append(FoundNode(node: child, depth: found.depth))
          } else {
            findings.add(.null, depth: found.depth)
          }
        default: findings.add(.null, depth: found.depth)
        }
      }
      if next.isEmpty { return findings.value }
      nodes = next
    }
    while let found = nodes.popLast() {
      if found.node.kind == .array {
        nodes.append(contentsOf: found.elements(in: &findings))
      } else {
        findings.add(found.node.scalarValue, depth: found.depth)
      }
    }
    return findings.value
  }

  /// A node that a key path leads to, with the number of lists around it.
  private struct FoundNode {
    var node: JSONNode
    var depth: Int

    func elements(in findings: inout PredicateFindings) -> [FoundNode] {
      findings.addList(depth: depth)
      return node.elements.map { FoundNode(node: $0, depth: depth + 1) }
    }
  }

  /// The value of a node that is not an array.
  private var scalarValue: PredicateValue {
    switch kind {
    case .null: .null
    case .boolean: boolean.map(PredicateValue.boolean) ?? .null
    case .number: number.map(PredicateValue.init) ?? .null
    case .string: string.map(PredicateValue.string) ?? .null
    case .array: .list([])
    case .object: .opaque(nil)
    }
  }
}
