/// One run of a program over a text: Thompson's simulation, which follows all ways through the program at once.
struct RegularExpressionMatcher {
  private let program: RegularExpressionProgram
  private let scalars: [Unicode.Scalar]
  /// Whether a word begins or ends at each position; empty if the program does not ask.
  private let isWordBoundary: [Bool]
  /// The scalar instructions that the next scalar is tested with.
  private var current: [Int] = []
  private var next: [Int] = []
  /// For each instruction the last position at which it was reached, so that it is followed once at each.
  private var reachedAt: [Int]
  private var pending: [Int] = []
  private var reachesMatch = false
  /// How many instructions were looked at.
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

  /// Follows an instruction, and what it leads to without a scalar, up to those that test the next one.
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

  /// Swift's `Regex` finds them, by Unicode's rules for words, in one pass over the text.
  private static func wordBoundaries(of text: String) -> [Bool] {
    let boundaries = text.ranges(of: /\b/.matchingSemantics(.unicodeScalar)).lazy.map(\.lowerBound)
    var rest = boundaries[...]
    return (text.unicodeScalars.indices + [text.endIndex]).map { index in
      guard rest.first == index else { return false }
      rest.removeFirst()
      return true
    }
  }
}
