import ArgumentParser
import RecordSpec
import ScenarioFormat
import ScenarioReport

extension ContinuousIntegration: ExpressibleByArgument {}

/// Lays out a project: a first scenario with its model, the schemas for editors, and a job for continuous integration. Existing
/// files are kept.
struct InitCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract:
      "Lay out a project: an example, the schemas for editors, settings, and a job for CI. Keeps existing files.",
    discussion: """
      For example, these commands lay out a project in the current folder, and run its example:
        recordspec init --ci github
        recordspec bless example
        recordspec

      The example is written only if the folder 'Scenarios' contains no scenario. The job for CI is written at the root \
      of the Git repository.
      """)

  @Argument(help: "Folder of the project.", completion: .directory)
  var folder = "."

  @Option(help: "Service that runs the scenarios after each push.")
  var ci = ContinuousIntegration.none

  @Flag(inversion: .prefixedNo, help: "Write an example if there are no scenarios.")
  var example = true

  func validate() throws {
    if folder.isEmpty { throw ValidationError("the folder must not be empty") }
  }

  var writesFiles: Bool { true }

  var suiteOptions: SuiteOptions { SuiteOptions() }

  /// A file of a project.
  private struct File {
    /// The path below the folder of the repository.
    var name: String
    /// The path as the user would type it.
    var path: String
    var text: String
    var isExample = false
    var exists: Bool { FileAccess.exists(path) || FileAccess.isLink(path) }
  }

  private var project: String { folder.trimmedFolder }
  private var suite: String { Self.child("Scenarios", of: project) }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    if FileAccess.kind(of: project) == .file {
      throw context.refuse(.usage, "'\(project)' is a file, not a folder")
    }
    let location = FileAccess.resolved(project)
    let repository = ci == .none ? location : Self.repository(around: location)
    let isEmpty = ScenarioFiles(below: suite).files.isEmpty
    let files = files(at: location, in: repository)
    // A suite with scenarios needs no example.
    let kept = files.filter(\.exists)
    let new = files.filter { !$0.exists && (isEmpty || !$0.isExample) }
    var written = NewFiles(in: repository == location ? project : FileAccess.displayed(repository))
    for file in new { written.add(file.name, file.text) }
    try context.check(written, replacing: false)
    try context.write(written)
    var lines = new.map { "wrote \($0.path)" } + kept.map { "kept \($0.path)" }
    if let file = kept.first(where: { $0.name == ci.file }), !Self.runsScenarios(file.path) {
      lines +=
        ["", "add this job to \(file.path):", ""] + file.text.split(separator: "\n").map { "  \($0)" } + [""]
    }
    if let above = ReadableFolders.project(around: location), above != location,
      let mark = ReadableFolders.mark(in: above)
    {
      lines.append("the project folder is \(FileAccess.displayed(above)), which contains '\(mark)'")
    }
    lines += next(isExampleNew: new.contains(where: \.isExample))
    context.output(lines.map { DisplayText.oneLine($0) + "\n" }.joined())
    return .success
  }

  // MARK: Files

  /// Returns the files of the project, and the job at the root of the repository.
  private func files(at location: String, in repository: String) -> [File] {
    let prefix = String(location.dropFirst(FilePath.child("", of: repository).count))
    func file(_ name: String, _ text: String, isExample: Bool = false) -> File {
      File(
        name: FilePath.child(name, of: prefix), path: Self.child(name, of: project), text: text,
        isExample: isExample)
    }
    var files = example ? Self.exampleFiles(in: suite).map { file($0.name, $0.text, isExample: true) } : []
    files += (schemaFiles + settingsFiles(for: location)).map { file($0.name, $0.text) }
    if let file = ci.file {
      let path =
        repository == location
        ? Self.child(file, of: project) : FileAccess.displayed(FilePath.child(file, of: repository))
      files.append(
        File(name: file, path: path, text: ci.text(running: FilePath.child("Scenarios", of: prefix))))
    }
    return files
  }

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
    FormatSchema.File.written.map { file in
      let schema = EditorSchema(of: file, in: suite)
      return ("Scenarios/\(schema.fileName)", schema.text)
    }
  }

  /// Returns the file with the project's settings, which marks the project folder. Another project folder above remains the
  /// project, so that scenarios can still name its files.
  private func settingsFiles(for location: String) -> [(name: String, text: String)] {
    let above = ReadableFolders.project(around: location)
    return above == nil || above == location ? [(ProjectSettings.fileName, ProjectSettings.template)] : []
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
    let change = project == "." ? [] : ["next: cd \(ShellText.quoted(project))"]
    if isExampleNew {
      return change + ["next: recordspec bless example"]
    }
    return change + ["next: recordspec import session.har, or recordspec new NAME"]
  }
}
