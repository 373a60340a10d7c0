/// The contents of `.recordspec.yaml` in the project's folder. Without the file, every setting has its default.
struct ProjectSettings {
  static let fileName = ".recordspec.yaml"

  /// The folders outside the project whose files scenarios may name, as paths that are valid in the current folder.
  private(set) var allowedFolders: [Located<String>] = []

  /// Creates the settings from the file, and reports all errors in the file.
  ///
  /// - Parameter folder: the project's folder, without symbolic links.
  init(in folder: String, findings: Findings) {
    let path = FileAccess.displayed(FilePath.child(Self.fileName, of: folder))
    guard FileAccess.exists(path) else { return }
    do throws(FileProblem) {
      guard let bytes = try FileBytes.read(path) else { return }
      read(SourceFile(path: path, bytes: bytes), findings)
    } catch {
      findings.report(.unreadableFile, at: .file(path), "the file \(error.reason)")
    }
  }

  private mutating func read(_ file: SourceFile, _ findings: Findings) {
    let (root, diagnostics) = YAMLParser.parse(file)
    // An empty file also marks the project's folder.
    findings.add(diagnostics.filter { $0.code != .yamlEmpty })
    guard let root,
      let reader = MappingReader(
        root, at: .file(file.path), as: .settings, findings: findings)
    else { return }
    allowedFolders = findings.strings(reader["allowOutside"]).compactMap { folder in
      guard findings.isPath(folder.value, at: .span(folder.span)) else { return nil }
      let path = FileAccess.path(of: folder.value, namedIn: file.path)
      return Located(value: path.isEmpty ? "." : path, span: folder.span)
    }
  }
}
