import Foundation
import JSONTree
import RecordModel

/// The reader of a scenario file's top-level mapping.
package struct ScenarioReader {
  package let findings = Findings()
  package let scenarioFile: ScenarioFile
  package let file: SourceFile
  /// The models in Swift; nil on the command line.
  package var swiftModels: SwiftModels?
  /// The model files that the scenarios of the run share.
  package var modelFiles = ModelFiles()

  /// The advice for unknown keys that an author may expect.
  private static let hints = [
    "clock": "set the start time with 'now', and advance it with an 'advance' step",
    "tweaks": "set the content of the tweaks file with a 'tweak' step",
  ]

  /// The names of keys in other tools.
  private static let otherNames = [
    "name": ["title"], "description": ["title"], "rules": ["covers"], "labels": ["tags"],
    "config": ["options"], "settings": ["options"], "stubs": ["responses"], "mocks": ["responses"],
    "fixtures": ["responses"], "records": ["store"], "assert": ["expect"], "expectation": ["expect"],
    "then": ["expect"], "when": ["steps"], "given": ["store"], "url": ["baseURL"], "date": ["now"],
    "version": ["schemaVersion"],
  ]

  /// Returns a diagnostic with better advice if an address is written twice, for two responses.
  private static func advised(_ diagnostic: AuthorDiagnostic, _ root: YAMLNode?) -> AuthorDiagnostic {
    guard diagnostic.code == .duplicateKey, let responses = root?["responses"]?.pairs,
      let first = diagnostic.notes.first?.span,
      let address = responses.first(where: { $0.keySpan.start.offset == first.start.offset })
    else { return diagnostic }
    var diagnostic = diagnostic
    diagnostic.advice =
      "write a list under one '\(address.key)', with '- ' before each response"
      + (address.key.contains(" ") ? "" : "; for another method, write 'POST \(address.key)'")
    return diagnostic
  }

  /// Reads the scenario and its heading. Returns no scenario if there was an error, which is reported.
  package func read() -> (heading: ScenarioHeading, scenario: Scenario?) {
    var heading = ScenarioHeading()
    let scenario = scenario(&heading)
    return (heading, findings.errorCount == 0 ? scenario : nil)
  }

  /// Reads only the heading. Reports nothing.
  func readHeading() -> ScenarioHeading {
    guard let root = YAMLParser.parse(file).root,
      let reader = MappingReader(root, as: .scenario, findings: findings)
    else { return ScenarioHeading() }
    return ScenarioHeading(
      title: findings.string(reader["title"]), tags: findings.strings(reader["tags"]).map(\.value),
      rules: covers(reader["covers"]).map(\.value))
  }

  private func scenario(_ heading: inout ScenarioHeading) -> Scenario? {
    let (root, diagnostics) = YAMLParser.parse(file)
    findings.add(diagnostics.map { Self.advised($0, root) })
    guard let root else { return nil }
    findings.roots.append(root)
    guard root.pairs != nil else {
      findings.wrongKind(root, expected: "a mapping", for: "a scenario")
      return nil
    }
    return MappingReader(
      root, as: .scenario, hints: Self.hints, otherNames: Self.otherNames, findings: findings
    ).flatMap { scenario($0, &heading) }
  }

  private func scenario(_ reader: MappingReader, _ heading: inout ScenarioHeading) -> Scenario? {
    findings.checkSchemaVersion(reader["schemaVersion"])
    findings.readAllowedWarnings(reader["allows"])
    let title = findings.string(reader.required("title", advice: "write what the scenario shows: 'title: …'"))
    let covers = covers(reader["covers"])
    let tags = findings.strings(reader["tags"]).map(\.value)
    heading = ScenarioHeading(title: title, tags: tags, rules: covers.map(\.value))
    let skip = reason(reader["skip"])
    let expectedFailure = expectedFailure(reader["xfail"], isForApp: reader["tables"] != nil)
    let now = now(reader["now"])
    let baseURL = baseURL(reader["baseURL"])

    let tables = reader["tables"].map { self.tables($0, reader) }
    let isForApp = tables != nil
    let models = ModelReader(
      findings: findings, scenario: scenarioFile, swiftModels: swiftModels, files: modelFiles)
    let model =
      isForApp
      ? nil
      : model(reader).map {
        models.read($0, reader["customize"])
      }
    let customizations = model?.customizations ?? [:]
    let locations = model?.locations ?? ModelSourceMap()
    findings.modelLayers = locations.layers
    let records = RecordReader(findings: findings, outline: model?.outline, tables: tables)
    let addresses = AddressReader(findings: findings, baseURL: baseURL)
    let options = OptionsReader(findings: findings, records: records)
    let expectations = ExpectationReader(findings: findings, records: records, addresses: addresses)
    let sessionTimeout = findings.choice(reader["sessionTimeout"], SessionTimeoutChoice.self)
    let servers = servers(reader["servers"], records)
    let seeds = seeds(reader["store"], records)
    let responses = ResponseReader(findings: findings, scenario: scenarioFile, addresses: addresses)
      .addresses(reader["responses"])
    let paging = PagingReader(findings: findings).paging(reader["paging"])
    let cache = cache(reader["cache"])
    let entityDefaults = defaults(reader, records, options)
    let defaults = options.options(reader["options"])
    let steps = StepReader(
      findings: findings, records: records, options: options, addresses: addresses,
      expectations: expectations, defaults: defaults, model: model?.model
    ).steps(reader.required("steps", advice: Self.advice(forMissingSteps: model?.model, responses)))
    let expectation = expectations.expectation(reader["expect"], of: result(of: steps, reader["steps"]))
    if isForApp || reader["model"] != nil { checkKinds(of: steps, areForApp: isForApp) }

    guard let title, let model = isForApp ? ManagedObjectModel() : model?.model else { return nil }
    let scenario = Scenario(
      name: scenarioFile.name, file: file, title: title, covers: covers, tags: tags, skip: skip,
      expectedFailure: expectedFailure, tables: tables, model: model, customizations: customizations,
      baseURL: baseURL,
      servers: servers, restartsAfterSessionTimeout: sessionTimeout == .restart, paging: paging,
      defaults: entityDefaults, cache: cache, now: now, seeds: seeds, responses: responses, steps: steps,
      expectation: expectation ?? Expectation(graph: [], span: reader.node.file.span(0..<0)))
    check(scenario, locations)
    return scenario
  }

  /// Reads the tables of a scenario that runs an app. Reports the keys that only the engine understands.
  private func tables(_ tables: YAMLPair, _ reader: MappingReader) -> TableRules {
    for pair in FormatMapping.engineKeys.compactMap({ reader[$0] }) {
      findings.report(
        .conflictingKeys, at: pair.keySpan, "'\(pair.key)' cannot be combined with 'tables'",
        advice: "a scenario with 'tables' runs your app's own code, which has its own model and options",
        notes: [.init(tables.keySpan, "here")])
    }
    return TableReader(findings: findings).tables(tables)
  }

  /// Reports steps of the engine in a scenario that runs an app, and steps of an app in one that runs the engine.
  private func checkKinds(of steps: [Step], areForApp: Bool) {
    let kinds: [StepKind] = [.call, .reopen, .advance]
    for step in steps {
      if areForApp, !kinds.contains(step.kind) {
        findings.report(
          .conflictingKeys, at: step.span, "a '\(step.kind)' step cannot be combined with 'tables'",
          expected: Findings.oneOf(kinds.map { "'\($0)'" }),
          advice: "write 'call: NAME' with the name of an action of the app")
      } else if !areForApp, step.kind == .call {
        findings.report(
          .conflictingKeys, at: step.span, "'call' performs an action of an app, so it cannot have a 'model'",
          advice: "write 'tables' in place of 'model', or a step such as 'request'")
      }
    }
  }

  /// Checks what several keys of a scenario state together. Does nothing after an error.
  private func check(_ scenario: Scenario, _ locations: ModelSourceMap) {
    if findings.errorCount == 0 { reportMissingPaging(in: scenario) }
    guard findings.errorCount == 0 else { return }
    findings.add(IgnoredKeyCheck(scenario: scenario, locations: locations).warnings())
    if !scenario.usesCache, let served = scenario.expectationsOfCache.first {
      findings.report(
        .unknownValue, at: served.span, "no response can be served from the cache, because caching is off",
        advice: "write 'cache: true' in an entity or in 'options'")
    }
  }

  /// Reports the first page request without paging that is not expected to fail. Swift code may define the paging of an
  /// entity with a class.
  private func reportMissingPaging(in scenario: Scenario) {
    guard scenario.paging == nil, scenario.expectation.failure == nil,
      scenario.model.entities.allSatisfy({ $0.className == nil }), swiftModels == nil
    else { return }
    for step in scenario.steps.flatMap(\.withEntries) {
      guard case .page(let page) = step.action, step.expectation?.failure == nil,
        page.request.options.paging == nil, scenario.defaults[page.request.entity]?.paging == nil
      else { continue }
      findings.report(
        .missingKey, at: step.span, "'page' requires 'paging', which says where the next page is",
        advice: "write 'paging: linkHeader' or another kind of paging at the top level, or in 'options'")
      return
    }
  }

  /// Reads options by entity.
  private func defaults(
    _ reader: MappingReader, _ records: RecordReader, _ options: OptionsReader
  ) -> [EntityName: StepOptions] {
    if let pair = reader["defaults"], let other = reader["options"] {
      findings.add(
        AuthorDiagnostic(
          .noEffect, of: "defaults", at: pair.keySpan,
          "'defaults' has no effect, because 'options' applies to all requests",
          advice: "write the options of each entity in its steps, or remove 'options'",
          notes: [.init(other.keySpan, "here")]))
    }
    var defaults: [EntityName: StepOptions] = [:]
    for pair in findings.mapping(reader["defaults"]) ?? [] {
      let entity = records.entity(pair.key, at: pair.keySpan)
      let entityOptions = options.options(pair, of: entity)
      if let entity { defaults[entity] = entityOptions }
    }
    return defaults
  }

  /// Reads the limits of the record cache.
  private func cache(_ pair: YAMLPair?) -> CacheSetting? {
    guard let pair else { return nil }
    if pair.value.pairs == nil {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'cache'",
        advice: "to turn on caching, write 'cache: true' in an entity or in 'options'")
      return nil
    }
    guard let reader = MappingReader(pair, as: .cache, findings: findings) else { return nil }
    return CacheSetting(
      maximumSize: reader["maximumSize"].flatMap {
        findings.integer($0.value, for: "the bytes of 'maximumSize'", in: 0...Int.max)
      },
      maximumAge: findings.duration(reader["maximumAge"]))
  }

  private enum SessionTimeoutChoice: String, CaseIterable { case fail, restart }

  /// Returns the advice for a scenario without steps: a step that requests the first response.
  private static func advice(forMissingSteps model: ManagedObjectModel?, _ responses: [CannedAddress])
    -> String
  {
    let entity = model?.entities.first?.name.rawValue ?? "ENTITY"
    let address = responses.first { $0.address.method == "GET" }?.address.text ?? "ADDRESS"
    return
      "write the actions of the app: 'steps: [{request: \(entity), urn: \(JSONValue.string(address).yamlText().dropLast())}]'"
  }

  /// Returns the model of a scenario without tables. If it is missing, reports that one of them is required.
  private func model(_ reader: MappingReader) -> YAMLPair? {
    let callsApp = reader["steps"]?.value.elements?.contains { $0[StepKind.call.rawValue] != nil } ?? false
    guard callsApp, reader["model"] == nil else {
      return reader.required("model", advice: ModelReader.adviceForMissingModel)
    }
    return reader.required(
      "tables", advice: "a 'call' step runs an app: write 'tables: {TABLE: KEY}' with the tables of its store"
    )
  }

  /// Returns the result that the top-level `expect:` applies to, which is that of the last step.
  private func result(of steps: [Step], _ pair: YAMLPair?) -> Step.Result {
    guard steps.count == pair?.value.elements?.count else { return .response(of: nil) }
    return steps.last?.result ?? .nothing
  }

  // MARK: Single keys

  /// Reads rule ids, which are words of lowercase letters, digits and `-`, joined by dots.
  private func covers(_ pair: YAMLPair?) -> [Located<String>] {
    var seen: Set<String> = []
    return findings.strings(pair).filter { rule in
      let parts = rule.value.split(separator: ".", omittingEmptySubsequences: false)
      let isRule =
        parts.count > 1
        && parts.allSatisfy { part in
          !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
        }
      if !isRule {
        findings.report(
          .unknownValue, at: rule.span, "'\(rule.value)' is not a rule id",
          expected: "an id like 'identity.attribute-key'", advice: "put your own labels in 'tags'")
      } else if !seen.insert(rule.value).inserted {
        findings.report(.unknownValue, at: rule.span, "duplicate rule '\(rule.value)' in 'covers'")
      }
      if isRule { findings.note(.rule, rule.value, at: rule.span) }
      return isRule
    }
  }

  /// Reads the reason for not running a scenario.
  private func reason(_ pair: YAMLPair?) -> String? {
    if let pair, case .boolean = pair.value.scalar?.value {
      findings.wrongKind(pair.value, expected: "a reason", for: "'\(pair.key)'", advice: "write the reason")
      return nil
    }
    return findings.string(pair)
  }

  private func expectedFailure(_ pair: YAMLPair?, isForApp: Bool) -> ExpectedFailure? {
    if let pair, let text = pair.value.scalar?.text, !pair.value.isNull {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'xfail'",
        advice: "write {reason: \(pair.value.scalar?.value == .string(text) ? text : "…")}")
      return nil
    }
    guard let pair, let reader = MappingReader(pair, as: .expectedFailure, findings: findings) else {
      return nil
    }
    let reason = findings.string(reader.required("reason"))
    let issue = reader["issue"].flatMap { findings.text($0.value, for: "'issue'") }
    let until = findings.string(reader["until"])
    if let until, let node = reader["until"]?.value,
      until.utf8.count != 10 || DateFormat.iso8601.date(from: until) == nil
    {
      findings.report(
        .dateSyntax, at: node.span, "'\(until)' is not a date", expected: "a date like '2031-05-01'")
    }
    let adapters = findings.strings(reader["adapters"]).map(\.value)
    if let pair = reader["adapters"], !isForApp {
      findings.report(
        .conflictingKeys, at: pair.keySpan, "'adapters' needs 'tables', because the engine has no adapter",
        advice: "remove it")
    }
    return reason.map {
      ExpectedFailure(reason: $0, issue: issue, until: until, adapters: adapters, span: pair.keySpan)
    }
  }

  /// Reads the start time of the clock. Default 2000-01-01T00:00:00Z.
  private func now(_ pair: YAMLPair?) -> Double {
    let standard = 946_684_800.0
    guard let pair, let text = findings.string(pair) else { return standard }
    guard text.utf8.count > 10, let date = DateFormat.iso8601.date(from: text) else {
      findings.report(
        .dateSyntax, at: pair.value.span, "'\(text)' is not a time",
        expected: "a time like '2000-01-01T00:00:00Z'")
      return standard
    }
    return date.timeIntervalSince1970
  }

  private func baseURL(_ pair: YAMLPair?) -> String { pair.flatMap { url($0) } ?? Self.standardBaseURL }

  private static let standardBaseURL = "https://api.test/"

  /// Reads the initial records. Reports the name of a kind of store, which is an option of a run.
  private func seeds(_ pair: YAMLPair?, _ records: RecordReader) -> [SeedRecord] {
    guard let pair, case .string? = pair.value.scalar?.value, !pair.value.isNone else {
      return records.seeds(pair)
    }
    findings.wrongKind(
      pair.value, expected: "a mapping", for: "'store'",
      advice: "list the initial records, as in {User: [{id: 7}]}; 'recordspec run --store' selects the store")
    return []
  }

  /// Reads the servers of single entities: a base URL or `none`.
  private func servers(_ pair: YAMLPair?, _ records: RecordReader) -> [ServerAssignment] {
    (findings.mapping(pair) ?? []).compactMap { pair in
      guard let entity = records.entity(pair.key, at: pair.keySpan) else { return nil }
      if pair.value.isNone { return ServerAssignment(entity: entity, baseURL: nil) }
      return url(pair, or: " or 'none'").map { ServerAssignment(entity: entity, baseURL: $0) }
    }
  }

  /// Reads a URL that addresses are relative to. Adds a slash at its end if there is none.
  private func url(_ pair: YAMLPair, or others: String = "") -> String? {
    guard let text = findings.string(pair) else { return nil }
    let isURL = text.hasPrefix("https://") || text.hasPrefix("http://")
    guard isURL, !text.contains(where: \.isWhitespace), !text.contains("?"), !text.contains("#") else {
      findings.report(
        .addressSyntax, at: pair.value.span, "'\(text)' is not a base URL",
        expected: "a URL like '\(Self.standardBaseURL)'\(others)")
      return nil
    }
    return text.hasSuffix("/") ? text : text + "/"
  }
}
