import TestSupport

/// Random numbers that are the same in every run, with helpers for random models and responses.
struct RandomNumbers: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Returns a random element, or nil if there is none.
  mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &self) }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &self) }
}
