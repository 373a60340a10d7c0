/// The nearest of `candidates` to a name that is none of them: what a message suggests.
///
/// Upper and lower case count as equal; at most a third of the letters (and always one) may be wrong.
/// Of several equally near ones the first wins. Linear in the candidates; a name of more than 100 characters is near none.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let wanted = Array(name.lowercased())
  guard wanted.count <= 100 else { return nil }
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let letters = Array(candidate.lowercased())
    let limit = max(1, max(wanted.count, candidate.count) / 3)
    guard abs(letters.count - wanted.count) <= limit else { continue }
    let distance = editDistance(wanted, letters)
    guard distance <= limit else { continue }
    if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
  }
  return best?.name
}

/// Suggests names for the first unknown ones of a file or a model.
///
/// Each takes time linear in the known names. Without a limit a file with many unknown names and many known ones would take
/// quadratic time.
package struct NameSuggestions {
  private var rest = 100

  package init() {}

  package mutating func nearestName(to name: String, among candidates: @autoclosure () -> [String]) -> String?
  {
    guard rest > 0 else { return nil }
    rest -= 1
    return RecordModel.nearestName(to: name, among: candidates())
  }

  /// `did you mean 'posts'?`
  package mutating func advice(for name: String, among candidates: @autoclosure () -> [String]) -> String? {
    nearestName(to: name, among: candidates()).map { "did you mean '\($0)'?" }
  }
}

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours cost one each.
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
