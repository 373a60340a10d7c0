internal import JSONTree

/// Which steps of a golden file are which of those that ran: by what they do, in order, so that a step that an author
/// puts in between leaves the others what they were.
struct StepPairing {
  typealias Step = JSONObject

  /// The positions of a step in the golden file and among those that ran, in order.
  private(set) var pairs: [(recorded: Int, actual: Int)] = []
  /// The positions of steps of the golden file that did not run.
  private(set) var gone: [Int] = []
  /// The positions of steps that the golden file has not got.
  private(set) var new: [Int] = []

  /// Beyond this many comparisons steps are paired by their place. A scenario with a thousand steps stays below.
  private static let limit = 2_000_000

  /// - Complexity: linear in the steps, and in the product of those that are left when what is the same at the beginning
  ///   and at the end is put aside.
  init(recorded: [Step], actual: [Step]) {
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

  /// Appends those pairs, none of which cross, that together are the most alike.
  private mutating func pair(_ left: ArraySlice<StepLikeness>, _ right: ArraySlice<StepLikeness>) {
    // How alike the rest can be from a row and a column on.
    let width = right.count + 1
    var best = [Int](repeating: 0, count: (left.count + 1) * width)
    func location(_ row: Int, _ column: Int) -> Int {
      (row - left.startIndex) * width + column - right.startIndex
    }
    /// How alike the rest is from a row and a column on if these two are a pair; nil if they can be none.
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

/// What tells how alike two steps are, as numbers that are quick to compare.
private struct StepLikeness {
  /// One number for steps that are the same in all.
  var content: Int
  /// One number for steps that do the same.
  var action: Int
  /// One number for steps that do the same kind of thing.
  var kind: Int

  init(_ step: StepPairing.Step, _ numbers: inout [JSONValue: Int]) {
    func number(_ value: JSONValue) -> Int {
      if let number = numbers[value] { return number }
      numbers[value] = numbers.count
      return numbers.count - 1
    }
    content = number(.object(step))
    action = number(Self.action(of: .object(step)))
    kind = number(.string(step.keys.first { StepSnapshot.kinds.contains($0) } ?? ""))
  }

  private static func action(of step: JSONValue) -> JSONValue {
    guard case .object(var members) = step else { return step }
    members.removeAll { !StepSnapshot.kinds.contains($0.key) && !StepSnapshot.details.contains($0.key) }
    if case .array(let entries)? = members["batch"] { members["batch"] = .array(entries.map(action)) }
    return .object(members)
  }

  /// Nil for steps that have nothing to do with each other.
  func likeness(to other: StepLikeness) -> Int? {
    if content == other.content { return 4 }
    if action == other.action { return 3 }
    return kind == other.kind ? 1 : nil
  }
}
