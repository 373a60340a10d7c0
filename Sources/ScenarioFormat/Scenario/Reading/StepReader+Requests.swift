import RecordModel

/// Steps that send requests in other ways than `request`.
extension StepReader {
  func page(_ pair: YAMLPair, _ reader: MappingReader, _ pending: inout PendingRequests) -> Step? {
    let request = asked(pair, reader, defaults)
    let run = reader["run"].flatMap { findings.nonEmptyString($0.value, for: "'run'") } ?? ""
    let count = pageCount(reader["upTo"])
    pending.beginRun(run, request)
    return step(
      request.map { .page(PageStep(request: $0, run: run, count: count)) }, reader,
      result: .response(of: request?.entity), at: pair.keySpan)
  }

  /// Reads `nextPage: feed`, or `nextPage: true` for the run without a name.
  func nextPage(_ pair: YAMLPair, _ reader: MappingReader, _ pending: PendingRequests) -> Step? {
    var run = ""
    if !pair.value.isNull, pair.value.scalar?.value != .boolean(true) {
      if case .number(let digits, _) = pair.value.scalar?.value {
        findings.wrongKind(
          pair.value, expected: "true or the name of a run", for: "'nextPage'",
          advice: "for several pages, write 'nextPage: true' and 'upTo: \(digits)'")
        return nil
      }
      guard let name = findings.nonEmptyString(pair.value, for: "'nextPage'") else { return nil }
      run = name
    }
    let span = pair.value.isNull ? pair.keySpan : pair.value.span
    let count = pageCount(reader["upTo"])
    let request = pending.hasRun(run, at: span) ? pending.request(ofRun: run) : nil
    return step(
      request.map { .nextPage(NextPageStep(run: run, count: count, options: $0.options)) }, reader,
      result: .response(of: request?.entity), at: span)
  }

  /// Reads `nextPage`, which continues the run without a name.
  func nextPage(_ pending: PendingRequests, at span: SourceSpan) -> Step? {
    guard pending.hasRun("", at: span), let request = pending.request(ofRun: "") else { return nil }
    return Step(
      .nextPage(NextPageStep(run: "", count: .upTo(1), options: request.options)),
      result: .response(of: request.entity), span: span)
  }

  /// Reads a number of pages, or `all`. The default is one page.
  private func pageCount(_ pair: YAMLPair?) -> PageCount {
    guard let pair else { return .upTo(1) }
    if case .string(let text) = pair.value.scalar?.value {
      if text == "all" { return .all }
      findings.report(
        .unknownValue, at: pair.value.span, "unknown value '\(text)' for 'upTo'", expected: "a number or all",
        advice: nearestName(to: text, among: ["all"]).map { "did you mean '\($0)'?" })
      return .upTo(1)
    }
    return .upTo(findings.integer(pair, in: 1...Int.max) ?? 1)
  }

  func detail(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    let label = records.labels.label(pair.value)
    let method = reader["method"] == nil ? "GET" : addresses.method(reader["method"])
    let urn = reader["urn"].flatMap { addresses.urn($0) }
    let query = findings.texts(reader["query"])
    let body = body(reader, method)
    let options = options.options(reader["options"], over: defaults, of: label?.value.entity)
    var action: Step.Action?
    if let label, let method {
      action = .detail(
        DetailStep(record: label, method: method, urn: urn, query: query, body: body, options: options))
    }
    return step(
      action, reader,
      result: .response(of: label?.value.entity), at: pair.keySpan)
  }

  func fetchFirst(_ pair: YAMLPair, _ reader: MappingReader, _ defaults: StepOptions) -> Step? {
    let request = asked(pair, reader, defaults)
    let fetch = searched(request?.entity, reader)
    var action: Step.Action?
    if let request, let fetch { action = .fetchFirst(FetchFirstStep(fetch: fetch, request: request)) }
    return step(
      action, reader, result: .response(of: request?.entity, hasStored: true), at: pair.keySpan)
  }

  func batch(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    let options = options.options(reader["options"], over: defaults)
    guard let elements = findings.list(pair) else { return step(nil, reader, at: pair.keySpan) }
    if elements.isEmpty { findings.report(.emptyValue, at: pair.value.span, "the batch has no requests") }
    // Entries inherit the options of the batch.
    var inherited = options
    inherited.areStated = false
    let entries = elements.compactMap { entry($0, inherited) }
    return step(.batch(BatchStep(entries: entries, options: options)), reader, at: pair.keySpan)
  }

  private func entry(_ node: YAMLNode, _ defaults: StepOptions) -> Step? {
    guard let pairs = node.pairs else {
      findings.wrongKind(node, expected: "a mapping", for: "a request of a batch")
      return nil
    }
    guard let pair = pairs.first(where: { Self.batchActions.contains($0.key) }),
      let mapping = FormatMapping.batchSteps.first(where: { $0.action == pair.key })
    else {
      for pair in pairs where nearestName(to: pair.key, among: Self.batchActions) != nil {
        findings.unknownKey(pair, of: "a request of a batch", among: Self.batchActions)
        return nil
      }
      findings.report(
        .missingKey, at: pairs.first?.keySpan ?? node.span, "this step cannot be part of a batch",
        expected: Findings.oneOf(Self.batchActions.map { "'\($0)'" }))
      return nil
    }
    guard
      let reader = MappingReader(
        node, as: mapping, hints: Self.hints, otherNames: Self.otherNames,
        findings: findings)
    else { return nil }
    if pair.key == "fetchFirst" { return fetchFirst(pair, reader, defaults) }
    let request = asked(pair, reader, defaults)
    let count = pageCount(reader["upTo"])
    let action = request.map { request in
      pair.key == "page"
        ? Step.Action.page(PageStep(request: request, run: "", count: count)) : .request(request)
    }
    return step(action, reader, result: .response(of: request?.entity), at: pair.keySpan)
  }

  func cancel(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    let domain = findings.nonEmptyString(pair.value, for: "'cancel'")
    let isOptional = findings.boolean(reader["optional"]) ?? false
    return step(
      domain.map {
        .cancel(CancelStep(domain: Located(value: $0, span: pair.value.span), isOptional: isOptional))
      }, reader, at: pair.keySpan)
  }
}
