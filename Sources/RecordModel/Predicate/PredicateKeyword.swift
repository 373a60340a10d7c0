/// A reserved word of the predicate language, in any case. Several words may have the same meaning.
enum PredicateKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  // Not `some` and `none`, which would conflict with the cases of an optional keyword.
  case someOf = "SOME"
  case all = "ALL"
  case noneOf = "NONE"
  case `in` = "IN"
  case between = "BETWEEN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  case itself = "SELF"
  case yes = "YES"
  case `true` = "TRUE"
  case no = "NO"
  case `false` = "FALSE"
  case `nil` = "NIL"
  case null = "NULL"
  case cast = "CAST"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"

  init?(_ word: String) { self.init(rawValue: word.uppercased()) }

  /// The comparison operator of the word, if it is one.
  var comparison: PredicateOperator? {
    switch self {
    case .in, .between, .contains, .beginsWith, .endsWith, .like, .matches:
      PredicateOperator(rawValue: rawValue)
    default: nil
    }
  }

  /// A Boolean value that indicates whether the word is a Boolean.
  var isBoolean: Bool { [.yes, .true, .no, .false].contains(self) }

  /// The words that are comparison operators.
  static let comparisons = allCases.filter { $0.comparison != nil }.map(\.rawValue)
}
