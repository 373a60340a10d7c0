public import Foundation

/// The scenarios below a folder, as arguments of a test.
///
/// ```swift
/// @Test(arguments: try Scenarios(in: folder))
/// func conforms(_ scenario: ScenarioTest) async throws {
///   try await scenario.check()
/// }
/// ```
///
/// Every one is a test case of its own, which is called by the scenario's name.
public struct Scenarios: RandomAccessCollection, Sendable {
  private let tests: [ScenarioTest]
  private let golden: GoldenFolder

  /// Finds the scenarios, without reading them: a file that cannot be one is told of by its own test case.
  ///
  /// - Parameters:
  ///   - folder: every `*.yaml` and `*.yml` below it is a scenario, except `*.model.yaml` and what lies in folders whose
  ///   name starts with `_`.
  ///   - golden: the folder of golden files; `Golden` beside the other one, if nothing else is said.
  ///   - allowedFolders: folders outside the project whose files scenarios may name, as `--allow-outside` allows them on
  ///     the command line. The project's folder is the nearest one, from `folder` up, that holds `.recordspec.yaml`,
  ///     `Package.swift` or `.git`; `folder` itself if there is none.
  /// - Throws: ``Problem`` if there is no scenario at all, or one may have been overlooked.
  /// - Complexity: linear in the files below the folder.
  public init(
    in folder: URL, golden: URL? = nil, allowingOutside allowedFolders: [URL] = []
  ) throws(Problem) {
    let root = Self.path(of: folder)
    self.golden = GoldenFolder(
      path: golden.map(Self.path) ?? GoldenFolder.standardPath(besides: root), isNamed: golden != nil)
    let found = ScenarioFiles(below: root, allowingOutside: allowedFolders.map(Self.path))
    var problems =
      found.diagnostics + [self.golden.problem(besides: root, option: "golden:")].compactMap(\.self)
    // What is to be done about a folder differs from the command line.
    for index in problems.indices where problems[index].path == root { problems[index].advice = nil }
    guard problems.isEmpty else {
      throw Problem(description: DiagnosticRenderer().text(of: problems))
    }
    tests = found.files.map { [golden = self.golden] in ScenarioTest(file: $0, root: root, golden: golden) }
  }

  /// Why scenarios cannot be had, in the words of the command line.
  public struct Problem: Error, CustomStringConvertible, LocalizedError {
    public let description: String
    public var errorDescription: String? { description }
  }

  /// Golden files whose scenario is gone, by path; to be removed by hand.
  public var obsoleteGoldenFiles: [String] { golden.obsolete(besides: tests.map(\.name)) }

  /// The path as one would type it where the tests run: relative, if it leads down from there.
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
