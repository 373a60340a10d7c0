import Foundation
import RecordModel
package import ScenarioFormat
package import ScenarioReport

/// The location of a suite of scenarios, and how to run and report it.
package struct SuiteOptions: Sendable {
  /// The folder of scenarios. Default `Scenarios`.
  package var scenarios = "Scenarios"
  /// The folder of golden files. Default: that of the settings, or `Golden` beside the folder of scenarios.
  package var golden: String {
    get { namedGolden ?? standardGolden }
    set { namedGolden = newValue }
  }
  private var namedGolden: String?
  /// The folder of golden files. Each access resolves symbolic links, so a command keeps the value.
  package var goldenFolder: GoldenFolder { GoldenFolder(path: golden, isNamed: namedGolden != nil) }
  /// The folders outside the project whose files scenarios may name.
  package var allowedFolders: [String] = []
  package var color = ColorChoice.auto
  package var isVerbose = false
  /// The options that the project sets. Those of the command line replace them.
  package var settings = RunSettings()
  /// A Boolean value that indicates whether a run explains the differences of failing scenarios.
  package var explains = false
  package var store = StoreKind.memory
  /// The number of scenarios that run concurrently. Default: the number of processors.
  package var jobs = ProcessInfo.processInfo.activeProcessorCount

  package init() {}

  /// Returns a command for this suite as the user would type it, such as `recordspec bless`. Names of scenarios can be
  /// appended.
  package func command(_ name: String) -> String {
    var command = "recordspec \(name)"
    if scenarios != "Scenarios" { command += " --scenarios \(ShellText.quoted(scenarios))" }
    let isOfGoldenFiles = !["check", "show", "graph", "serve", "generate"].contains(name)
    if isOfGoldenFiles, golden != standardGolden || (namedGolden != nil && goldenFolder.leadsOutside) {
      command += " --golden \(ShellText.quoted(golden))"
    }
    for folder in allowedFolders { command += " --allow-outside \(ShellText.quoted(folder))" }
    return command
  }

  /// The error that the folder of golden files, which the user or the project's settings name, does not exist; nil if it
  /// exists or is the default.
  package var missingGoldenFolder: AuthorDiagnostic? {
    let standard = GoldenFolder.standardPath(besides: scenarios)
    guard golden != standard, FileAccess.kind(of: golden) == .missing else { return nil }
    let folder = FilePath.folder(of: golden)
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [])
      .filter { !$0.hasPrefix(".") && FileAccess.kind(of: FilePath.child($0, of: folder)) == .folder }
    let nearest = nearestName(to: FilePath.name(of: golden), among: others.sorted())
    let creation = "'\(command("bless"))' creates this one"
    if golden == settings.golden,
      let written = ReadableFolders.settings(around: scenarios).goldenAsWritten
    {
      let meant = nearest.map { FilePath.child($0, of: FilePath.folder(of: written.value)) }
      return AuthorDiagnostic(
        .unreadableFile, at: written.span, "there is no folder of golden files '\(written.value)'",
        advice: (meant.map { "did you mean '\($0)'? otherwise, " } ?? "") + creation)
    }
    return AuthorDiagnostic(
      .unreadableFile, at: .file(golden), "there is no folder of golden files here",
      advice: nearest.map { "did you mean '\(FilePath.child($0, of: folder))'?" }
        ?? "the default is '\(standardGolden)'; \(creation)")
  }

  private var standardGolden: String { settings.golden ?? GoldenFolder.standardPath(besides: scenarios) }
}
