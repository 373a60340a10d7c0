import Foundation
import JSONTree

/// The parsed form of a predicate. Its description is the canonical text of the predicate, which parses to an equal
/// tree.
package indirect enum PredicateTree: Hashable, Sendable {
  case constant(Bool)
  case not(PredicateTree)
  /// A conjunction of two or more parts.
  case and([PredicateTree])
  /// A disjunction of two or more parts.
  case or([PredicateTree])
  case comparison(PredicateComparison)
}

/// A comparison, such as `ANY left ==[c] right`.
package struct PredicateComparison: Hashable, Sendable {
  /// The members of a to-many on the left that must satisfy the comparison. `NONE` is represented as `NOT ANY`.
  package enum Modifier: String, Hashable, Sendable {
    case direct = ""
    case any = "ANY "
    case all = "ALL "
  }

  package var modifier: Modifier
  package var left: PredicateOperand
  package var `operator`: PredicateOperator
  package var options: PredicateTextOptions
  package var right: PredicateOperand
}

/// One side of a comparison.
package indirect enum PredicateOperand: Hashable, Sendable {
  case value(PredicateValue)
  /// A key path. The last key may be `@count`. It is empty for `SELF`.
  case keyPath([String])
  case list([PredicateOperand])
}

package enum PredicateOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case `in` = "IN"
  case between = "BETWEEN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
}

/// The distinctions that a comparison of texts ignores.
package struct PredicateTextOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`
  package static let caseInsensitive = PredicateTextOptions(rawValue: 1)
  /// `[d]`
  package static let diacriticInsensitive = PredicateTextOptions(rawValue: 2)
}

// MARK: Canonical text

extension PredicateTree: CustomStringConvertible {
  package var description: String {
    switch self {
    case .constant(true): "TRUEPREDICATE"
    case .constant(false): "FALSEPREDICATE"
    case .not(let part): "NOT \(part.nestedText)"
    case .and(let parts): parts.map(\.nestedText).joined(separator: " AND ")
    case .or(let parts): parts.map(\.nestedText).joined(separator: " OR ")
    case .comparison(let comparison): comparison.description
    }
  }

  private var nestedText: String {
    switch self {
    case .constant, .comparison: description
    case .not, .and, .or: "(\(description))"
    }
  }
}

extension PredicateComparison: CustomStringConvertible {
  package var description: String {
    "\(modifier.rawValue)\(left) \(self.operator.rawValue)\(options) \(right)"
  }
}

extension PredicateTextOptions: CustomStringConvertible {
  package var description: String {
    isEmpty ? "" : "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}

extension PredicateOperand: CustomStringConvertible {
  package var description: String {
    switch self {
    case .value(let value): Self.text(of: value)
    case .keyPath(let keys): keys.isEmpty ? "SELF" : Self.text(ofKeys: keys)
    case .list(let elements): "{\(elements.map(\.description).joined(separator: ", "))}"
    }
  }

  private static func text(of value: PredicateValue) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let value): value ? "YES" : "NO"
    case .number(let number): number.digits
    case .integer(let value): String(value)
    case .string(let text): quoted(text)
    case .date(let date): "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
    case .list(let elements): "{\(elements.map(text).joined(separator: ", "))}"
    // A parsed predicate contains no opaque value.
    case .opaque(let identity): identity ?? "opaque"
    }
  }

  private static func text(ofKeys keys: [String]) -> String {
    keys.enumerated().map { position, key in
      if key == "@count" && position == keys.count - 1 || MappingPath.Place(rawValue: key) != nil {
        return key
      }
      if !PredicateLexer.isWord(key) { return "#\(quoted(key))" }
      return PredicateKeyword(key) == nil ? key : "#\(key)"
    }.joined(separator: ".")
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
