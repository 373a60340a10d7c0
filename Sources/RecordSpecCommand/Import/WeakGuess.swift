import RecordModel

/// A guess about an inferred model that little in the responses supports, and the parts of the model that it is about.
struct WeakGuess: Hashable {
  /// The evidence in words, such as `only nulls`.
  let reason: String
  /// The entities, or the properties such as `Post.text`, in the order of the model.
  var subjects: [String]

  /// The number of subjects of a guess that are listed.
  private static let shownSubjects = 3

  /// Returns the number of weak guesses, and a line for each reason; empty if there are none.
  ///
  /// - Parameter path: the model file, as the user would type it.
  static func lines(of guesses: [WeakGuess], in path: String) -> [String] {
    let count = guesses.reduce(0) { $0 + $1.subjects.count }
    guard count > 0 else { return [] }
    let lines = guesses.map { guess in
      "  \(shortenedList(guess.subjects, limit: shownSubjects)): \(guess.reason)"
    }
    return ["check \(count) weak \(count == 1 ? "guess" : "guesses") in \(path):"] + lines
  }
}

extension [WeakGuess] {
  /// Adds a part of the model to the guess with a reason.
  mutating func add(_ subject: String, _ reason: String) {
    if let index = firstIndex(where: { $0.reason == reason }) {
      self[index].subjects.append(subject)
    } else {
      append(WeakGuess(reason: reason, subjects: [subject]))
    }
  }
}
