import JSONTree
import RecordEngine
import RecordModel
package import ScenarioFormat

/// The search for probable mistakes in the scenarios of a suite, in their responses and in their models.
///
/// A property is missing only if no scenario with the same model file has it.
package struct SuiteLint {
  /// A Boolean value that indicates whether all scenarios that use a model file are known.
  private var isWhole: Bool
  /// The files that scenarios share as their model, by path.
  private var models: [String: SharedModel] = [:]
  private var searchedFiles: Set<String> = []
  /// The entries of `allows` in all files.
  private var allowed: [Place: AllowedWarning] = [:]
  /// The entries that silence a warning.
  private var used: Set<Place> = []
  /// The files whose warnings are not all known.
  private var unclear: Set<String> = []

  /// A model file with the scenarios that use it.
  private struct SharedModel {
    var use: ModelUse
    var scenarios: [String] = []
    var allowed: [AllowedWarnings] = []
  }

  /// The location of an entry of `allows`.
  private struct Place: Hashable {
    let path: String
    let offset: Int

    init(_ warning: AllowedWarning) { (path, offset) = (warning.span.file.path, warning.span.start.offset) }
  }

  /// Creates a search.
  ///
  /// - Parameter isWhole: a Boolean value that indicates whether every scenario of the suite will be added.
  package init(isWhole: Bool) { self.isWhole = isWhole }

  /// Adds a scenario and returns its warnings, without those of reading it.
  package mutating func warnings(about searched: SearchedScenario) -> [AuthorDiagnostic] {
    let loaded = searched.loaded
    for entry in loaded.allowed.entries { allowed[Place(entry)] = entry }
    _ = notAllowed(loaded.silenced, by: [loaded.allowed])
    guard let scenario = loaded.scenario else {
      isWhole = false
      unclear.formUnion(loaded.yamlFiles.map(\.path))
      return []
    }
    var warnings: [AuthorDiagnostic] = []
    for root in loaded.roots where searchedFiles.insert(root.file.path).inserted {
      warnings += YAMLLint.warnings(in: root)
    }
    warnings += searched.warnings
    guard scenario.tables == nil else { return notAllowed(warnings, by: [loaded.allowed]) }
    let locations = ModelSourceMap(loaded.modelLayers)
    var model =
      locations.path.flatMap { models.removeValue(forKey: $0) }
      ?? SharedModel(use: ModelUse(scenario.model, locations))
    if let run = searched.run {
      model.use.add(scenario, run.executed, run.drift)
    } else {
      unclear.formUnion(loaded.yamlFiles.map(\.path))
      model.use.addUnrun(scenario)
    }
    if let path = locations.path, path != loaded.path {
      model.scenarios.append(loaded.path)
      if !loaded.allowed.entries.isEmpty { model.allowed.append(loaded.allowed) }
      models[path] = model
    } else {
      warnings += model.use.warnings(isFile: false)
    }
    return notAllowed(warnings, by: [loaded.allowed])
  }

  /// Returns the warnings about all scenarios together: missing properties of model files, and entries of `allows` that
  /// silence nothing.
  package mutating func warningsAboutAll() -> [AuthorDiagnostic] {
    var warnings: [AuthorDiagnostic] = []
    for (path, model) in models.sorted(by: { $0.key < $1.key }) {
      if isWhole {
        warnings += notAllowed(model.use.warnings(isFile: true), by: model.allowed)
      } else {
        unclear.formUnion([path] + model.scenarios)
      }
    }
    for (place, entry) in allowed where !used.contains(place) && !unclear.contains(place.path) {
      warnings.append(
        AuthorDiagnostic(
          .unusedAllows, at: entry.span, "there is no warning '\(entry.code)' to allow here",
          advice: "remove the entry"))
    }
    return warnings
  }

  /// Returns the warnings that no entry of `allows` silences, and notes the entries that silence the others.
  private mutating func notAllowed(
    _ warnings: [AuthorDiagnostic], by allowed: [AllowedWarnings]
  ) -> [AuthorDiagnostic] {
    warnings.filter { warning in
      let entries = allowed.flatMap { $0.entries(for: warning) }
      used.formUnion(entries.map(Place.init))
      return entries.isEmpty
    }
  }
}

extension ModelSourceMap {
  /// The path of the file that declares the model; nil for a model in Swift.
  fileprivate var path: String? {
    switch layers.first {
    case .yaml(let root, _): root.file.path
    case .xcode(let file, _): file.path
    case .customization, nil: nil
    }
  }
}
