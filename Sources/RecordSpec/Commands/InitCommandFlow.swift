import ScenarioComparison
import ScenarioFormat
package import ScenarioReport

/// The `recordspec init` command. It lays out a project: a first scenario with its model, the schemas for editors, and a job
/// for continuous integration. Existing files are kept.
package struct InitCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The folder of the project.
    package var folder = "."
    /// The service for which a job is written.
    package var integration = ContinuousIntegration.none
    /// A Boolean value that indicates whether a folder without scenarios gets an example.
    package var hasExample = true

    package init() {}
  }

  /// A file of a project.
  private struct File {
    /// The path below the folder of the repository.
    var name: String
    /// The path as the user would type it.
    var path: String
    var text: String
    var exists: Bool { FileAccess.exists(path) || FileAccess.isLink(path) }
  }

  private let options: Options
  private let context: CommandContext
  private var suite: String { Self.child("Scenarios", of: options.folder) }

  package init(options: Options, context: CommandContext) {
    self.options = options
    self.context = context
  }

  package func run() -> ExitStatus {
    if FileAccess.kind(of: options.folder) == .file {
      context.report("error: '\(options.folder)' is a file, not a folder\n")
      return .usage
    }
    let location = FileAccess.resolved(options.folder)
    let repository = options.integration == .none ? location : Self.repository(around: location)
    let isEmpty = ScenarioFiles(below: suite).files.isEmpty
    let example = options.hasExample ? Self.exampleFiles(in: suite) : []
    let prefix = String(location.dropFirst(FilePath.child("", of: repository).count))
    var files =
      (example + schemaFiles + settingsFiles(for: location)).map { name, text in
        File(
          name: FilePath.child(name, of: prefix), path: Self.child(name, of: options.folder), text: text)
      }
    if let file = options.integration.file {
      let path =
        repository == location
        ? Self.child(file, of: options.folder) : FileAccess.displayed(FilePath.child(file, of: repository))
      files.append(
        File(
          name: file, path: path,
          text: options.integration.text(running: FilePath.child("Scenarios", of: prefix))))
    }
    let exampleNames = Set(example.map { FilePath.child($0.name, of: prefix) })
    // A suite with scenarios needs no example.
    let kept = files.filter(\.exists)
    let new = files.filter { !$0.exists && (isEmpty || !exampleNames.contains($0.name)) }
    var written = NewFiles(in: repository == location ? options.folder : FileAccess.displayed(repository))
    for file in new { written.add(file.name, file.text) }
    if let status = context.refusal(of: written, replacing: false) ?? context.write(written) { return status }
    var lines = new.map { "wrote \($0.path)" } + kept.map { "kept \($0.path)" }
    if let file = kept.first(where: { $0.name == options.integration.file }), !Self.runsScenarios(file.path) {
      lines +=
        ["", "add this job to \(file.path):", ""] + file.text.split(separator: "\n").map { "  \($0)" } + [""]
    }
    if let project = ReadableFolders.project(around: location), project != location,
      let mark = ReadableFolders.mark(in: project)
    {
      lines.append("the project folder is \(FileAccess.displayed(project)), which contains '\(mark)'")
    }
    let isExampleNew = new.contains { exampleNames.contains($0.name) }
    lines += next(isExampleNew: isExampleNew)
    context.output(lines.map { DisplayText.oneLine($0) + "\n" }.joined())
    return .success
  }

  // MARK: Files

  private static func exampleFiles(in suite: String) -> [(name: String, text: String)] {
    let comments = { (file: FormatSchema.File) in
      EditorSchema(of: file, in: suite).comments(in: suite).map { YAMLComments.line($0) + "\n" }.joined()
        + "\n"
    }
    let template = ScenarioTemplate(modelFile: "example.model.yaml")
    return [
      ("Scenarios/example.yaml", comments(.scenario) + template.text),
      ("Scenarios/example.model.yaml", comments(.model) + ScenarioTemplate.model),
    ]
  }

  private var schemaFiles: [(name: String, text: String)] {
    FormatSchema.File.allCases.map { file in
      let schema = EditorSchema(of: file, in: suite)
      return ("Scenarios/\(schema.fileName)", schema.text)
    }
  }

  /// Returns the file with the project's settings, which marks the project folder. Another project folder above remains the
  /// project, so that scenarios can still name its files.
  private func settingsFiles(for location: String) -> [(name: String, text: String)] {
    let project = ReadableFolders.project(around: location)
    return project == nil || project == location ? [(ProjectSettings.fileName, ProjectSettings.template)] : []
  }

  /// Returns the folder of the repository that contains a folder; the folder itself without a repository.
  private static func repository(around folder: String) -> String {
    var candidate = folder
    while !FileAccess.exists(FilePath.child(".git", of: candidate)) {
      if candidate == "/" { return folder }
      candidate = FilePath.folder(of: candidate)
    }
    return candidate
  }

  /// Returns a Boolean value that indicates whether a line of a job runs scenarios.
  private static func runsScenarios(_ path: String) -> Bool {
    guard case .success(let bytes) = FileBytes.named(path) else { return false }
    return bytes.split(whereSeparator: { [10, 13].contains($0) })
      .contains { runsScenarios(line: String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns a Boolean value that indicates whether one of the commands of a line is `recordspec` or `scripts/run`. Other
  /// lines may name them, too, in a comment or as a repository.
  private static func runsScenarios(line: String) -> Bool {
    let before: Set = ["-", "run:", "script:", "swift", "package", "run"]
    return line.split(whereSeparator: "&;|[],".contains).contains { command in
      let words = command.split { $0.isWhitespace || $0 == "'" || $0 == "\"" }
      guard let name = words.first(where: { !before.contains(String($0)) && !$0.contains("=") }) else {
        return false
      }
      return ["recordspec", "scripts/run"].contains { name == $0 || name.hasSuffix("/" + $0) }
    }
  }

  private static func child(_ name: String, of folder: String) -> String {
    folder == "." ? name : FilePath.child(name, of: folder)
  }

  // MARK: Next commands

  private func next(isExampleNew: Bool) -> [String] {
    let change = options.folder == "." ? [] : ["next: cd \(ShellText.quoted(options.folder))"]
    if isExampleNew {
      return change + ["next: recordspec bless example"]
    }
    return change + ["next: recordspec import session.har, or recordspec new NAME"]
  }
}
