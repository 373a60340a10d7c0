import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The files that scenarios were read from, and the folders that contain scenarios.
///
/// Each file has the stamp from before it was read. A scenario is current as long as all of its files have these stamps,
/// so that a file that is saved while its scenario runs is not missed.
struct WatchList: Sendable {
  /// A file that has another stamp than when it was read.
  struct Change: Hashable, Sendable {
    /// The kind of a change. The raw value is its name in reports.
    enum Kind: String, Sendable {
      case new, changed, removed
    }

    let path: String
    let kind: Kind
    /// The current stamp; nil for a removed file.
    fileprivate let stamp: FileStamp?
  }

  private struct Entry: Sendable {
    let file: ScenarioFile
    let files: [StampedFile]
  }

  private var entries: [String: Entry] = [:]
  /// The folders that contain scenarios, and the project's settings.
  private var places: [StampedFile] = []
  /// All files and folders, each with the stamps from before it was read. Several scenarios may have read a file at
  /// different times.
  private var stamps: [String: Set<FileStamp?>] = [:]

  /// Replaces the list of scenarios.
  ///
  /// - Parameters:
  ///   - scenarios: the scenarios of the list, each with the files that it was read from. The files of a scenario that was
  ///     not read are nil and stay as they are.
  ///   - places: the folders that contain scenarios, and the project's settings.
  mutating func update(
    _ scenarios: [(file: ScenarioFile, files: [StampedFile]?)], places: [StampedFile]
  ) {
    var updated: [String: Entry] = [:]
    for (file, files) in scenarios {
      updated[file.name] = files.map { Entry(file: file, files: $0) } ?? entries[file.name]
    }
    entries = updated
    self.places = places
    stamps = [:]
    for file in places + entries.values.flatMap(\.files) { stamps[file.path, default: []].insert(file.stamp) }
  }

  /// Returns the files and folders that have changed, sorted by path. Linear in the number of distinct paths.
  ///
  /// - Parameter stamp: a function that returns the current stamp of a file.
  func changes(_ stamp: (String) -> FileStamp?) -> [Change] {
    var changes: [Change] = []
    for (path, known) in stamps {
      let now = stamp(path)
      if known.count == 1, known.contains(now) { continue }
      let kind: Change.Kind = now == nil ? .removed : known.contains(nil) ? .new : .changed
      changes.append(Change(path: path, kind: kind, stamp: now))
    }
    return changes.sorted { $0.path < $1.path }
  }

  /// Returns a Boolean value that indicates whether a scenario has been read and none of its files has changed since.
  func isCurrent(_ file: ScenarioFile, _ stamp: (String) -> FileStamp?) -> Bool {
    guard let entry = entries[file.name], entry.file == file else { return false }
    return entry.files.allSatisfy { stamp($0.path) == $0.stamp }
  }

  /// Returns a Boolean value that indicates whether a path is a folder that contains scenarios.
  func isFolder(_ path: String) -> Bool {
    places.contains { $0.path == path } && FilePath.name(of: path) != ProjectSettings.fileName
  }
}
