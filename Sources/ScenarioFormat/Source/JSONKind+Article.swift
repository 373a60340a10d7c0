package import JSONTree

extension JSONKind {
  /// The kind with its article, as in messages: `a string`.
  package var withArticle: String {
    switch self {
    case .null: "null"
    case .array, .object: "an \(rawValue)"
    case .boolean, .number, .string: "a \(rawValue)"
    }
  }
}
