import Foundation
import Testing

@testable import RecordSpecCommand
@testable import ScenarioFormat

struct FileWatchTests {
  /// Stamps that change with each look at the files, and the pauses between the looks.
  // Unchecked: all mutable state is only accessed while `lock` is held.
  private final class Script: @unchecked Sendable {
    private let lock = NSLock()
    private var paused: [Duration] = []
    private var looked = 0
    /// The stamp of the file at each look; the last one remains. Zero stands for a missing file.
    private let stamps: [Int]
    private let maximumPauses: Int

    init(_ stamps: [Int], maximumPauses: Int = 100) {
      self.stamps = stamps
      self.maximumPauses = maximumPauses
    }

    var pauses: [Duration] { lock.withLock { paused } }
    var looks: Int { lock.withLock { looked } }

    func stamp() -> FileStamp? {
      lock.withLock {
        let stamp = stamps[min(looked, stamps.count - 1)]
        looked += 1
        return stamp == 0 ? nil : FileStamp(seconds: stamp)
      }
    }

    func pause(_ duration: Duration) -> Bool {
      lock.withLock {
        paused.append(duration)
        return paused.count <= maximumPauses
      }
    }
  }

  private func changes(_ script: Script) async -> [String]? {
    var list = WatchList()
    list.update([], places: [StampedFile("a", stamp: FileStamp(seconds: 1))])
    let watch = FileWatch(stamp: { _ in script.stamp() }, pause: { script.pause($0) })
    return await watch.changes(of: list)?.map { "\($0.kind.rawValue) \($0.path)" }
  }

  @Test func aWatchWaitsForAChange() async {
    let script = Script([1, 1, 1, 2])
    #expect(await changes(script) == ["changed a"])
    let interval = FileWatch.interval
    #expect(script.pauses == [interval, interval, interval, interval, FileWatch.settlingTime])
  }

  /// A burst of saves is one change: the watch waits until two looks find the same stamps.
  @Test func aBurstOfSavesIsOneChange() async {
    let script = Script([2, 3, 4, 5])
    #expect(await changes(script) == ["changed a"])
    #expect(script.looks == 5)
    #expect(script.pauses.dropFirst().allSatisfy { $0 == FileWatch.settlingTime })
  }

  /// Many editors remove the file for an instant, or write it in several steps.
  @Test func aFileThatIsMissingForAnInstantIsChanged() async {
    #expect(await changes(Script([0, 2])) == ["changed a"])
    #expect(await changes(Script([0, 0])) == ["removed a"])
  }

  @Test func aFileWithItsFormerStampIsNotChanged() async {
    let script = Script([2, 1, 1, 1, 3])
    #expect(await changes(script) == ["changed a"])
    #expect(script.looks == 6)
  }

  @Test func aFileThatIsWrittenContinuouslyDoesNotDelayForever() async {
    let script = Script(Array(2...200))
    #expect(await changes(script) == ["changed a"])
    #expect(script.looks == 21)
  }

  @Test(arguments: [0, 1, 2]) func aWatchEnds(maximumPauses: Int) async {
    let stamps = maximumPauses == 2 ? [2, 3, 4] : [1]
    #expect(await changes(Script(stamps, maximumPauses: maximumPauses)) == nil)
  }
}
