/// A word that the predicate language keeps for itself, in any case. Several words may mean one thing.
enum PredicateKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  // Not `some` and `none`, which an optional keyword takes for its own cases.
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

  /// The comparison that the word stands for.
  var comparison: PredicateOperator? {
    switch self {
    case .in, .between, .contains, .beginsWith, .endsWith, .like, .matches:
      PredicateOperator(rawValue: rawValue)
    default: nil
    }
  }

  /// The comparisons that are words.
  static let comparisons = allCases.filter { $0.comparison != nil }.map(\.rawValue)
}
