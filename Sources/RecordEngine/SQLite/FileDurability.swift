/// The events that the commits of a file survive.
package enum FileDurability: Sendable {
  /// The end of the process, and power failures: these can undo the last commits, each as a whole.
  case powerFailure
  /// The end of the process only. A power failure can damage the file.
  ///
  /// The file is never flushed to the disk, which takes most of the time of small saves. If the
  /// process ends while it creates the file, the file can be damaged too. Use it for files that are removed before their
  /// process ends.
  case endOfProcess
}

extension FileDurability {
  /// The setting of a connection.
  var setting: String {
    switch self {
    case .powerFailure: "synchronous = NORMAL"
    case .endOfProcess: "synchronous = OFF"
    }
  }

  /// The setting of a connection while it creates the tables of an empty file.
  var creationSetting: String {
    switch self {
    case .powerFailure: "journal_mode = DELETE"
    case .endOfProcess: "journal_mode = MEMORY"
    }
  }
}
