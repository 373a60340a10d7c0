import Foundation

/// The workloads that can be measured, and their order.
struct Plan {
  private struct Entry {
    var name: String
    var type: any Contender.Type
    /// A Boolean value that indicates whether the contender does not write unchanged rows.
    var isSparing = true
    /// A Boolean value that indicates whether the contender also runs many small imports, and imports of increasing
    /// size.
    var isThorough = false
  }

  private let contenders = [
    Entry(name: "engine", type: Engine.self, isThorough: true),
    Entry(name: "floor", type: Floor.self, isThorough: true),
    Entry(name: "careful", type: CarefulPeer.self),
    Entry(name: "usual", type: UsualPeer.self, isSparing: false),
  ]

  private let growth = [1000, 10_000, 20_000, 100_000]

  /// The lines of the table, in order.
  var lines: [Line] {
    let thorough = contenders.filter(\.isThorough)
    return Group.allCases.flatMap { group -> [Line] in
      switch group {
      case .inMemory: [TapeWorkload.line, PopulateWorkload.line, PopulateWorkload.saveLine]
      case .fresh, .unchanged:
        contenders.map { Line(group, $0.name) } + PythonPeerWorkload.lines(in: group)
      case .fetch: contenders.map { Line(group, $0.name) }
      case .changed: contenders.filter(\.isSparing).map { Line(group, $0.name) }
      case .pages: thorough.map { Line(group, $0.name) }
      case .cache: Storage.allCases.flatMap(CacheWorkload.lines)
      case .properties: PropertiesWorkload.lines
      case .updates: Storage.allCases.flatMap(UpdatesWorkload.lines)
      case .growth: thorough.flatMap { entry in growth.map { .growth(entry.name, $0) } }
      case .peak: [PeakMemory.responseLine] + contenders.map { Line(group, $0.name) }
      case .scenarios: SuiteWorkload.lines
      case .suite: OwnSuiteWorkload.lines
      case .diff: DiffWorkload.lines
      }
    }
  }

  /// Returns the lines that the names select; all lines if there are no names.
  func choose(_ names: [String]) throws -> [Line] {
    for name in names where !lines.contains(where: { $0.isMeant(by: name) }) {
      throw BenchmarkFailure("'\(name)' is nothing that is measured; 'scripts/bench --list' names what is")
    }
    return lines.filter { line in names.isEmpty || names.contains { line.isMeant(by: $0) } }
  }

  func run(_ chosen: [Line], posts: Int, rounds: Int) async throws -> Table {
    let context = try BenchmarkInput(posts: posts)
    defer { context.folder.remove() }
    let workloads = try workloads(context, Set(chosen))
    var measurements = Measurements()
    for round in 0...rounds {
      say(round == 0 ? "warming up" : "round \(round) of \(rounds)")
      for workload in workloads where round <= workload.maximumRounds {
        // Workloads with few rounds are large, and need no warm-up round.
        if round == 0, workload.maximumRounds < .max { continue }
        try await workload.run(chosen: Set(chosen)) { line, time in
          if round > 0, chosen.contains(line) { measurements.add(time, to: line) }
        }
      }
    }
    try measurePeaks(chosen, context, &measurements)
    for case let suite as SuiteWorkload in workloads {
      if let (line, bytes) = try suite.peak() { measurements.setMemory(bytes, of: line) }
    }
    return Table(
      shape: context.feed.shape, bytes: context.feed.bytes.count, rounds: rounds, lines: chosen,
      measurements: measurements)
  }

  /// Imports in this process, and returns the peak memory of the process.
  func peakOfImport(by name: String, feed: String, database: String) async throws -> Int {
    guard let entry = contenders.first(where: { $0.name == name }) else {
      throw BenchmarkFailure("unknown contender '\(name)'")
    }
    return try await PeakMemory.ofImport(by: entry.type, feed: feed, database: database)
  }

  // MARK: Workloads

  private func workloads(_ context: BenchmarkInput, _ chosen: Set<Line>) throws -> [any Workload] {
    var workloads: [any Workload] = [
      TapeWorkload(context: context),
      PopulateWorkload(context: context, engine: try EngineInMemory()),
    ]
    for entry in contenders {
      workloads.append(databaseWorkload(entry.type, entry, context))
    }
    let peers = try PythonPeerWorkload.workloads(chosen, context)
    workloads += peers.workloads
    for reason in peers.skipped { say("skipped: \(reason)") }
    for entry in contenders.filter(\.isThorough) {
      workloads.append(pagesWorkload(entry.type, entry, context))
    }
    workloads += Storage.allCases.map { CacheWorkload(context: context, storage: $0) }
    workloads.append(PropertiesWorkload(context: context))
    workloads += Storage.allCases.map { UpdatesWorkload(context: context, storage: $0) }
    for size in growth {
      let entries = contenders.filter { $0.isThorough && chosen.contains(.growth($0.name, size)) }
      if entries.isEmpty { continue }
      let feed = Feed(posts: size)
      workloads += entries.map { growthWorkload($0.type, $0, context, feed) }
    }
    workloads += try SuiteWorkload.workloads(chosen, in: context.folder)
    workloads.append(OwnSuiteWorkload())
    if !chosen.isDisjoint(with: DiffWorkload.lines) { workloads.append(try DiffWorkload(in: context.folder)) }
    for line in SuiteWorkload.lines where chosen.contains(line) {
      if !workloads.contains(where: { $0.lines.contains(line) }) {
        say("skipped: \(line.name), because python3 lacks pytest or PyYAML")
      }
    }
    return workloads.filter { !chosen.isDisjoint(with: $0.lines) }
  }

  private func databaseWorkload<Subject: Contender>(
    _ type: Subject.Type, _ entry: Entry, _ context: BenchmarkInput
  ) -> any Workload {
    DatabaseWorkload<Subject>(context: context, name: entry.name, isSparing: entry.isSparing)
  }

  private func pagesWorkload<Subject: Contender>(
    _ type: Subject.Type, _ entry: Entry, _ context: BenchmarkInput
  ) -> any Workload {
    PagesWorkload<Subject>(context: context, name: entry.name, pages: context.feed.pages())
  }

  private func growthWorkload<Subject: Contender>(
    _ type: Subject.Type, _ entry: Entry, _ context: BenchmarkInput, _ feed: Feed
  ) -> any Workload {
    GrowthWorkload<Subject>(context: context, name: entry.name, feed: feed)
  }

  // MARK: Memory

  private func measurePeaks(
    _ chosen: [Line], _ context: BenchmarkInput, _ measurements: inout Measurements
  ) throws {
    let lines = chosen.filter { $0.group == .peak }
    if lines.isEmpty { return }
    say("peak memory")
    measurements.setMemory(context.feed.bytes.count, of: PeakMemory.responseLine)
    let feed = try context.folder.newFile("feed.json")
    try Data(context.feed.bytes).write(to: URL(fileURLWithPath: feed))
    for line in lines where line != PeakMemory.responseLine {
      let database = try context.folder.newFile("peak.sqlite")
      let bytes = try PeakMemory.ofProcess(importingAs: line.part, feed: feed, database: database)
      measurements.setMemory(bytes, of: line)
    }
  }

  private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
