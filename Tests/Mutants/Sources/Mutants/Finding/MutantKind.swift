/// The changes that mutants make to the source.
enum MutantKind: String, CaseIterable, Sendable {
  /// A condition, or a part of it, always holds.
  case alwaysTrue = "true"
  /// A condition, or a part of it, never holds.
  case alwaysFalse = "false"
  /// `<` becomes `<=`, `>=` becomes `>`, and so on.
  case boundary
  /// `+` becomes `-`, and `-` becomes `+`.
  case arithmetic
  /// A range ends one element earlier.
  case range
  /// `a ?? b` becomes `b`.
  case fallback
  /// A function returns nil instead of a value.
  case returnedNil = "nil"
  /// A function returns an empty collection.
  case returnedEmpty = "empty"
  /// A call or an assignment is removed.
  case removed
  /// A loop has no iterations, or a case of a switch never matches.
  case skipped

  /// Returns a description of the change to a piece of source.
  func change(of text: String) -> String {
    switch self {
    case .alwaysTrue: "`\(text)` is always true"
    case .alwaysFalse: "`\(text)` is never true"
    case .boundary: "`\(text)` includes or excludes equal values the other way round"
    case .arithmetic: "`\(text)` has + and - exchanged"
    case .range: "the range up to `\(text)` ends one earlier"
    case .fallback: "`\(text)` is always the value behind ??"
    case .returnedNil: "`\(text)` is nil"
    case .returnedEmpty: "`\(text)` is empty"
    case .removed: "`\(text)` is removed"
    case .skipped: "`\(text)` is skipped"
    }
  }
}
