import Foundation
import TestSupport
import Testing

@testable import RecordSpecCommand
@testable import ScenarioReport

/// Tests that concurrent work has its results in order.
@Suite struct OrderedWorkTests {
  /// The first elements wait until as many have begun as can be worked on concurrently. The very first one ends last.
  @Test(.timeLimit(.minutes(5)), arguments: [(-1, 1), (1, 1), (4, 4), (100, 30)])
  func resultsAreInTheOrderOfTheElements(jobs: Int, limit: Int) async {
    let (begun, ended) = (EventCounter(), EventCounter())
    let working = Peak()
    var results: [Int] = []
    await OrderedWork(jobs: jobs).run(Array(0..<30)) { number in
      working.begin()
      begun.note()
      if number < limit { await begun.wait(for: limit) }
      if number == 0 { await ended.wait(for: limit - 1) }
      working.end()
      ended.note()
      return number * 2
    } ended: { result in
      results.append(result)
    }
    #expect(results == (0..<30).map { $0 * 2 })
    #expect(working.highest == limit)
  }

  /// The greatest number of elements that were worked on concurrently.
  // Unchecked: all mutable state is only accessed while `lock` is held.
  private final class Peak: @unchecked Sendable {
    private let lock = NSLock()
    private var current = 0
    private var peak = 0

    var highest: Int { lock.withLock { peak } }

    func begin() {
      lock.withLock {
        current += 1
        peak = max(peak, current)
      }
    }

    func end() { lock.withLock { current -= 1 } }
  }

  @Test func nothingIsNoWork() async {
    await OrderedWork(jobs: 2).run([Int]()) {
      $0
    } ended: {
      Issue.record("\($0)")
    }
  }
}
