import TestSupport
import Testing

@testable import ScenarioComparison

struct MaximumMatchingTests {
  @Test(arguments: 0..<200) func itIsAsLargeAsTryingEverythingGives(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let candidates = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      (0..<6).filter { _ in Int.random(in: 0...2, using: &generator) == 0 }.shuffled(using: &generator)
    }
    let matching = maximumMatching(candidates)
    let taken = matching.compactMap(\.self)
    #expect(Set(taken).count == taken.count)
    #expect(zip(candidates, matching).allSatisfy { $1 == nil || $0.contains($1 ?? -1) })
    #expect(taken.count == largest(candidates[...], taken: []))
  }

  @Test func longChainsMoveOn() {
    // Each element matches its own candidate or the next one. The last element matches only the first candidate.
    let count = 5_000
    let candidates = (0..<count).map { [$0, $0 + 1] } + [[0]]
    #expect(maximumMatching(candidates).allSatisfy { $0 != nil })
  }

  private func largest(_ candidates: ArraySlice<[Int]>, taken: Set<Int>) -> Int {
    guard let first = candidates.first else { return 0 }
    let rest = candidates.dropFirst()
    let with = first.filter { !taken.contains($0) }.map { 1 + largest(rest, taken: taken.union([$0])) }
    return max(largest(rest, taken: taken), with.max() ?? 0)
  }
}
