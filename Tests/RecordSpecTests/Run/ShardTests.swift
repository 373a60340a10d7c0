import TestSupport
import Testing

@testable import ScenarioRun

struct ShardTests {
  @Test(arguments: [("1/1", 1, 1), ("2/3", 2, 3), ("10000/10000", 10_000, 10_000)])
  func isReadFromText(text: String, number: Int, count: Int) throws {
    let shard = try #require(Shard(text))
    #expect((shard.number, shard.count) == (number, count))
    #expect(shard.description == text)
  }

  @Test(arguments: [
    "", "1", "0/3", "4/3", "-1/3", "1/0", "1/3/3", "a/b", "1/ 3", "1/10001", "1/99999999999999999999",
  ])
  func otherTextsAreRefused(text: String) { #expect(Shard(text) == nil) }

  @Test func withoutDurationsTheShardsTakeTurns() throws {
    let durations = [Duration?](repeating: nil, count: 7)
    #expect(try #require(Shard("1/3")).indices(of: durations) == [0, 3, 6])
    #expect(try #require(Shard("2/3")).indices(of: durations) == [1, 4])
    #expect(try #require(Shard("3/3")).indices(of: durations) == [2, 5])
  }

  @Test func thereMayBeMoreShardsThanScenarios() throws {
    #expect(try #require(Shard("3/3")).indices(of: [nil, nil]) == [])
    #expect(try #require(Shard("1/3")).indices(of: []) == [])
  }

  /// Each element is in exactly one shard, and no shard takes longer than the shortest one by more than its last element.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func shardsAreDisjointCompleteAndBalanced(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...8, using: &generator)
    let durations = (0..<Int.random(in: 0...60, using: &generator)).map { _ -> Duration? in
      Int.random(in: 0...4, using: &generator) == 0
        ? nil : .milliseconds(Int.random(in: 0...2000, using: &generator))
    }
    let shards = (1...count).compactMap { Shard(number: $0, of: count) }.map { $0.indices(of: durations) }
    #expect(shards.flatMap(\.self).sorted() == Array(durations.indices))
    for shard in shards { #expect(shard == shard.sorted()) }

    let known = durations.compactMap(\.self)
    let average = known.isEmpty ? .seconds(1) : known.reduce(.zero, +) / known.count
    let work = durations.map { $0 ?? average }
    let loads = shards.map { $0.reduce(Duration.zero) { $0 + work[$1] } }
    let shortest = loads.min() ?? .zero
    for (load, shard) in zip(loads, shards) where !shard.isEmpty {
      #expect(load - (shard.map { work[$0] }.min() ?? .zero) <= shortest)
    }
  }
}
