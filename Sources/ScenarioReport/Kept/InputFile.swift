import RecordModel
import ScenarioComparison
package import ScenarioFormat
import ScenarioRun

/// A file that a scenario was read from: the scenario, its model, or a body.
package struct InputFile: Hashable, Sendable {
  /// The path, relative to the folder of scenarios and without symbolic links.
  package let path: String
  /// The number of bytes and their hash, such as `120-9f3c5b2a11d0e764`. It detects changes by accident only.
  package let digest: String

  package init(path: String, digest: String) {
    self.path = path
    self.digest = digest
  }

  /// Creates the input of bytes that were read.
  package init(_ source: SourceBytes, below scenarios: String) {
    path = Self.path(from: FileAccess.resolved(scenarios), to: FileAccess.resolved(source.path))
    digest = Self.digest(of: source.bytes)
  }

  /// The state of the file, compared with when it was read.
  package enum State: Hashable, Sendable {
    case same, changed, removed
    case unreadable(FileProblem)
  }

  package func state(below scenarios: String) -> State {
    do throws(FileProblem) {
      guard let bytes = try FileBytes.read(displayedPath(below: scenarios)) else { return .removed }
      return Self.digest(of: bytes) == digest ? .same : .changed
    } catch {
      return .unreadable(error)
    }
  }

  /// Returns the path as the user would type it.
  func displayedPath(below scenarios: String) -> String { Self.displayedPath(of: path, below: scenarios) }

  /// Returns a path that is relative to the folder of scenarios as the user would type it.
  static func displayedPath(of path: String, below scenarios: String) -> String {
    FileAccess.path(of: path, namedIn: FilePath.child(".", of: scenarios))
  }

  /// Returns a path relative to a folder. Both must be absolute and without symbolic links.
  package static func path(from folder: String, to file: String) -> String {
    let folders = folder.split(separator: "/")
    let parts = file.split(separator: "/")
    let shared = zip(folders, parts).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: folders.count - shared) + parts.dropFirst(shared).map(String.init))
      .joined(separator: "/")
  }

  /// Returns the number of bytes and their hash.
  package static func digest(of bytes: [UInt8]) -> String {
    var hash = FNV1a()
    hash.add(bytes)
    return "\(bytes.count)-\(hash.hexadecimal)"
  }
}
