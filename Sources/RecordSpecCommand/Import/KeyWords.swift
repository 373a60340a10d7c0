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
    words.append(singular(last))
    let name = words.map(capitalized).joined()
    let startsWithDigit = name.unicodeScalars.first.map { ("0"..."9").contains($0) } ?? true
    return startsWithDigit ? "Item" + name : name
  }

  /// Returns the name of a to-many relationship to an entity: `pullRequests` for `PullRequest`.
  static func pluralPropertyName(_ entity: String) -> String {
    var words = words(of: entity)
    guard let last = words.popLast() else { return "items" }
    words.append(plural(last))
    return words[0] + words.dropFirst().map(capitalized).joined()
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static let irregular = [
    ("people", "person"), ("children", "child"), ("men", "man"), ("women", "woman"),
  ]
  private static let invariable: Set<String> = ["news", "series", "species", "data", "media", "info"]

  static func singular(_ word: String) -> String {
    if let pair = irregular.first(where: { $0.0 == word }) { return pair.1 }
    if invariable.contains(word) || word.count < 3 { return word }
    for ending in ["ss", "us", "is"] where word.hasSuffix(ending) { return word }
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "shes", "ches", "xes", "zes"] where word.hasSuffix(ending) {
      return String(word.dropLast(2))
    }
    return word.hasSuffix("s") ? String(word.dropLast()) : word
  }

  static func plural(_ word: String) -> String {
    if let pair = irregular.first(where: { $0.1 == word }) { return pair.0 }
    if invariable.contains(word) { return word }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    for ending in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(ending) { return word + "es" }
    return word + "s"
  }
}
