import JSONTree
import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Scenarios of responses that the user names, and of made-up ones.
extension NewScenario {
  struct Response {
    var exchange: RecordedExchange
    /// The path of the file that the user names.
    var path: String
    /// The copy below the folder of the scenario, for a file that the scenario must not name; nil for other files.
    var copy: (name: String, bytes: [UInt8])?
  }

  /// Returns a scenario that requests each response.
  func scenario(
    of responses: [Response], model: ImportedScenario.Model, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> Content {
    var made: ImportedScenario
    do throws(ImportedScenario.Problem) {
      made = try ImportedScenario(
        RecordedSession(responses.map(\.exchange)), name: name.last, model: model,
        entity: arguments.entity.map { EntityName($0) })
    } catch {
      throw refuse(error)
    }
    made.draft.title = arguments.title ?? Self.title(of: made.draft)
    made.addComments(scenario: schemaComments(.scenario), model: schemaComments(.model))
    // The first file is the scenario.
    var others = Array(made.files.dropFirst())
    let modelFiles = others.count
    for copy in responses.compactMap(\.copy) where !others.contains(where: { $0.name == copy.name }) {
      others.append(copy)
    }
    // The scenario is run before it is written.
    _ = try await trial(of: made.draft, others).run(in: context)
    let guessed = made.inferred?.count ?? 0
    let prefix = name.folder.isEmpty ? "" : name.folder + "/"
    return Content(
      scenario: made.draft.text,
      summary: "\(counted(responses.count, "response")), \(counted(made.draft.steps.count, "step"))",
      others: others.enumerated().map { index, file in
        let summary =
          index < modelFiles
          ? "\(guessed) guessed \(guessed == 1 ? "entity" : "entities")" : "a copy of a response"
        return (prefix + file.name, file.bytes, summary)
      },
      hasModelFile: made.inferred != nil, drift: ScenarioDraft.lineWithoutDrift,
      weakGuesses: made.weakGuesses,
      warnings: made.warnings)
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
  func readResponses() throws(Refusal) -> [Response] {
    if arguments.response.isEmpty { return [] }
    let (folders, problems) = ReadableFolders.find(around: suite.scenarios, allowing: suite.allowedFolders)
    guard problems.isEmpty else { throw context.refuse(problems) }
    var responses: [Response] = []
    var diagnostics: [AuthorDiagnostic] = []
    var copies = UniqueNames()
    for named in arguments.response {
      let (address, path) = Self.parts(of: named)
      switch FileBytes.named(path) {
      case .failure(let diagnostic): diagnostics.append(diagnostic)
      case .success(let bytes):
        let file = SourceFile(path: path, bytes: bytes)
        if let problem = Self.problem(of: file) {
          diagnostics.append(problem)
          continue
        }
        var response = Response(exchange: Self.exchange(of: file, at: address), path: path)
        if folders.contain(FileAccess.location(of: path)) {
          response.exchange.bodyFile = FileAccess.relative(path, to: folder)
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
    guard diagnostics.isEmpty else { throw context.refuse(diagnostics) }
    return responses
  }

  private static func fileName(of path: String, _ copies: inout UniqueNames) -> String {
    let name = FilePath.name(of: path)
    let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    return copies.add(stem) + ".json"
  }

  /// Returns the address and the path of a response that the user names: `posts=posts.json`, or only a path.
  private static func parts(of text: String) -> (address: String?, path: String) {
    guard let mark = text.lastIndex(of: "="), FileAccess.kind(of: text) == .missing else {
      return (nil, text)
    }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }

  /// Returns the exchange of a body. Without an address, it is the name of the file.
  private static func exchange(of file: SourceFile, at address: String?) -> RecordedExchange {
    let parts = (address ?? "").split(separator: " ", maxSplits: 1).map(String.init)
    return RecordedExchange(
      method: parts.count > 1 ? parts[0] : "GET",
      url: address.map { _ in "https://api.test/" + (parts.last ?? "") }
        ?? CurlOutputReader.url(fromName: file.path),
      requestHeaders: RecordedHeaders(),
      requestBody: nil,
      outcome: .response(
        RecordedExchange.Response(
          status: 200, headers: RecordedHeaders(),
          body: RecordedExchange.Body(bytes: file.bytes, mediaType: "application/json"))),
      hasGuessedURL: address == nil)
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

  func refuse(_ problem: ImportedScenario.Problem) -> Refusal {
    switch problem {
    case .noExchanges: context.refuse(.invalid, "the responses contain nothing to request")
    case .noItems:
      context.refuse(
        .invalid, "no model can be inferred, because no response contains a JSON object",
        advice: "name a model with '--model'")
    case .noEntities: context.refuse(.invalid, "the model has no entities")
    case .model(let error):
      context.refuse(
        .invalid,
        error.problems.map { "the inferred model is invalid: \($0.message)" }.joined(separator: "\nerror: "),
        advice: "name a model with '--model'")
    }
  }

  private func trial(
    of draft: ScenarioDraft, _ others: [(name: String, bytes: [UInt8])] = []
  ) -> ScenarioTrial {
    ScenarioTrial(
      draft: draft, path: FilePath.child(name.file, of: suite.scenarios), root: suite.scenarios,
      files: others, allowedFolders: suite.allowedFolders)
  }

  // MARK: Made-up responses

  /// Returns a scenario with a made-up response, for the named entity or the first one that such a response populates.
  func sample(
    of model: ManagedObjectModel, path: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> Content {
    let entities = model.schema.entities.filter { entity in
      arguments.entity.map { $0 == entity.name.rawValue } ?? !entity.isAbstract
    }
    for entity in entities.prefix(Self.triedEntities) {
      let sample = SampleResponse(of: entity, address: KeyWords.pluralPropertyName(entity.name.rawValue))
      var draft = ScenarioDraft(
        title: arguments.title ?? "A response becomes \(entity.name) records", model: path)
      draft.header = schemaComments(.scenario)
      draft.addresses = [
        .init(
          text: sample.address,
          responses: [.answer(body: .json(sample.body), status: 200, headers: [])],
          comments: ["made up from the model; replace it with a response of the server"])
      ]
      draft.steps = [
        .init(members: ["request": .string(entity.name.rawValue), "urn": .string(sample.address)])
      ]
      let step = try await trial(of: draft).run(in: context).snapshot.steps.first
      guard let step, step.failure == nil, step.diagnostics.isEmpty, !step.records.isEmpty else { continue }
      return Content(scenario: draft.text, summary: "1 made-up response, 1 step")
    }
    let subject = arguments.entity.map { "entity '\($0)'" } ?? "entities of the model"
    throw context.refuse(
      .invalid, "no response can be made up for the \(subject)",
      advice: "name the body of a response with '--response'")
  }

  /// The number of entities for which a response is made up, so that a large model does not take long.
  private static let triedEntities = 20
}
