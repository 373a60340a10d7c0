internal import JSONTree
internal import RecordEngine
internal import RecordModel

/// The warnings of `recordspec check` that are not errors of the format: probable mistakes in scenarios, in their
/// responses and in their models.
///
/// Each scenario is run in memory, to see which item belongs to which entity. A property is missing only if no scenario
/// with the same model file has it.
package struct SuiteLint {
  private let execute: ScenarioExecutor
  /// A Boolean value that indicates whether all scenarios are searched, so that it is known which of them use a model
  /// file.
  private let isWhole: Bool
  private var models: [String: ModelUse] = [:]
  private var searchedFiles: Set<String> = []
  private var allowed: [Place: AllowedWarning] = [:]
  private var used: Set<Place> = []
  /// The files whose warnings are not all known.
  private var unclear: Set<String> = []
  private var hasInvalid = false

  private struct Place: Hashable {
    let path: String
    let offset: Int

    init(_ warning: AllowedWarning) { (path, offset) = (warning.span.file.path, warning.span.start.offset) }
  }

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - isWhole: a Boolean value that indicates whether every scenario of the suite is added.
  ///   - execute: the executor that records the provenance of records.
  package init(isWhole: Bool, execute: @escaping ScenarioExecutor) {
    (self.isWhole, self.execute) = (isWhole, execute)
  }

  /// Searches a scenario and returns its warnings.
  package mutating func warnings(about loaded: LoadedScenario) async -> [AuthorDiagnostic] {
    for entry in loaded.allowed.entries { allowed[Place(entry)] = entry }
    use(loaded.silenced, of: loaded)
    guard let scenario = loaded.scenario else {
      hasInvalid = true
      unclear.formUnion(loaded.sources.map(\.path))
      return []
    }
    let files = loaded.sources.filter { [".yaml", ".yml"].contains(where: $0.path.hasSuffix) }
      .map { SourceFile(path: $0.path, bytes: $0.bytes) }
    var warnings: [AuthorDiagnostic] = []
    for file in files where searchedFiles.insert(file.path).inserted {
      warnings += YAMLLint.warnings(in: file)
    }
    let locations = ModelSourceMap(loaded.modelLayers)
    warnings += ModelLint.warnings(about: scenario.model, at: locations)
    let path = locations.modelPath ?? loaded.path
    let isRunnable = scenario.skip == nil && loaded.checkedForSwiftCode(nil).scenario != nil
    let executed = isRunnable ? await execute(scenario, .memory) : nil
    if let executed, executed.breakage == nil, let provenance = executed.provenance {
      let responses = ResponseLint(scenario, provenance)
      // The report of a scenario that asks for drift contains the same differences.
      if !scenario.asksForDrift { warnings += responses.warnings() }
      models[path, default: ModelUse(scenario.model, locations, isFile: path != loaded.path)].add(
        scenario, executed, responses.drift)
      let roots = files.compactMap { YAMLParser.parse($0).root }
      if let root = roots.first { warnings += OptionLint(scenario, executed, root: root).warnings() }
      if scenario.expectedFailure == nil {
        var expectations = ExpectationLint(scenario, executed, sources: roots)
        warnings += expectations.warnings()
      }
    } else {
      unclear.formUnion([path, loaded.path])
      models[path, default: ModelUse(scenario.model, locations, isFile: path != loaded.path)].addUnrun(
        scenario)
    }
    // The warnings about a model in the scenario are not shared.
    if path == loaded.path, let use = models.removeValue(forKey: path) { warnings += use.warnings() }
    return notAllowed(warnings, in: loaded)
  }

  /// Returns the warnings about all scenarios together: missing properties of model files, and entries of `allows` that
  /// silence nothing.
  package mutating func warningsAboutAll() -> [AuthorDiagnostic] {
    var warnings: [AuthorDiagnostic] = []
    let areClear = isWhole && !hasInvalid
    for (path, use) in models.sorted(by: { $0.key < $1.key }) where areClear {
      for warning in use.warnings() {
        let entries = allowed.filter { $0.key.path == path && $0.value.matches(warning) }
        used.formUnion(entries.keys)
        if entries.isEmpty { warnings.append(warning) }
      }
    }
    for (place, entry) in allowed where !used.contains(place) && !unclear.contains(place.path) {
      let isModelFile = models[place.path] != nil || !searchedScenarios.contains(place.path)
      if isModelFile, !areClear { continue }
      warnings.append(
        AuthorDiagnostic(
          .unusedAllows, at: entry.span, "there is no warning '\(entry.code)' to allow here",
          advice: "remove the entry"))
    }
    return warnings
  }

  private var searchedScenarios: Set<String> = []

  private mutating func notAllowed(
    _ warnings: [AuthorDiagnostic], in loaded: LoadedScenario
  ) -> [AuthorDiagnostic] {
    searchedScenarios.insert(loaded.path)
    let silenced = warnings.filter { !loaded.allowed.entries(for: $0).isEmpty }
    use(silenced, of: loaded)
    return warnings.filter { loaded.allowed.entries(for: $0).isEmpty }
  }

  private mutating func use(_ silenced: [AuthorDiagnostic], of loaded: LoadedScenario) {
    for warning in silenced { used.formUnion(loaded.allowed.entries(for: warning).map(Place.init)) }
  }
}

extension ModelSourceMap {
  /// The path of the file that declares the model; nil for a model in Swift.
  fileprivate var modelPath: String? {
    switch layers.first {
    case .yaml(let root, _): root.file.path
    case .xcode(let file, _): file.path
    case .customization, nil: nil
    }
  }
}

extension Scenario {
  fileprivate var asksForDrift: Bool {
    (Array(defaults.values) + steps.flatMap(\.options)).contains { $0.reportsDrift ?? false }
  }
}
