import Foundation

/// Where a file is, or is to be made.
struct SQLitePlace {
  /// Why there can be no file.
  enum Problem: Hashable {
    case isNoFile, isFolder
    case folderIsMissing(String)
  }

  let url: URL

  init(_ url: URL) { self.url = url }

  /// What SQLite would not say of the place.
  var problem: Problem? {
    guard url.isFileURL else { return .isNoFile }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
      return isFolder.boolValue ? .isFolder : nil
    }
    let folder = url.deletingLastPathComponent().path
    return FileManager.default.fileExists(atPath: folder) ? nil : .folderIsMissing(folder)
  }
}
