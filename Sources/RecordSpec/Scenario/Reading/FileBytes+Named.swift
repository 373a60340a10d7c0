/// An error that indicates that a file that the user names cannot be read.
struct NamedFileProblem: Error {
  let diagnostic: AuthorDiagnostic
}

extension FileBytes {
  /// Returns the bytes of a file that the user names on the command line.
  static func named(_ path: String) -> Result<[UInt8], NamedFileProblem> {
    let diagnostic: AuthorDiagnostic
    do throws(FileProblem) {
      if let bytes = try read(path) { return .success(bytes) }
      diagnostic = AuthorDiagnostic(
        .unreadableFile, at: .file(path), "the file does not exist",
        advice: FileAccess.nearest(to: path).map { "did you mean '\($0)'?" })
    } catch {
      diagnostic = AuthorDiagnostic(.unreadableFile, at: .file(path), error.reason)
    }
    return .failure(NamedFileProblem(diagnostic: diagnostic))
  }
}
