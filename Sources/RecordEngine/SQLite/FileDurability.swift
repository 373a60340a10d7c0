/// The events that the commits of a file survive.
package enum FileDurability: Sendable {
  /// The end of the process, and power failures: these can undo the last commits, each as a whole.
  case powerFailure
  /// The end of the process only. A power failure can damage the file.
  ///
  /// The file is never flushed to the disk, which takes most of the time of small saves. This is for files that are
  /// removed before their process ends.
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
}
