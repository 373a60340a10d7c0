/// Names that are made unique by numbers: `User`, `User2`.
struct UniqueNames {
  private var used: Set<String> = []
  private var lastNumbers: [String: Int] = [:]

  /// Returns a Boolean value that indicates whether a name was used.
  func contains(_ name: String) -> Bool { used.contains(name) }

  /// Returns a name that was not used yet.
  ///
  /// - Parameter isTaken: a function that returns a Boolean value that indicates whether a name must not be used.
  mutating func add(_ name: String, unless isTaken: (String) -> Bool = { _ in false }) -> String {
    var unique = name
    var number = lastNumbers[name] ?? 1
    while used.contains(unique) || isTaken(unique) {
      number += 1
      unique = name + String(number)
    }
    lastNumbers[name] = number
    used.insert(unique)
    return unique
  }
}
