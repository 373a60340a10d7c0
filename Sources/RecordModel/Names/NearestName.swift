/// Returns the candidate that is nearest to an unknown name, to suggest it in a message; nil if none is near enough.
///
/// Case is ignored. At most a third of the letters of the longer name may differ, and at most three. One difference is
/// always allowed, except between names of one letter.
/// Of several equally near candidates, the first is returned. A name of more than 100 characters has no near candidate.
///
/// - Complexity: linear in the number of candidates.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let wanted = Array(name.lowercased())
  guard wanted.count <= 100 else { return nil }
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let letters = Array(candidate.lowercased())
    let length = max(wanted.count, letters.count)
    let limit = min(3, max(1, length / 3))
    guard abs(letters.count - wanted.count) <= limit else { continue }
    let distance = editDistance(wanted, letters)
    // A name that differs in every letter is another name, not a misspelled one.
    guard distance <= limit, distance < length else { continue }
    if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
  }
  return best?.name
}

/// Suggests names for the first 100 unknown names of a file or a model.
///
/// Each suggestion takes time linear in the number of known names. The limit prevents quadratic time for a file with
/// many unknown and many known names.
package struct NameSuggestions {
  private var remaining = 100

  package init() {}

  package mutating func nearestName(to name: String, among candidates: @autoclosure () -> [String]) -> String?
  {
    guard remaining > 0 else { return nil }
    remaining -= 1
    return RecordModel.nearestName(to: name, among: candidates())
  }

  /// Returns advice such as `did you mean 'posts'?`; nil if no candidate is near enough.
  package mutating func advice(for name: String, among candidates: @autoclosure () -> [String]) -> String? {
    nearestName(to: name, among: candidates()).map { "did you mean '\($0)'?" }
  }
}

/// Returns the optimal string alignment distance: insertions, deletions, replacements and swaps of neighbors cost one
/// each.
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in 1...left.count {
    var current = [row]
    for column in 1...right.count {
      let same = left[row - 1] == right[column - 1]
      var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
      if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
        cost = min(cost, beforeLast[column - 2] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
