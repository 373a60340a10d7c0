package import JSONTree
import ScenarioFormat

/// The pairing of the steps in a golden file with the steps that ran. Steps are paired by their actions, in order, so
/// that an inserted step does not affect the others.
package struct StepPairing {
  package typealias Step = JSONObject

  /// The indices of paired steps in the golden file and in the run, in order.
  package private(set) var pairs: [(recorded: Int, actual: Int)] = []
  /// The indices of the golden file's steps that did not run.
  package private(set) var gone: [Int] = []
  /// The indices of the run's steps that the golden file does not contain.
  package private(set) var new: [Int] = []

  /// The maximum number of comparisons. Above it, steps are paired by position. A scenario with a thousand steps is
  /// below the limit.
  private static let limit = 2_000_000

  /// Creates the pairing.
  ///
  /// - Complexity: linear in the number of steps, and in the product of the numbers of steps that remain on both sides.
  ///   Equal steps at the start and at the end are removed before.
  package init(recorded: [Step], actual: [Step]) {
    var numbers: [JSONValue: Int] = [:]
    let left = recorded.map { StepLikeness($0, &numbers) }
    let right = actual.map { StepLikeness($0, &numbers) }
    var (rows, columns) = (left.indices, right.indices)
    var same: [(recorded: Int, actual: Int)] = []
    while let row = rows.first, let column = columns.first, left[row].content == right[column].content {
      pairs.append((row, column))
      (rows, columns) = (rows.dropFirst(), columns.dropFirst())
    }
    while let row = rows.last, let column = columns.last, left[row].content == right[column].content {
      same.append((row, column))
      (rows, columns) = (rows.dropLast(), columns.dropLast())
    }
    if columns.isEmpty || rows.count <= Self.limit / columns.count {
      pair(left[rows], right[columns])
    } else {
      pairs += zip(rows, columns).map { ($0, $1) }
    }
    pairs += same.reversed()
    let paired = (recorded: Set(pairs.map(\.recorded)), actual: Set(pairs.map(\.actual)))
    gone = recorded.indices.filter { !paired.recorded.contains($0) }
    new = actual.indices.filter { !paired.actual.contains($0) }
  }

  /// Appends the pairs that do not cross and that together have the greatest likeness.
  private mutating func pair(_ left: ArraySlice<StepLikeness>, _ right: ArraySlice<StepLikeness>) {
    // The greatest likeness of the steps from a row and a column on.
    let width = right.count + 1
    var best = [Int](repeating: 0, count: (left.count + 1) * width)
    func location(_ row: Int, _ column: Int) -> Int {
      (row - left.startIndex) * width + column - right.startIndex
    }
    /// Returns the likeness of the steps from a row and a column on if these two are a pair; nil if they cannot be a
    /// pair.
    func paired(_ row: Int, _ column: Int) -> Int? {
      left[row].likeness(to: right[column]).map { $0 + best[location(row + 1, column + 1)] }
    }
    for row in left.indices.reversed() {
      for column in right.indices.reversed() {
        best[location(row, column)] = max(
          best[location(row + 1, column)], best[location(row, column + 1)], paired(row, column) ?? 0)
      }
    }
    var (row, column) = (left.startIndex, right.startIndex)
    while row < left.endIndex, column < right.endIndex {
      if paired(row, column) == best[location(row, column)] {
        pairs.append((row, column))
        (row, column) = (row + 1, column + 1)
      } else if best[location(row + 1, column)] == best[location(row, column)] {
        row += 1
      } else {
        column += 1
      }
    }
  }
}

/// The numbers that determine how alike two steps are. They are faster to compare than the steps.
private struct StepLikeness {
  /// A number that equal steps share.
  var content: Int
  /// A number that steps with the same action share.
  var action: Int
  /// A number that steps with the same kind of action share.
  var kind: Int

  init(_ step: StepPairing.Step, _ numbers: inout [JSONValue: Int]) {
    func number(_ value: JSONValue) -> Int {
      if let number = numbers[value] { return number }
      numbers[value] = numbers.count
      return numbers.count - 1
    }
    content = number(.object(step))
    action = number(Self.action(of: .object(step)))
    kind = number(.string(step.keys.first { StepKind(rawValue: $0) != nil } ?? ""))
  }

  private static func action(of step: JSONValue) -> JSONValue {
    guard case .object(var members) = step else { return step }
    members.removeAll { StepKind(rawValue: $0.key) == nil && !RecordedAction.details.contains($0.key) }
    if case .array(let entries)? = members["batch"] { members["batch"] = .array(entries.map(action)) }
    return .object(members)
  }

  /// Returns the likeness of two steps; nil for steps with different kinds of actions.
  func likeness(to other: StepLikeness) -> Int? {
    if content == other.content { return 4 }
    if action == other.action { return 3 }
    return kind == other.kind ? 1 : nil
  }
}
