import Foundation

/// The copy of the package in `.build` in which mutants are planted.
struct PlantedCopy {
  let root: URL
  /// The folder of all files that this tool writes.
  let work: URL
  /// All mutants of the sources. The number of a mutant is its index in this array.
  let plants: [Plant]
  private let sources: [String: String]

  private var tree: URL { work.appendingPathComponent("tree") }
  private var own: URL { root.appendingPathComponent("Tests/Mutants") }

  init(root: URL) throws {
    self.root = root
    work = root.appendingPathComponent(".build/mutants")
    let paths = try Self.swiftFiles(below: root, "Sources")
    let globs = SourceGlobs(
      try String(contentsOf: root.appendingPathComponent("Tests/Mutants/sources.txt"), encoding: .utf8))
    var sources: [String: String] = [:]
    var plants: [Plant] = []
    for path in try globs.select(from: paths) {
      let source = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      sources[path] = source
      plants += MutantFinder.plants(in: source, path: path)
    }
    self.sources = sources
    self.plants = plants
  }

  private static func swiftFiles(below root: URL, _ folder: String) throws -> [String] {
    guard let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path) else {
      throw MutantsError("cannot read '\(folder)'")
    }
    return found.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
      .sorted()
  }

  // MARK: Building

  /// The program that runs scenarios on the copy.
  var runner: String { work.appendingPathComponent("build/debug/MutantRunner").path }

  /// The program that runs unit tests on the copy.
  var testRunner: String { work.appendingPathComponent("build/debug/RecordSpecPackageTests.xctest").path }

  /// The program that runs the laws on the copy.
  var lawRunner: String {
    work.appendingPathComponent("build-laws/release/RecordSpecPackageTests.xctest").path
  }

  /// The targets with the unit tests of the sources that have mutants.
  static let testTargets = ["RecordEngineTests"]

  /// The tests that are built together with the program that runs scenarios.
  enum Tests {
    case unitTests, laws
  }

  /// Builds the copy with mutants. Removes the mutants that do not compile until the build succeeds.
  ///
  /// - Parameters:
  ///   - wanted: the numbers of the mutants.
  ///   - tests: the tests that are also built.
  /// - Returns: the numbers of the mutants that do not compile.
  func build(_ wanted: Set<Int>, with tests: Tests?, progress: (String) -> Void) throws -> Set<Int> {
    var dropped = rememberedDrops().intersection(wanted)
    for round in 1... {
      let files = try write(wanted.subtracting(dropped))
      let start = ContinuousClock.now
      let output = try swiftBuild(tests == .unitTests ? ["--build-tests"] : ["--product", "MutantRunner"])
      progress("round \(round) of building took \(ContinuousClock.now - start)")
      if output.status == 0 { break }
      let bad = numbers(from: output.text, files).subtracting(dropped)
      guard !bad.isEmpty else { throw Self.failure(output.text) }
      for number in bad.sorted() { progress("does not compile: \(plants[number].mutant.id)") }
      dropped.formUnion(bad)
      try remember(dropped)
    }
    if tests == .laws { try buildLaws(progress) }
    return dropped
  }

  /// Builds the tests of the laws in release, as `scripts/laws` does, because they run many seeds.
  private func buildLaws(_ progress: (String) -> Void) throws {
    let start = ContinuousClock.now
    let output = try swiftBuild(
      ["--build-tests", "--configuration", "release", "-Xswiftc", "-enable-testing"], scratch: "build-laws",
      environment: ["RECORDSPEC_LAWS": "1"])
    guard output.status == 0 else { throw Self.failure(output.text) }
    progress("building the laws took \(ContinuousClock.now - start)")
  }

  private static func failure(_ output: String) -> MutantsError {
    let errors = Set(
      output.split(separator: "\n").filter { $0.contains(".swift:") && $0.contains("error: ") })
    return MutantsError(
      "the planted copy does not build, and no mutant is the cause:\n"
        + (errors.isEmpty ? String(output.suffix(2000)) : errors.sorted().prefix(20).joined(separator: "\n")))
  }

  /// Writes the files of the copy that have changed. Unchanged files are not compiled again.
  private func write(_ planted: Set<Int>) throws -> [String: PlantedFile] {
    var files: [String: PlantedFile] = [:]
    var texts: [String: String] = [:]
    let byFile = Dictionary(grouping: planted.sorted()) { plants[$0].mutant.file }
    for (path, source) in sources {
      let file = PlantedFile(
        source: source, plants: (byFile[path] ?? []).map { (number: $0, plant: plants[$0]) })
      files[path] = file
      texts[path] = file.text
      let module = path.split(separator: "/").prefix(2).joined(separator: "/")
      texts["\(module)/Planted.swift"] = try ownText("Planted/Planted.swift")
    }
    for path in try Self.swiftFiles(below: root, "Sources") where texts[path] == nil {
      texts[path] = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
    texts["Sources/MutantRunner/MutantRunner.swift"] = try ownText("Planted/MutantRunner.swift")
    texts["Package.swift"] =
      try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        + """

        if Context.environment["RECORDSPEC_LAWS"] == nil {
          package.targets.append(.executableTarget(name: "MutantRunner", dependencies: ["RecordSpec"]))
        }
        package.targets.removeAll { $0.type == .test && !\(Self.testTargets).contains($0.name) }

        """
    for path in try otherFiles() {
      texts[path] = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
    let manager = FileManager.default
    for (path, text) in texts {
      let url = tree.appendingPathComponent(path)
      if let old = try? String(contentsOf: url, encoding: .utf8), old == text { continue }
      try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    for path in try Self.swiftFiles(below: tree, "Sources") where texts[path] == nil {
      try manager.removeItem(at: tree.appendingPathComponent(path))
    }
    for folder in ["Tests", "Scenarios", "Golden"] {
      let link = tree.appendingPathComponent(folder)
      if (try? manager.destinationOfSymbolicLink(atPath: link.path)) == nil {
        try manager.createSymbolicLink(at: link, withDestinationURL: root.appendingPathComponent(folder))
      }
    }
    return files
  }

  /// Returns the files that a build needs besides Swift sources: those of system libraries, and those of the HTML report.
  private func otherFiles() throws -> [String] {
    let found = FileManager.default.enumerator(atPath: root.appendingPathComponent("Sources").path)
    return (found?.compactMap { $0 as? String } ?? []).filter { path in
      [".modulemap", ".h", ".css", ".js"].contains(where: path.hasSuffix)
    }
    .map { "Sources/\($0)" }.sorted()
  }

  private func ownText(_ path: String) throws -> String {
    try String(contentsOf: own.appendingPathComponent(path), encoding: .utf8)
  }

  private func swiftBuild(
    _ arguments: [String], scratch: String = "build", environment: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    let scratch = work.appendingPathComponent(scratch)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swift", "build", "--package-path", tree.path, "--scratch-path", scratch.path] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  // MARK: Mutants that do not compile

  /// Returns the mutants to which errors of the compiler refer.
  private func numbers(from output: String, _ files: [String: PlantedFile]) -> Set<Int> {
    var numbers: Set<Int> = []
    for match in output.matches(of: #/(?m)^(/.+?\.swift):(\d+):(\d+): error: /#) {
      guard let range = match.1.range(of: "/tree/"), let line = Int(match.2), let column = Int(match.3) else {
        continue
      }
      let path = String(match.1[range.upperBound...])
      if let number = files[path]?.mutant(atLine: line, column: column) { numbers.insert(number) }
    }
    return numbers
  }

  private var memory: URL { work.appendingPathComponent("does-not-compile.txt") }

  /// Returns the mutants that did not compile in an earlier build, which are not tried again.
  private func rememberedDrops() -> Set<Int> {
    let lines = Set(
      ((try? String(contentsOf: memory, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init))
    return Set(plants.indices.filter { lines.contains(plants[$0].mutant.key.line) })
  }

  private func remember(_ dropped: Set<Int>) throws {
    let old = ((try? String(contentsOf: memory, encoding: .utf8)) ?? "").split(separator: "\n").map(
      String.init)
    let lines = Set(old).union(dropped.map { plants[$0].mutant.key.line }).sorted()
    try (lines.joined(separator: "\n") + "\n").write(to: memory, atomically: true, encoding: .utf8)
  }
}
