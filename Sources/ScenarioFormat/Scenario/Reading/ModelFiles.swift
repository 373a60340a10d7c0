import Foundation
import RecordModel

/// The valid model files that the scenarios of a run share. Each is read for the first scenario that names it, and again
/// when it has changed.
///
/// A file with errors is read for each scenario, because each reports them. The number of files is that of different paths.
// Unchecked: `files` is read and written only under `lock`.
package final class ModelFiles: @unchecked Sendable {
  private let lock = NSLock()
  private var files: [String: ModelFile] = [:]

  package init() {}

  /// Returns a file that has been read; nil if it has changed since then.
  package func known(_ file: StampedFile) -> ModelFile? {
    lock.withLock { files[file.path].flatMap { $0.file == file ? $0 : nil } }
  }

  /// Keeps a file for further scenarios.
  package func keep(_ file: ModelFile) { lock.withLock { files[file.file.path] = file } }
}

/// A valid model file that has been read.
// Unchecked: the caches in `stored` are never used, because each access to `draft` gets its own ones.
package struct ModelFile: @unchecked Sendable {
  /// The file, with its stamp from before it was read.
  package let file: StampedFile
  /// The warnings about the file, the names in it, and its contents.
  package let findings: Findings.Part
  private let stored: ModelReader.Draft

  /// Creates a file from its draft; nil if the draft is invalid.
  package init?(_ file: StampedFile, _ draft: ModelReader.Draft, _ findings: Findings.Part) {
    guard !findings.hasErrors, let draft = draft.validated() else { return nil }
    (self.file, self.findings, stored) = (file, findings, draft.withOwnCaches)
  }

  /// The contents of the model.
  package var draft: ModelReader.Draft { stored.withOwnCaches }
}

extension Findings {
  /// The findings in a part of the files that a scenario is read from.
  package struct Part: Sendable {
    fileprivate var diagnostics: [AuthorDiagnostic]
    fileprivate var names: [ForeignName]
    fileprivate var allowedWarnings: [AllowedWarning]
    fileprivate var roots: [YAMLNode]
    fileprivate var sources: [SourceBytes]

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
  }

  /// Calls `body`, and returns its findings besides its result.
  package func part<Result>(of body: () -> Result) -> (result: Result, part: Part) {
    let start = (diagnostics.count, names.count, allowedWarnings.count, roots.count, sources.count)
    let result = body()
    let part = Part(
      diagnostics: Array(diagnostics[start.0...]), names: Array(names[start.1...]),
      allowedWarnings: Array(allowedWarnings[start.2...]), roots: Array(roots[start.3...]),
      sources: Array(sources[start.4...]))
    return (result, part)
  }

  /// Adds the findings of a part that has been read before.
  package func add(_ part: Part) {
    add(part.diagnostics)
    names += part.names
    allowedWarnings += part.allowedWarnings
    roots += part.roots
    sources += part.sources
  }
}
