import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport

/// The choice of the model of a new scenario.
extension NewScenario {
  /// The model of a new scenario.
  enum ModelChoice {
    /// No model file; the scenario contains the model of the template.
    ///
    /// - Parameter files: the model files of the suite, which the user can name.
    case none(files: [String])
    /// A model that is inferred from the responses.
    ///
    /// - Parameter files: the model files of the suite, none of which fits.
    case inferred(files: [String])
    /// The model of a file.
    ///
    /// - Parameter reason: the reason for the choice in words; nil for the file that the user names.
    case file(String, ManagedObjectModel, reason: String?)
  }

  private struct Candidate {
    let path: String
    let model: ManagedObjectModel
  }

  /// Chooses the model: the one that the user names, or else the only model file of the suite that has the requested
  /// entity or fits the responses.
  func model(for responses: [Response]) throws(Refusal) -> ModelChoice {
    if let path = arguments.model?.trimmedFolder { return try named(path) }
    let files = arguments.inferModel ? [] : ModelSource.modelFiles(below: suite.scenarios)
    var (candidates, problems) = candidates(among: files)
    let fitting: [Candidate]
    // The ends of two sentences: `the only model file that …`, and `2 model files …`.
    let (one, several): (String, String)
    if let entity = arguments.entity {
      fitting = candidates.filter { hasEntity(entity, $0.model) }
      (one, several) = ("with the entity '\(entity)'", "have the entity '\(entity)'")
    } else if responses.isEmpty {
      // Which of several models an example is to use cannot be known.
      if files.count > 1 { return .none(files: files) }
      fitting = candidates
      (one, several) = ("in '\(suite.scenarios)'", "are in '\(suite.scenarios)'")
    } else {
      fitting = candidates.filter { fits($0, responses) }
      (one, several) = ("that fits the responses", "fit the responses")
    }
    if fitting.count > 1 {
      let advice =
        "name one with '--model'"
        + (responses.isEmpty || arguments.entity != nil ? "" : ", or infer a new one with '--infer-model'")
      throw context.refuse(
        .usage, "\(fitting.count) model files \(several): \(list(fitting.map(\.path)))", advice: advice)
    }
    if let choice = fitting.first {
      // The files with errors might fit, too.
      for index in problems.indices { problems[index].severity = .warning }
      context.errors(context.renderer.text(of: problems))
      return .file(choice.path, choice.model, reason: "the only model file \(one)")
    }
    guard problems.isEmpty else { throw context.refuse(problems) }
    if let entity = arguments.entity {
      throw candidates.isEmpty
        ? context.refuse(.usage, "'--entity' needs a model; name one with '--model'")
        : refuse(entity, among: candidates)
    }
    return responses.isEmpty ? .none(files: []) : .inferred(files: files)
  }

  /// Returns the models of files, and the problems of files without a valid one.
  private func candidates(among files: [String]) -> ([Candidate], [AuthorDiagnostic]) {
    var candidates: [Candidate] = []
    var problems: [AuthorDiagnostic] = []
    for path in files {
      let source = ModelSource(path, allowingOutside: suite.allowedFolders)
      if let model = source.model {
        candidates.append(Candidate(path: path, model: model))
      } else {
        problems += source.diagnostics
      }
    }
    return (candidates, problems)
  }

  private func named(_ path: String) throws(Refusal) -> ModelChoice {
    let source = ModelSource(path, allowingOutside: suite.allowedFolders)
    guard let model = source.model else {
      throw context.refuse(source.diagnostics(suggestingFilesBelow: suite.scenarios))
    }
    if let entity = arguments.entity, !hasEntity(entity, model) {
      throw refuse(entity, among: [Candidate(path: path, model: model)])
    }
    return .file(path, model, reason: nil)
  }

  private func refuse(_ entity: String, among candidates: [Candidate]) -> Refusal {
    let names = candidates.flatMap { $0.model.entities.map(\.name.rawValue) }
    let advice =
      nearestName(to: entity, among: names).map { "did you mean '\($0)'?" }
      ?? "\(candidates.count == 1 ? "its" : "their") entities are \(names.prefix(10).joined(separator: ", "))"
    let subject =
      candidates.count == 1
      ? "'\(candidates[0].path)' has no entity" : "none of \(list(candidates.map(\.path))) has an entity"
    return context.refuse(.usage, "\(subject) '\(entity)'; \(advice)")
  }

  private func hasEntity(_ name: String, _ model: ManagedObjectModel) -> Bool {
    model.entities.contains { $0.name.rawValue == name }
  }

  /// Returns a Boolean value that indicates whether each response has an entity that its items fit.
  private func fits(_ candidate: Candidate, _ responses: [Response]) -> Bool {
    let made = try? ImportedScenario(
      RecordedSession(responses.map(\.exchange)), name: name.last,
      model: .user(candidate.model, path: candidate.path))
    return made?.fits ?? false
  }

  // MARK: Words

  /// Returns the model of a scenario in words; nil for an example without a choice.
  func text(of choice: ModelChoice) -> String? {
    switch choice {
    case .none(let files):
      files.isEmpty
        ? nil : "in the scenario; to use \(list(files, joinedBy: "or")), name it with '--model'"
    case .inferred(let files):
      "\(FilePath.child("\(name.text).model.yaml", of: suite.scenarios)), inferred from the responses"
        + (files.isEmpty
          ? "" : "; they do not fit \(list(files, joinedBy: "or")), which you can name with '--model'")
    case .file(let path, _, let reason): path + (reason.map { ", \($0)" } ?? "")
    }
  }

  /// Returns a list of paths in quotes. After five, the others are only counted.
  private func list(_ paths: [String], joinedBy word: String = "and") -> String {
    let shown = paths.prefix(5).map { "'\($0)'" } + (paths.count > 5 ? ["\(paths.count - 5) others"] : [])
    guard let last = shown.last, shown.count > 1 else { return shown.joined() }
    return shown.dropLast().joined(separator: ", ") + " \(word) \(last)"
  }
}
