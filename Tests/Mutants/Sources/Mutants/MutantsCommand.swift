import ArgumentParser
import Foundation

@main
struct MutantsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scripts/mutants",
    abstract: "Plant faults in a copy of the engine and report those that no test detects.")

  @Argument(help: "Files or folders whose mutants run. Without any, all of Tests/Mutants/sources.txt.")
  var paths: [String] = []

  @Option(help: "A mutant to run, by the identifier that a report gives. May be given several times.")
  var only: [String] = []

  @Option(help: "Run the mutants whose keys a file lists, such as an earlier report.")
  var listed: String?

  @Option(help: "Run this many mutants, chosen by the seed.")
  var sample: Int?

  @Option(help: "A text that decides which mutants a sample has.")
  var seed = ""

  @Flag(help: "Print the mutants and run none.")
  var list = false

  @Flag(help: "Run no unit tests.")
  var scenariosOnly = false

  @Option(help: "Run the laws of the graph with this many seeds, in release, in place of the unit tests.")
  var laws: Int?

  @Flag(help: "Run each mutant against all tests that reach it, not only the most specific ones.")
  var thorough = false

  @Flag(help: "Print what becomes of each mutant.")
  var verbose = false

  @Option(help: "The verbose output of an interrupted run of the same sources, whose verdicts are kept.")
  var resume: String?

  @Option(help: "How many mutants run at the same time. (default: the processors)")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("'--sample' must be at least 1.") }
    if let laws, laws < 1 { throw ValidationError("'--laws' must be at least 1.") }
    if laws != nil, scenariosOnly { throw ValidationError("'--laws' excludes '--scenarios-only'.") }
    if jobs < 1 { throw ValidationError("'--jobs' must be at least 1.") }
  }

  func run() throws {
    let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let copy = try PlantedCopy(root: root)
    let mutants = copy.plants.map(\.mutant)
    let keys = try listed.map { Mutant.Key.keys(in: try String(contentsOfFile: $0, encoding: .utf8)) }
    let chosen = try Selection(paths: paths, only: only, listed: keys, sample: sample, seed: seed)
      .numbers(of: mutants)
    if list {
      for number in chosen {
        print(mutants[number].id)
        for line in MutationReport.details(of: mutants[number]) { print(line) }
      }
      return
    }

    var earlier = EarlierVerdicts()
    if let resume {
      // The output of an ended process may have bytes that are not UTF-8.
      earlier = EarlierVerdicts(
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: resume)), as: UTF8.self))
    }
    say("Building with mutants")
    // A sample is planted alone, because it builds faster. All other selections share one build.
    let planted = sample == nil ? Set(mutants.indices) : Set(chosen)
    let tests: PlantedCopy.Tests? = scenariosOnly ? nil : laws == nil ? .unitTests : .laws
    let untyped = try copy.build(planted, with: tests) { say($0) }
    var verdicts: [Int: MutantVerdict] = [:]
    for number in untyped { verdicts[number] = .doesNotCompile }
    try judge(chosen, by: try TestRun.scenarios(of: copy), "scenarios", seconds: 4, copy, earlier, &verdicts)
    if let laws {
      let script = try String(contentsOf: root.appendingPathComponent("scripts/laws"), encoding: .utf8)
      let runs = try TestRun.laws(listedIn: script, seeds: laws)
      try judge(chosen, by: runs, "laws", seconds: nil, copy, earlier, &verdicts)
    } else if !scenariosOnly {
      try judge(
        chosen, by: try TestRun.unitTests(of: copy), "unit tests", seconds: 20, copy, earlier, &verdicts)
    }
    let report = MutationReport(
      chosen.map { (mutant: mutants[$0], verdict: verdicts[$0] ?? .notReached) })
    print(report.text, terminator: "")
  }

  /// The maximum number and duration of the scenarios that run for a mutant, and of the unit tests or laws. Each law counts
  /// once for each seed. The duration of laws is not limited, because a rare mutant needs the few seeds that reach it.
  var most: (runs: Int, seconds: Double) {
    if thorough { return (.max, .infinity) }
    return laws == nil ? (100, 5) : (200, .infinity)
  }

  /// Runs the mutants that have not been detected so far.
  ///
  /// - Parameter seconds: the limit of processor time for one process. The default is far above the time of the longest
  ///   run.
  private func judge(
    _ numbers: [Int], by runs: [TestRun], _ name: String, seconds: UInt?, _ copy: PlantedCopy,
    _ earlier: EarlierVerdicts, _ verdicts: inout [Int: MutantVerdict]
  ) throws {
    // Random order separates mutants of one loop, which are slow. It also makes the output of an interrupted run a
    // sample.
    var generator = SeededGenerator(seed)
    let remaining = numbers.filter { number in
      verdicts[number].map { !$0.isDetected && $0 != .doesNotCompile } ?? true
    }.shuffled(using: &generator)
    func keep(_ verdict: MutantVerdict, on number: Int) {
      if case .survived = verdicts[number], verdict == .notReached { return }
      verdicts[number] = verdict
    }
    say("Running \(remaining.count) mutants against \(name)")
    var open: [Int] = []
    for number in remaining {
      guard let verdict = earlier.verdict(on: copy.plants[number].mutant.id, by: name) else {
        open.append(number)
        continue
      }
      if verbose { say("\(copy.plants[number].mutant.id) \(verdict)") }
      keep(verdict, on: number)
    }
    guard !open.isEmpty else { return }
    say("Recording which \(name) reach which mutants")
    ChildProcess.limit(seconds: seconds ?? 600, gigabytes: 8)
    let baseline = try Baseline(runs, copy, jobs: jobs)
    ChildProcess.limit(seconds: seconds ?? baseline.limit, gigabytes: 8)
    let mutantRuns = MutantRuns(
      open, copy: copy, baseline: baseline, most: most.runs, seconds: most.seconds)
    let results = try Parallel.map(count: open.count, jobs: jobs) { [open] index, _ in
      let verdict = try mutantRuns.verdict(on: open[index])
      if verbose { say("\(copy.plants[open[index]].mutant.id) \(verdict)") }
      return verdict
    }
    for (number, verdict) in zip(open, results) { keep(verdict, on: number) }
  }

  /// Prints a line without buffering, so that it is visible while the next step runs.
  private func say(_ text: String) { FileHandle.standardOutput.write(Data("==> \(text)\n".utf8)) }
}

/// The mutants that the command line selects.
struct Selection {
  var paths: [String] = []
  var only: [String] = []
  /// The keys of the mutants; nil for those of any key.
  var listed: Set<Mutant.Key>?
  var sample: Int?
  var seed = ""

  /// Returns the indices of the selected mutants, in order.
  func numbers(of mutants: [Mutant]) throws(MutantsError) -> [Int] {
    var chosen = Array(mutants.indices)
    if !only.isEmpty {
      for id in only where !mutants.contains(where: { $0.id == id }) {
        throw MutantsError("unknown mutant '\(id)'; '--list' prints all")
      }
      chosen = chosen.filter { only.contains(mutants[$0].id) }
    }
    if let listed {
      guard mutants.contains(where: { listed.contains($0.key) }) else {
        throw MutantsError("the file lists no mutant of the sources as 'file | function | kind | source'")
      }
      chosen = chosen.filter { listed.contains(mutants[$0].key) }
    }
    for path in paths.map(Self.trimmed) {
      guard mutants.contains(where: { Self.isAt(path, $0) }) else {
        throw MutantsError("no mutant lies in '\(path)'; see Tests/Mutants/sources.txt")
      }
    }
    if !paths.isEmpty {
      chosen = chosen.filter { index in paths.map(Self.trimmed).contains { Self.isAt($0, mutants[index]) } }
    }
    guard let sample else { return chosen }
    var generator = SeededGenerator(seed)
    return chosen.shuffled(using: &generator).prefix(sample).sorted()
  }

  private static func trimmed(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func isAt(_ path: String, _ mutant: Mutant) -> Bool {
    mutant.file == path || mutant.file.hasPrefix(path + "/")
  }
}

/// A generator of random numbers with a text as seed (FNV-1a, then SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ seed: String) {
    for byte in seed.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
