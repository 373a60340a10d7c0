import RecordModel

/// The reader of `steps:`.
struct StepReader {
  let findings: Findings
  let records: RecordReader
  let options: OptionsReader
  let addresses: AddressReader
  let expectations: ExpectationReader
  /// The options that the scenario sets for all requests.
  let defaults: StepOptions
  /// The model; nil if it is invalid.
  let model: ManagedObjectModel?

  /// The advice for keys that authors may expect.
  static let hints = [
    "data": "write 'query' for parameters of the address, or 'json' or 'form' for the body",
    "body": "write 'json' or 'form' for the body of the request",
    "name": "write a comment; 'as' names a request for a later 'await' step",
    "with": "write its keys in the step, beside the action",
    "entity": "write the entity after the action, as in 'request: ENTITY'",
  ]
  /// The names of keys in other tools.
  static let otherNames = [
    "url": ["urn", "url"], "path": ["urn"], "address": ["urn"], "endpoint": ["urn"], "params": ["query"],
    "parameters": ["query"], "verb": ["method"], "assert": ["expect"], "check": ["expect"],
    "predicate": ["where"], "filter": ["where"], "orderby": ["sort"], "sortby": ["sort"],
    "order": ["sort"], "sorted": ["sort"], "sortdescriptors": ["sort"],
  ]
  /// The advice for steps with an action of another tool, by its name in lower case.
  private static let otherActions: [String: String] = {
    let request = "write 'request: ENTITY', and the address in 'urn'"
    return [
      "get": request, "send": request, "load": request, "urn": request, "url": request,
      "post": request + "; add 'method: POST'", "put": request + "; add 'method: PUT'",
      "patch": request + "; add 'method: PATCH'", "query": "write 'fetch: ENTITY'",
      "find": "write 'fetch: ENTITY'", "fetchrequest": "write 'fetch: ENTITY'",
      "insert": "write 'change: {insert: …}'",
      "update": "write 'change: {update: …}'", "delete": "write 'change: {delete: …}'",
      "wait": "write 'advance: 5s', or 'await: NAME' for a request", "sleep": "write 'advance: 5s'",
      "expect": "write 'expect' inside the step that it checks, indented like its action",
    ]
  }()
  /// The names of the actions, in the order of the documentation.
  static let names = FormatMapping.steps.map(\.action)
  /// The actions without details.
  private static let bareActions: [StepKind: Step.Action] = [
    .save: .save, .rollback: .rollback, .reopen: .reopen, .clearCache: .clearCache,
  ]
  /// The actions that a batch allows.
  static let batchActions = FormatMapping.batchSteps.map(\.action)

  func steps(_ pair: YAMLPair?) -> [Step] {
    guard let pair, let elements = findings.list(pair) else { return [] }
    if elements.isEmpty { findings.report(.emptyValue, at: pair.value.span, "the scenario has no steps") }
    var pending = PendingRequests(findings: findings)
    let steps = elements.compactMap { step($0, &pending) }
    pending.reportRest()
    return steps
  }

  private func step(_ node: YAMLNode, _ pending: inout PendingRequests) -> Step? {
    if let word = node.scalar?.text, !node.isNull { return bareStep(word, node, pending) }
    guard let pairs = node.pairs else {
      findings.wrongKind(node, expected: "a mapping", for: "a step")
      return nil
    }
    guard let mapping = mapping(of: node, pairs),
      let reader = MappingReader(
        node, as: mapping, hints: Self.hints, otherNames: Self.otherNames, findings: findings),
      let pair = reader[mapping.action]
    else { return nil }
    switch StepKind(rawValue: mapping.action) {
    case .request: return request(pair, reader, &pending)
    case .page: return page(pair, reader, &pending)
    case .nextPage: return nextPage(pair, reader, pending)
    case .detail: return detail(pair, reader)
    case .fetchFirst: return fetchFirst(pair, reader, defaults)
    case .batch: return batch(pair, reader)
    case .cancel: return cancel(pair, reader)
    case .await: return awaiting(pair, reader, &pending)
    case .fetch: return fetch(pair, reader)
    case .change: return change(pair, reader)
    case .tweak: return tweak(pair, reader)
    case .serialize: return serialize(pair, reader)
    case .advance: return advance(pair, reader)
    case .call: return call(pair, reader)
    default: return bareStep(pair, reader, pending)
    }
  }

  /// Reads the expectations of a step. Returns nil if the action could not be read.
  func step(
    _ action: Step.Action?, _ reader: MappingReader, result: Step.Result = .nothing, at span: SourceSpan
  ) -> Step? {
    let expectation = expectations.expectation(reader["expect"], of: result)
    return action.map { Step($0, result: result, expectation: expectation, span: span) }
  }

  /// Reads a step that consists of the name of an action, such as `save`.
  private func bareStep(_ word: String, _ node: YAMLNode, _ pending: PendingRequests) -> Step? {
    if word == "nextPage" {
      return nextPage(pending, at: node.span)
    }
    if let kind = StepKind(rawValue: word), let action = Self.bareActions[kind] {
      if kind == .reopen { pending.reportReopening(node.span) }
      return Step(action, span: node.span)
    }
    let near = nearestName(to: word, among: Self.names).flatMap(StepKind.init)
    let advice = near.map { $0.needsNoDetails ? "did you mean '\($0)'?" : "write '\($0): …'" }
    findings.wrongKind(
      node, expected: "a mapping", for: "a step", advice: advice ?? "write 'request: Post', or 'save'")
    return nil
  }

  /// Returns the mapping of the format for the action of a step.
  private func mapping(of node: YAMLNode, _ pairs: [YAMLPair]) -> FormatMapping? {
    let names = Self.names
    let written = pairs.filter { names.contains($0.key) }
    if let second = written.dropFirst().first {
      var advice = "write two steps"
      if second.key == "page", case .number(let digits, _)? = second.value.scalar?.value {
        advice = "write 'query: {page: \(digits)}'"
      }
      findings.report(
        .conflictingKeys, at: second.keySpan,
        "'\(second.key)' cannot be combined with '\(written[0].key)' in one step",
        advice: advice, notes: [.init(written[0].keySpan, "here")])
      return nil
    }
    if let first = written.first { return FormatMapping.steps.first { $0.action == first.key } }
    if let first = pairs.first, let advice = Self.otherActions[first.key.lowercased()] {
      findings.report(.missingKey, at: first.keySpan, "the step has no action", advice: advice)
      return nil
    }
    // A misspelled action is more likely than a missing one.
    for pair in pairs where nearestName(to: pair.key, among: names) != nil {
      findings.unknownKey(pair, of: "a step", among: names)
      return nil
    }
    findings.report(
      .missingKey, at: pairs.first?.keySpan ?? node.span, "the step has no action",
      expected: Findings.oneOf(names.map { "'\($0)'" }))
    return nil
  }

  // MARK: Actions

  private func request(
    _ pair: YAMLPair, _ reader: MappingReader, _ pending: inout PendingRequests
  ) -> Step? {
    var request = asked(pair, reader, defaults)
    let entity = request?.entity
    request?.name = reader["as"].flatMap { pending.begin($0, entity) }
    return step(
      request.map(Step.Action.request), reader,
      result: reader["as"] == nil ? .response(of: entity) : .nothing, at: pair.keySpan)
  }

  /// Reads the request of a step.
  func asked(_ pair: YAMLPair, _ reader: MappingReader, _ defaults: StepOptions) -> RequestStep? {
    let isNoEntity = reportsNoEntity(pair, reader)
    let entity = isNoEntity ? nil : records.entity(pair)
    let urn = addresses.urn(
      isNoEntity
        ? reader["urn"]
        : reader.required("urn", advice: "write the address of the request, as under 'responses'"))
    let method = reader["method"] == nil ? "GET" : addresses.method(reader["method"])
    let query = findings.texts(reader["query"])
    let body = body(reader, method)
    let options = options.options(reader["options"], over: defaults, of: entity)
    guard let entity, let urn, let method else { return nil }
    return RequestStep(
      entity: entity, urn: urn, method: method, query: query, body: body, options: options, name: nil)
  }

  /// Reports a value of `request` or `page` that is meant as the address or as the number of a page. Returns a Boolean
  /// value that indicates whether it is one.
  private func reportsNoEntity(_ pair: YAMLPair, _ reader: MappingReader) -> Bool {
    switch pair.value.scalar?.value {
    case .string(let text) where text.contains(where: { "/? ".contains($0) }):
      let address = text.split(separator: " ").last ?? ""
      let entity = reader.node["entity"]?.scalar?.text ?? "ENTITY"
      findings.report(
        .unknownEntity, at: pair.value.span, "'\(text)' is an address, not an entity",
        advice: "write '\(pair.key): \(entity)' and 'urn: \(address)'")
    case .number where pair.key == "page":
      findings.wrongKind(
        pair.value, expected: "an entity", for: "'page'",
        advice: "write 'page: ENTITY', and the number of pages in 'upTo'")
    default: return false
    }
    return true
  }

  /// Reads the body of a request. Reports a body that HTTP does not allow for the method, which is nil if it is invalid.
  func body(_ reader: MappingReader, _ method: String?) -> StatedBody? {
    let body = findings.requestBody(reader)
    guard let method, !allowsBody(method: method) else { return body }
    for pair in FormatMapping.requestBodies.compactMap({ reader[$0] }) {
      findings.report(
        .conflictingKeys, at: pair.keySpan, "a \(method) request cannot have a body",
        advice: reader["method"] == nil
          ? "add 'method: POST', or write the parameters in 'query'" : "write the parameters in 'query'",
        notes: reader["method"].map { [.init($0.keySpan, "here")] } ?? [])
    }
    return nil
  }

  private func awaiting(
    _ pair: YAMLPair, _ reader: MappingReader, _ pending: inout PendingRequests
  ) -> Step? {
    let request = pending.end(pair)
    return step(
      request.map { .await($0.name) }, reader, result: .response(of: request?.entity), at: pair.keySpan)
  }

  private func fetch(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    let fetch = searched(records.entity(pair), reader)
    return step(fetch.map(Step.Action.fetch), reader, result: .fetch(of: fetch?.entity), at: pair.keySpan)
  }

  /// Reads the fetch of a step.
  func searched(_ entity: EntityName?, _ reader: MappingReader) -> FetchStep? {
    let predicate = records.predicate(reader["where"], over: entity)
    let sort = sort(reader["sort"], entity)
    let offset = findings.integer(reader["offset"], in: 0...Int.max) ?? 0
    let limit = findings.integer(reader["limit"], in: 1...Int.max)
    return entity.map {
      FetchStep(entity: $0, predicate: predicate, sort: sort, offset: offset, limit: limit)
    }
  }

  private func call(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    let action = findings.string(pair).map { Located(value: $0, span: pair.value.span) }
    let arguments = reader["with"].map { findings.json($0.value) }
    if case .some(nil) = arguments { return nil }
    return step(
      action.map { .call(CallStep(action: $0, arguments: arguments ?? nil)) }, reader, result: .outcome,
      at: pair.keySpan)
  }

  private func advance(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    step(findings.change(ofTime: pair).map(Step.Action.advance), reader, at: pair.keySpan)
  }

  private func bareStep(_ pair: YAMLPair, _ reader: MappingReader, _ pending: PendingRequests) -> Step? {
    let kind = StepKind(rawValue: pair.key)
    if !pair.value.isNull, pair.value.scalar?.value != .boolean(true) {
      findings.wrongKind(pair.value, expected: "true", for: "'\(pair.key)'")
    } else if kind == .reopen {
      pending.reportReopening(pair.keySpan)
    }
    return step(kind.flatMap { Self.bareActions[$0] }, reader, at: pair.keySpan)
  }
}
