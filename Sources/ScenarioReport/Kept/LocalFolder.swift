package import ScenarioFormat

/// The folder `.recordspec` beside a folder of scenarios, for results that belong to this machine. Git ignores it.
package struct LocalFolder: Sendable {
  package let path: String

  package init(besides scenarios: String) {
    let folder = scenarios.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    path = (folder + [".recordspec"]).joined(separator: "/")
  }

  /// Throws an error if the folder is a symbolic link. A link in an untrusted checkout must not decide which file is
  /// read or written.
  package func check() throws(FileProblem) {
    if FileAccess.isLink(path) { throw .link(path) }
  }

  /// Creates a `.gitignore` in the folder, so that Git ignores it. A file of the user is not replaced.
  package func makeIgnored() throws(FileProblem) {
    let ignoring = FilePath.child(".gitignore", of: path)
    if !FileAccess.exists(ignoring), !FileAccess.isLink(ignoring) {
      try FileBytes.write(Array("*\n".utf8), to: ignoring)
    }
  }
}

extension FileProblem {
  package static func link(_ path: String) -> FileProblem {
    FileProblem(path: path, reason: "is a symbolic link, which is not followed")
  }
}
