/// The words of a key, in lower case: `createdAt`, `created_at` and `created-at` have the words `created` and `at`.
enum KeyWords {
  static func words(of key: String) -> [String] {
    var words: [String] = []
    var word = ""
    var previous: Unicode.Scalar?
    let scalars = Array(key.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isWord = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      if isWord {
        let isUpper = scalar.properties.isUppercase
        let wasLower = previous.map { $0.properties.isLowercase || ("0"..."9").contains($0) } ?? false
        let wasUpper = previous?.properties.isUppercase ?? false
        let isBeforeLower = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
        if isUpper, wasLower || (wasUpper && isBeforeLower), !word.isEmpty {
          words.append(word)
          word = ""
        }
        word += scalar.properties.lowercaseMapping
        previous = scalar
      } else {
        if !word.isEmpty { words.append(word) }
        word = ""
        previous = nil
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// Returns the words without separators: `accesstoken` for `access_token`.
  static func joined(_ key: String) -> String { words(of: key).joined() }

  /// Returns a name in lower camel case that is an identifier: `createdAt` for `created_at`, `plus1` for `+1`.
  static func propertyName(_ key: String) -> String {
    var words = words(of: key)
    if let sign = key.unicodeScalars.first, let first = words.first?.unicodeScalars.first,
      ("0"..."9").contains(first)
    {
      words.insert(sign == "+" ? "plus" : sign == "-" ? "minus" : "value", at: 0)
    }
    guard let first = words.first else { return "value" }
    return first + words.dropFirst().map(capitalized).joined()
  }

  /// Returns the name of an entity in upper camel case: `PullRequest` for `pull_requests`.
  static func entityName(_ key: String) -> String {
    var words = words(of: key)
    guard let last = words.popLast() else { return "Item" }
    words.append(Nouns.singular(last))
    let name = words.map(capitalized).joined()
    let startsWithDigit = name.unicodeScalars.first.map { ("0"..."9").contains($0) } ?? true
    return startsWithDigit ? "Item" + name : name
  }

  /// Returns the name of a to-many relationship to an entity: `pullRequests` for `PullRequest`.
  static func pluralPropertyName(_ entity: String) -> String {
    var words = words(of: entity)
    guard let last = words.popLast() else { return "items" }
    words.append(Nouns.plural(last))
    return words[0] + words.dropFirst().map(capitalized).joined()
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
