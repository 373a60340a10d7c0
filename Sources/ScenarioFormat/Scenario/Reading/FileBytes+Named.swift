extension FileBytes {
  /// Returns the bytes of a file that the user names on the command line.
  package static func named(_ path: String) -> Result<[UInt8], AuthorDiagnostic> {
    do throws(FileProblem) {
      if let bytes = try read(path) { return .success(bytes) }
      let isURL = isURL(path)
      return .failure(
        AuthorDiagnostic(
          .unreadableFile, at: .file(path), isURL ? "this is a URL, not a file" : "the file does not exist",
          advice: isURL
            ? "save the response first: curl \(ShellText.quoted(path)) > response.json"
            : FileAccess.nearest(to: path).map { "did you mean '\($0)'?" }))
    } catch {
      return .failure(AuthorDiagnostic(.unreadableFile, at: .file(path), error.reason))
    }
  }

  /// Returns a Boolean value that indicates whether a user wrote a URL in place of a path.
  package static func isURL(_ path: String) -> Bool {
    path.hasPrefix("http://") || path.hasPrefix("https://")
  }
}
