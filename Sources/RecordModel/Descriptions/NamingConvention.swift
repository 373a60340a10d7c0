/// The convention by which the names of properties become keys. Rule: `mapping.convention`.
public enum NamingConvention: String, Hashable, Sendable, CaseIterable {
  /// The key of `createdAt` is `createdAt`. This is the default.
  case asWritten = "as-written"
  /// The key of `createdAt` is `created_at`, and that of `imageURL` is `image_url`.
  case snakeCase = "snake_case"

  /// Returns the key for a name.
  package func key(for name: String) -> String {
    guard self == .snakeCase else { return name }
    let scalars = Array(name.unicodeScalars)
    var key = ""
    for (position, scalar) in scalars.enumerated() {
      let isUpper = scalar.properties.isUppercase
      // A word begins at a capital after a small letter or digit, and at the last capital of several before a small letter.
      let startsWord =
        isUpper && position > 0 && scalars[position - 1] != "_"
        && (!scalars[position - 1].properties.isUppercase
          || position + 1 < scalars.count && scalars[position + 1].properties.isLowercase)
      if startsWord { key += "_" }
      key += scalar.properties.lowercaseMapping
    }
    return key
  }
}
