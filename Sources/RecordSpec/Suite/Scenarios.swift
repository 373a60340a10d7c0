public import Foundation
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The scenarios below a folder, as arguments of a test.
///
/// ```swift
/// @Test(arguments: try Scenarios(in: folder))
/// func conforms(_ scenario: ScenarioTest) async throws {
///   try await scenario.check()
/// }
/// ```
///
/// Each scenario is a separate test case with the scenario's name.
public struct Scenarios: RandomAccessCollection, Sendable {
  private let tests: [ScenarioTest]
  private let golden: GoldenFolder

  /// Creates the collection of the scenarios below a folder, without reading them. An invalid file fails its own test
  /// case.
  ///
  /// - Parameters:
  ///   - folder: the folder of scenarios. Every `*.yaml` and `*.yml` below it is a scenario, except `*.model.yaml`,
  ///     `*.model.yml`, and files in folders whose name starts with `_`.
  ///   - golden: the folder of golden files. By default, `golden` in `.recordspec.yaml`, or `Golden` beside the folder of
  ///     scenarios.
  ///   - allowedFolders: folders outside the project whose files scenarios may name, as with `--allow-outside` on the
  ///     command line. The project's folder is the nearest folder, from `folder` upward, that contains
  ///     `.recordspec.yaml`, `Package.swift` or `.git`. If there is none, it is `folder` itself.
  /// - Throws: ``Problem`` if there are no scenarios, if some may have been missed, or if a folder cannot be used.
  /// - Complexity: linear in the number of files below the folder.
  public init(
    in folder: URL, golden: URL? = nil, allowingOutside allowedFolders: [URL] = []
  ) throws(Problem) {
    let root = Self.path(of: folder)
    self.golden = GoldenFolder(
      path: golden.map(Self.path) ?? RunSettings(around: root).golden
        ?? GoldenFolder.standardPath(besides: root), isNamed: golden != nil)
    let allowedFolders = allowedFolders.map(Self.path)
    let found = ScenarioFiles(below: root, allowingOutside: allowedFolders)
    var problems =
      found.diagnostics + [self.golden.problem(besides: root, option: "golden:")].compactMap(\.self)
    // The advice for the command line does not apply to a folder in a test.
    for index in problems.indices where problems[index].path == root { problems[index].advice = nil }
    guard problems.isEmpty else {
      throw Problem(description: DiagnosticRenderer().text(of: problems))
    }
    let progress = ScenarioProgress(total: found.files.count)
    tests = found.files.map { [golden = self.golden] in
      ScenarioTest(
        file: $0, root: root, allowedFolders: allowedFolders, golden: golden, progress: progress)
    }
  }

  /// An error that indicates why scenarios cannot be found, in the words of the command line.
  public struct Problem: Error, CustomStringConvertible, LocalizedError {
    /// The problems as text.
    public let description: String
    public var errorDescription: String? { description }
  }

  /// The golden files without a scenario, sorted by path. They must be removed by hand.
  public var obsoleteGoldenFiles: [String] { golden.obsolete(besides: tests.map(\.name)) }

  /// Returns the path as the user would type it where the tests run: relative if it is below the current folder.
  private static func path(of folder: URL) -> String {
    let path = folder.standardizedFileURL.path
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL.path
    return here != "/" && path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }
}

extension Scenarios {
  public var startIndex: Int { 0 }
  public var endIndex: Int { tests.count }
  public subscript(index: Int) -> ScenarioTest { tests[index] }
}
