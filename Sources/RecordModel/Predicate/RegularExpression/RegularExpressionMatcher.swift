/// One run of a program over a text, by Thompson's algorithm, which follows all paths through the program at once.
struct RegularExpressionMatcher {
  private let program: RegularExpressionProgram
  private let scalars: [Unicode.Scalar]
  /// For each position, whether a word begins or ends there. Empty if the program does not test for word boundaries.
  private let isWordBoundary: [Bool]
  /// The instructions that test the next scalar.
  private var current: [Int] = []
  private var next: [Int] = []
  /// For each instruction, the last position at which it was reached, so that it is followed once at each position.
  private var reachedAt: [Int]
  private var pending: [Int] = []
  private var reachesMatch = false
  /// The number of instructions that were visited.
  private(set) var steps = 0

  init(_ program: RegularExpressionProgram, _ text: String) {
    self.program = program
    scalars = Array(text.unicodeScalars)
    isWordBoundary = program.usesWordBoundaries ? Self.wordBoundaries(of: text) : []
    reachedAt = Array(repeating: -1, count: program.instructions.count)
  }

  mutating func matches() -> Bool {
    follow(0, at: 0)
    swap(&current, &next)
    for position in scalars.indices {
      if current.isEmpty { return false }
      reachesMatch = false
      steps += current.count
      for instruction in current where accepts(instruction, scalars[position]) {
        follow(instruction + 1, at: position + 1)
      }
      swap(&current, &next)
      next.removeAll(keepingCapacity: true)
    }
    return reachesMatch
  }

  private func accepts(_ instruction: Int, _ scalar: Unicode.Scalar) -> Bool {
    guard case .test(let test) = program.instructions[instruction] else { return false }
    return switch test {
    case .scalar(let other): scalar == other
    case .lowercased(let other): scalar.lowercased == other
    case .any: true
    case .anyButNewline: !scalar.isNewline
    case .set(let set): program.sets[set].contains(scalar)
    }
  }

  /// Follows an instruction and its successors that consume no scalar, up to the instructions that test the next
  /// scalar.
  private mutating func follow(_ first: Int, at position: Int) {
    var instruction = first
    while true {
      steps += 1
      var following: Int?
      if reachedAt[instruction] != position {
        reachedAt[instruction] = position
        switch program.instructions[instruction] {
        case .test: next.append(instruction)
        case .assert(let assertion): if holds(assertion, at: position) { following = instruction + 1 }
        case .split(let first, let second):
          pending.append(second)
          following = first
        case .jump(let target): following = target
        case .match: reachesMatch = true
        }
      }
      guard let another = following ?? pending.popLast() else { return }
      instruction = another
    }
  }

  private func holds(_ assertion: TextAssertion, at position: Int) -> Bool {
    switch assertion {
    case .start: position == 0
    case .end: position == scalars.count
    case .endOrFinalNewline:
      position == scalars.count || (position == scalars.count - 1 && scalars[position].isNewline)
    case .startOfLine: position == 0 || scalars[position - 1].isNewline
    case .endOfLine: position == scalars.count || scalars[position].isNewline
    case .wordBoundary: isWordBoundary[position]
    case .noWordBoundary: !isWordBoundary[position]
    case .notBeforeLineFeed: position == scalars.count || scalars[position] != "\n"
    }
  }

  /// Returns the word boundaries. Swift's `Regex` finds them by the rules of Unicode, in one pass over the text.
  private static func wordBoundaries(of text: String) -> [Bool] {
    let boundaries = text.ranges(of: /\b/.matchingSemantics(.unicodeScalar)).lazy.map(\.lowerBound)
    var remaining = boundaries[...]
    return (text.unicodeScalars.indices + [text.endIndex]).map { index in
      guard remaining.first == index else { return false }
      remaining.removeFirst()
      return true
    }
  }
}
