import Foundation
import Testing

@testable import RecordSpec

/// Tests that concurrent work has its results in order.
@Suite struct OrderedWorkTests {
  /// The number of elements that are worked on.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var current = 0
    private var highest = 0

    var peak: Int { lock.withLock { highest } }

    func begin() {
      lock.withLock {
        current += 1
        highest = max(highest, current)
      }
    }

    func end() { lock.withLock { current -= 1 } }
  }

  /// Later elements take less time, so that they end first.
  @Test(arguments: [(-1, 1), (1, 1), (4, 4), (100, 30)])
  func resultsAreInTheOrderOfTheElements(jobs: Int, limit: Int) async {
    let counter = Counter()
    var results: [Int] = []
    await OrderedWork(jobs: jobs).run(Array(0..<30)) { number in
      counter.begin()
      try? await Task.sleep(for: .milliseconds(30 - number))
      counter.end()
      return number * 2
    } ended: { result in
      results.append(result)
    }
    #expect(results == (0..<30).map { $0 * 2 })
    #expect(counter.peak <= limit)
  }

  @Test func nothingIsNoWork() async {
    await OrderedWork(jobs: 2).run([Int]()) {
      $0
    } ended: {
      Issue.record("\($0)")
    }
  }
}
