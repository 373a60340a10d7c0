import RecordModel
package import ScenarioFormat

/// The scenarios that a run will execute, in order. A plan can be shown without running.
package struct RunPlan: Sendable {
  package struct Entry: Sendable {
    package var file: ScenarioFile
    private let contents: Contents
    /// The position among the selected scenarios of all shards, from 0.
    package var index = 0
    /// The adapter of the app; nil for a scenario that runs on the engine.
    package var adapter: String?
    /// A Boolean value that indicates whether the scenario runs on several adapters, so that results name them.
    package var isOneOfSeveral = false
    /// The model files that the scenarios of the run share.
    package var modelFiles: ModelFiles

    /// The contents of the file. Indirect, so that the entries of a large suite take little memory.
    private indirect enum Contents: Sendable {
      case unread
      case read(LoadedScenario)
    }

    package init(
      file: ScenarioFile, loaded: LoadedScenario? = nil, modelFiles: ModelFiles = ModelFiles()
    ) {
      self.file = file
      self.modelFiles = modelFiles
      contents = loaded.map { .read($0) } ?? .unread
    }

    /// The scenario, if the selection depends on its contents; nil if it is read when it runs.
    package var loaded: LoadedScenario? {
      if case .read(let loaded) = contents { loaded } else { nil }
    }

    /// The name in reports: `feed/second-refresh`, or `feed/second-refresh [web]` with several adapters.
    package var shownName: String {
      adapter.flatMap { isOneOfSeveral ? "\(file.name) [\($0)]" : nil } ?? file.name
    }

    /// The heading of the scenario, for the report on a run that has not ended.
    package var heading: ScenarioHeading { loaded?.heading ?? Scenario.heading(of: file) }

    /// Reads the scenario from its file, unless it has been read.
    ///
    /// - Parameter swiftModels: the models in Swift that a test target registers; nil on the command line.
    package func read(_ swiftModels: SwiftModels? = nil) -> LoadedScenario {
      loaded ?? Scenario.load(file, swiftModels: swiftModels, sharing: modelFiles)
    }
  }

  /// The entries, sorted by path unless they are shuffled.
  package private(set) var entries: [Entry] = []
  /// The files of the scenarios that were read and not selected because of their contents, by name.
  package private(set) var unselectedFiles: [String: [StampedFile]] = [:]
  /// The tags of the scenarios in ``unselectedFiles``.
  package private(set) var unselectedTags: Set<String> = []
  /// The names of all scenarios that were found, selected or not. Golden files may belong to any of them.
  package private(set) var allNames: [String] = []
  /// The problems that belong to no scenario.
  package private(set) var problems: [AuthorDiagnostic]
  /// The paths of the selection that match no scenario.
  package private(set) var unmatchedPaths: [String]

  package init(_ found: ScenarioFiles, selection: ScenarioSelection) {
    problems = found.diagnostics
    let matches = selection.matches(among: found.files)
    unmatchedPaths = matches.unmatchedPaths
    allNames = found.files.map(\.name)
    let modelFiles = ModelFiles()
    for file in matches.files {
      guard selection.needsScenarios else {
        entries.append(Entry(file: file, modelFiles: modelFiles))
        continue
      }
      let loaded = Scenario.load(file, sharing: modelFiles)
      if selection.includes(loaded.scenario) {
        entries.append(Entry(file: file, loaded: loaded))
      } else {
        unselectedFiles[file.name] = loaded.files
        unselectedTags.formUnion(loaded.scenario?.tags ?? [])
      }
    }
    number()
  }

  /// Replaces each scenario that runs an app by one entry for each adapter. Does nothing without adapters.
  package mutating func expand(to adapters: [String]) {
    guard !adapters.isEmpty else { return }
    entries = entries.flatMap { entry -> [Entry] in
      let loaded = entry.read()
      guard loaded.scenario?.tables != nil else { return [entry] }
      return adapters.map { adapter in
        var copy = Entry(file: entry.file, loaded: loaded)
        (copy.adapter, copy.isOneOfSeveral) = (adapter, adapters.count > 1)
        return copy
      }
    }
    number()
  }

  private mutating func number() {
    for index in entries.indices { entries[index].index = index }
  }
}

extension RunPlan {
  /// Puts the entries in an order that depends only on the seed and their names.
  package mutating func shuffle(seed: UInt64) {
    func key(_ entry: Entry) -> UInt64 {
      var hash = FNV1a()
      hash.add("\(seed) \(entry.file.name)".utf8)
      return hash.value
    }
    entries = entries.map { (key($0), $0) }
      .sorted { ($0.0, $0.1.file.path) < ($1.0, $1.1.file.path) }
      .map(\.1)
    number()
  }

  /// Keeps only the entries of a shard.
  ///
  /// - Parameter durations: the known durations of scenarios, by name.
  package mutating func restrict(to shard: Shard, durations: [String: Duration]) {
    let indices = shard.indices(of: entries.map { durations[$0.file.name] })
    entries = indices.map { entries[$0] }
  }

  /// The digest of the names of the entries in their order.
  package var digest: String {
    var hash = FNV1a()
    for entry in entries { hash.add(entry.shownName.utf8 + [0]) }
    return hash.hexadecimal
  }
}
