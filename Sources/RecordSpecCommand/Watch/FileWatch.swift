import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// A watch that waits for changes of files by looking at their stamps. It needs no service of the operating system, and
/// it detects changes in every file system.
struct FileWatch {
  /// The time between two looks at the files. Looking at 1,000 files takes about 2 milliseconds in a release build.
  static let interval = Duration.milliseconds(40)
  /// The time without another change after which changes are complete. Editors and version control save several files at
  /// once, and write a file in several steps.
  static let settlingTime = Duration.milliseconds(10)
  /// The maximum number of looks while changes settle. A file that is written continuously must not delay others.
  private static let maximumSettlings = 20

  /// A function that returns the current stamp of a file.
  var stamp: (String) -> FileStamp? = FileStamp.init(of:)
  /// A function that waits for a time. It returns false if the watch is to end instead.
  let pause: @Sendable (Duration) async -> Bool

  /// Waits until files of a list change, and returns all changes of the same burst, sorted by path. Returns nil if the
  /// watch is to end.
  func changes(
    of list: WatchList, isolation: isolated (any Actor)? = #isolation
  ) async -> [WatchList.Change]? {
    while await pause(Self.interval) {
      var changes = list.changes(stamp)
      for _ in 0..<Self.maximumSettlings where !changes.isEmpty {
        guard await pause(Self.settlingTime) else { return nil }
        let later = list.changes(stamp)
        if later == changes { break }
        changes = later
      }
      if !changes.isEmpty { return changes }
    }
    return nil
  }
}
