import Foundation

/// Nested folders whose path is longer than the system allows. They are removed on deinitialization.
final class DeepFolder {
  /// The path of the deepest folder that the system can open by its path.
  private(set) var reachablePath: String
  private var folders: [Int32] = []
  private let name = String(repeating: "d", count: 200)

  /// Creates the folders in an existing folder, and `a.yaml` in the deepest folder.
  init(below path: String) {
    reachablePath = path
    folders.append(open(path, O_RDONLY | O_DIRECTORY))
    var length = path.utf8.count
    while length <= Int(PATH_MAX) + 2 * name.utf8.count, let folder = folders.last {
      mkdirat(folder, name, 0o777)
      folders.append(openat(folder, name, O_RDONLY | O_DIRECTORY))
      length += name.utf8.count + 1
      if length < Int(PATH_MAX) { reachablePath += "/" + name }
    }
    if let folder = folders.last { close(openat(folder, "a.yaml", O_CREAT | O_WRONLY, 0o666)) }
  }

  deinit {
    if let folder = folders.last { unlinkat(folder, "a.yaml", 0) }
    while let folder = folders.popLast() {
      close(folder)
      if let parent = folders.last { unlinkat(parent, name, AT_REMOVEDIR) }
    }
  }

  /// The path of the first folder that the system cannot open by its path.
  var unreachablePath: String { reachablePath + "/" + name }
}
