import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Scenarios of responses that the user names, and of made-up ones.
extension NewCommandFlow {
  struct Response {
    var exchange: RecordedExchange
    /// The path of the file that the user names.
    var path: String
    /// The copy below the folder of the scenario, for a file that the scenario must not name; nil for other files.
    var copy: (name: String, bytes: [UInt8])?
  }

  /// Returns a scenario that requests each response.
  func scenario(
    _ name: NewScenarioName, _ responses: [Response], model: ImportedScenario.Model,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Content, Refusal> {
    var made: ImportedScenario
    do throws(ImportedScenario.Problem) {
      made = try ImportedScenario(
        RecordedSession(responses.map(\.exchange)), name: name.last, model: model,
        entity: options.entity.map { EntityName($0) })
    } catch {
      return refuse(error)
    }
    made.draft.title = options.title ?? Self.title(of: made.draft)
    made.addComments(scenario: schemaComments(.scenario, name), model: schemaComments(.model, name))
    // The first file is the scenario.
    var others = Array(made.files.dropFirst())
    let modelFiles = others.count
    for copy in responses.compactMap(\.copy) where !others.contains(where: { $0.name == copy.name }) {
      others.append(copy)
    }
    if let refusal = await refusal(of: made.draft, name, others) { return .failure(refusal) }
    let guessed = made.inferred?.count ?? 0
    let prefix = name.folder.isEmpty ? "" : name.folder + "/"
    return .success(
      Content(
        scenario: made.draft.text,
        summary:
          "\(counted(responses.count, "response")), \(counted(made.draft.steps.count, "step"))",
        others: others.enumerated().map { index, file in
          let summary =
            index < modelFiles
            ? "\(guessed) guessed \(guessed == 1 ? "entity" : "entities")" : "a copy of a response"
          return (prefix + file.name, file.bytes, summary)
        },
        hasModelFile: made.inferred != nil, drift: made.draft.lineAboutDrift(), weakGuesses: made.weakGuesses,
        warnings: made.warnings))
  }

  private static func title(of draft: ScenarioDraft) -> String {
    var names: [String] = []
    for case .string(let name)? in draft.steps.map({ $0.members["request"] }) where !names.contains(name) {
      names.append(name)
    }
    let list =
      names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    return (draft.steps.count == 1 ? "A response becomes " : "Responses become ") + list + " records"
  }

  // MARK: Reading

  /// Reads the responses that the user names.
  func read(_ name: NewScenarioName) -> Result<[Response], Refusal> {
    if options.responses.isEmpty { return .success([]) }
    let (folders, problems) = ReadableFolders.find(around: suite.scenarios, allowing: suite.allowedFolders)
    guard problems.isEmpty else {
      report(problems)
      return .failure(Refusal(status: .invalid))
    }
    var responses: [Response] = []
    var diagnostics: [AuthorDiagnostic] = []
    var copies = UniqueNames()
    for path in options.responses {
      switch FileBytes.named(path) {
      case .failure(let diagnostic): diagnostics.append(diagnostic)
      case .success(let bytes):
        let file = SourceFile(path: path, bytes: bytes)
        if let problem = Self.problem(of: file) {
          diagnostics.append(problem)
          continue
        }
        var response = Response(exchange: Self.exchange(of: file), path: path)
        if folders.contain(FileAccess.location(of: path)) {
          response.exchange.bodyFile = FileAccess.relative(path, to: folder(of: name))
        } else if let copy = responses.lazy.compactMap(\.copy).first(where: { $0.bytes == bytes }) {
          response.exchange.bodyFile = copy.name
        } else {
          let copy = "_recordings/\(name.last)/\(Self.fileName(of: path, &copies))"
          response.exchange.bodyFile = copy
          response.copy = (copy, bytes)
        }
        responses.append(response)
      }
    }
    guard diagnostics.isEmpty else {
      report(diagnostics)
      return .failure(Refusal(status: .invalid))
    }
    return .success(responses)
  }

  private static func fileName(of path: String, _ copies: inout UniqueNames) -> String {
    let name = FilePath.name(of: path)
    let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    return copies.add(stem) + ".json"
  }

  /// Returns the exchange of a body. Its address is the name of the file.
  private static func exchange(of file: SourceFile) -> RecordedExchange {
    RecordedExchange(
      method: "GET", url: CurlOutputReader.url(fromName: file.path), requestHeaders: RecordedHeaders(),
      requestBody: nil,
      outcome: .response(
        RecordedExchange.Response(
          status: 200, headers: RecordedHeaders(),
          body: RecordedExchange.Body(bytes: file.bytes, mediaType: "application/json"))),
      hasGuessedURL: true)
  }

  /// Returns the reason why a file is not the body of a response.
  private static func problem(of file: SourceFile) -> AuthorDiagnostic? {
    let recording = RecordingReader().read(path: file.path, bytes: file.bytes)
    if recording.diagnostics.isEmpty {
      return AuthorDiagnostic(
        .invalidRecording, at: .file(file.path), "this is a recorded session, not the body of a response",
        advice: "write a scenario of it with 'recordspec import \(ShellText.quoted(file.path))'")
    }
    do {
      _ = try JSONDocument(parsing: file.bytes)
      return nil
    } catch {
      let offset = error.location.offset
      return AuthorDiagnostic(
        .noJSON, at: file.span(offset..<min(offset + 1, file.bytes.count)), "invalid JSON: \(error.message)",
        advice: file.bytes.isEmpty ? "the file is empty; a response has a JSON body" : nil)
    }
  }

  private func refuse(_ problem: ImportedScenario.Problem) -> Result<Content, Refusal> {
    switch problem {
    case .noExchanges: return refuse(.invalid, "the responses contain nothing to request")
    case .noItems:
      return refuse(
        .invalid,
        "no model can be inferred, because no response contains a JSON object\nhelp: name a model with '--model'"
      )
    case .noEntities: return refuse(.invalid, "the model has no entities")
    case .model(let error):
      return refuse(
        .invalid,
        error.problems.map { "the inferred model is invalid: \($0.message)" }.joined(separator: "\nerror: ")
          + "\nhelp: name a model with '--model'")
    }
  }

  // MARK: Checking

  /// Runs the scenario before it is written, and reports its errors. Returns nil if it can run.
  private func refusal(
    of draft: ScenarioDraft, _ name: NewScenarioName, _ others: [(name: String, bytes: [UInt8])],
    isolation: isolated (any Actor)? = #isolation
  ) async -> Refusal? {
    switch await trial(of: draft, name, others).run(context.execute) {
    case .executed: return nil
    case .invalid(let diagnostics):
      report(diagnostics)
      return Refusal(status: .invalid)
    case .broken(let reason):
      context.report("error: \(reason)\n")
      return Refusal(status: .broken)
    }
  }

  private func trial(
    of draft: ScenarioDraft, _ name: NewScenarioName, _ others: [(name: String, bytes: [UInt8])] = []
  ) -> ScenarioTrial {
    ScenarioTrial(
      draft: draft, path: FilePath.child(name.file, of: suite.scenarios), root: suite.scenarios,
      files: others, allowedFolders: suite.allowedFolders)
  }

  // MARK: Made-up responses

  /// Returns a scenario with a made-up response, for the named entity or the first one that such a response populates.
  func sample(
    of model: ManagedObjectModel, _ name: NewScenarioName, path: String,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Content, Refusal> {
    let entities = model.schema.entities.filter { entity in
      options.entity.map { $0 == entity.name.rawValue } ?? !entity.isAbstract
    }
    for entity in entities.prefix(Self.triedEntities) {
      let sample = SampleResponse(of: entity, address: KeyWords.pluralPropertyName(entity.name.rawValue))
      var draft = ScenarioDraft(
        title: options.title ?? "A response becomes \(entity.name) records", model: path)
      draft.header = schemaComments(.scenario, name)
      draft.addresses = [
        .init(
          text: sample.address,
          responses: [.answer(body: .json(sample.body), status: 200, headers: [])],
          comments: ["made up from the model; replace it with a response of the server"])
      ]
      draft.steps = [
        .init(members: ["request": .string(entity.name.rawValue), "urn": .string(sample.address)])
      ]
      switch await trial(of: draft, name).run(context.execute) {
      case .executed(let executed):
        let step = executed.snapshot.steps.first
        guard let step, step.failure == nil, step.diagnostics.isEmpty, !step.records.isEmpty else { continue }
        return .success(Content(scenario: draft.text, summary: "1 made-up response, 1 step"))
      case .invalid(let diagnostics):
        report(diagnostics)
        return .failure(Refusal(status: .invalid))
      case .broken(let reason): return refuse(.broken, reason)
      }
    }
    let subject = options.entity.map { "entity '\($0)'" } ?? "entities of the model"
    return refuse(
      .invalid,
      "no response can be made up for the \(subject)\nhelp: name the body of a response with '--response'")
  }

  /// The number of entities for which a response is made up, so that a large model does not take long.
  private static let triedEntities = 20
}
