/// A regular expression as instructions for ``RegularExpressionMatcher``.
struct RegularExpressionProgram {
  /// The maximum number of instructions, with counted repetitions expanded.
  static let maximumInstructionCount = 10_000

  enum Instruction {
    /// Consumes one scalar of the text.
    case test(ScalarTest)
    case assert(TextAssertion)
    /// Continues at both instructions.
    case split(Int, Int)
    case jump(Int)
    case match
  }

  private(set) var instructions: [Instruction] = []
  let sets: [ScalarSet]
  private(set) var usesWordBoundaries = false

  init(_ node: RegularExpressionNode, sets: [ScalarSet]) throws(RegularExpressionError) {
    self.sets = sets
    try append(node)
    try append(.match)
  }

  private mutating func append(_ instruction: Instruction) throws(RegularExpressionError) {
    guard instructions.count < Self.maximumInstructionCount else {
      throw RegularExpressionError(
        "the regular expression is longer than \(Self.maximumInstructionCount) steps with its counts expanded",
        advice: "lower the counts in braces, or repeat without an upper limit")
    }
    instructions.append(instruction)
  }

  /// Appends the instructions of a node. Every node except the empty one has an instruction, so the limit also bounds
  /// the work for nested counts.
  private mutating func append(_ node: RegularExpressionNode) throws(RegularExpressionError) {
    switch node {
    case .scalar(let test): try append(.test(test))
    case .assertion(let assertion):
      switch assertion {
      case .wordBoundary, .noWordBoundary: usesWordBoundaries = true
      default: break
      }
      try append(.assert(assertion))
    case .sequence(let parts): for part in parts { try append(part) }
    case .alternatives(let alternatives): try append(alternatives: alternatives)
    case .repetition(let part, let minimum, let maximum):
      for _ in 0..<minimum { try append(part) }
      guard let maximum else { return try append(repeated: part) }
      try append(part, optionallyUpTo: maximum - minimum)
    }
  }

  private mutating func append(alternatives: [RegularExpressionNode]) throws(RegularExpressionError) {
    var jumps: [Int] = []
    for (index, alternative) in alternatives.enumerated() {
      guard index < alternatives.count - 1 else {
        try append(alternative)
        break
      }
      let split = instructions.count
      try append(.split(split + 1, 0))
      try append(alternative)
      jumps.append(instructions.count)
      try append(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  private mutating func append(repeated part: RegularExpressionNode) throws(RegularExpressionError) {
    let split = instructions.count
    try append(.split(split + 1, 0))
    try append(part)
    try append(.jump(split))
    instructions[split] = .split(split + 1, instructions.count)
  }

  /// Appends optional repetitions, any of which may be the last: `a{0,3}` is compiled as `(a(a(a)?)?)?`.
  private mutating func append(
    _ part: RegularExpressionNode, optionallyUpTo count: Int
  ) throws(RegularExpressionError) {
    var splits: [Int] = []
    for _ in 0..<count {
      splits.append(instructions.count)
      try append(.split(instructions.count + 1, 0))
      try append(part)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }
}
