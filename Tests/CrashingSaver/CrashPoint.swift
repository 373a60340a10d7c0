import Foundation
import RecordEngineSQLite

/// Kills the process with SIGKILL before SQLite changes a file for the n-th time. Tests use it to kill a save at every
/// point: each write, truncation, deletion and synchronization is one.
enum CrashPoint {
  // Unsafe: one thread writes, and no file is open when the point is set.
  nonisolated(unsafe) private static var remaining = Int.max
  nonisolated(unsafe) private static var changes = 0
  nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?
  /// The file methods of the system, by the counting methods that replace them.
  nonisolated(unsafe) private static var methods:
    [UnsafePointer<sqlite3_io_methods>: UnsafePointer<sqlite3_io_methods>] = [:]

  /// Sets the point.
  ///
  /// - Parameter point: the number, starting at 1, of the change before which the process ends; 0 to only count
  ///   changes.
  static func set(_ point: Int) {
    guard let found = sqlite3_vfs_find(nil) else { return }
    system = found
    remaining = point > 0 ? point : Int.max
    var counting = found.pointee
    counting.zName = UnsafePointer(strdup("counting"))
    counting.xOpen = { _, name, file, flags, outFlags in
      guard let file, let system = CrashPoint.system else { return SQLITE_CANTOPEN }
      let code = system.pointee.xOpen(system, name, file, flags, outFlags)
      CrashPoint.count(changesOf: file)
      return code
    }
    counting.xDelete = { _, name, isSynchronised in
      CrashPoint.count()
      guard let system = CrashPoint.system else { return SQLITE_IOERR }
      return system.pointee.xDelete(system, name, isSynchronised)
    }
    let registered = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    registered.initialize(to: counting)
    sqlite3_vfs_register(registered, 1)
  }

  /// The number of changes so far.
  static var changeCount: Int { changes }

  private static func count() {
    changes += 1
    remaining -= 1
    if remaining == 0 { kill(getpid(), SIGKILL) }
  }

  private static func count(changesOf file: UnsafeMutablePointer<sqlite3_file>) {
    guard let found = file.pointee.pMethods else { return }
    if let known = methods.first(where: { $0.value == found })?.key {
      file.pointee.pMethods = known
      return
    }
    var counting = found.pointee
    counting.xWrite = { file, bytes, count, offset in
      CrashPoint.count()
      return CrashPoint.system(file)?.xWrite(file, bytes, count, offset) ?? SQLITE_IOERR
    }
    counting.xTruncate = { file, size in
      CrashPoint.count()
      return CrashPoint.system(file)?.xTruncate(file, size) ?? SQLITE_IOERR
    }
    counting.xSync = { file, flags in
      CrashPoint.count()
      return CrashPoint.system(file)?.xSync(file, flags) ?? SQLITE_IOERR
    }
    let registered = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    registered.initialize(to: counting)
    methods[UnsafePointer(registered)] = found
    file.pointee.pMethods = UnsafePointer(registered)
  }

  private static func system(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods? {
    file?.pointee.pMethods.flatMap { methods[$0]?.pointee }
  }
}
