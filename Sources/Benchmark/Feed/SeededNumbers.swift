/// A generator of pseudorandom numbers that are the same on every run (SplitMix64).
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64, stream: UInt64) {
    state = seed &+ stream &* 0x9E37_79B9_7F4A_7C15
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a number in `0..<bound`.
  mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Returns true once in `times` calls on average.
  mutating func once(in times: Int) -> Bool { next(below: times) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }
}
