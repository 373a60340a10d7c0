import RecordModel

/// Steps that send requests in other ways than `request`.
extension StepReader {
  func page(_ pair: YAMLPair, _ reader: MappingReader, _ pending: inout PendingRequests) -> Step? {
    let request = asked(pair, reader, defaults)
    let run = reader["run"].flatMap { findings.nonEmptyString($0.value, for: "'run'") } ?? ""
    let count = pageCount(reader["upTo"])
    let expectation = expectations.expectation(reader["expect"], of: .response(of: request?.entity))
    pending.beginRun(run, request)
    guard let request else { return nil }
    let page = PageStep(request: request, run: run, count: count)
    return Step(action: .page(page), expectation: expectation, span: pair.keySpan)
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
    return nextPage(of: run, pageCount(reader["upTo"]), reader["expect"], pending, at: span)
  }

  func nextPage(
    of run: String, _ count: PageCount, _ expect: YAMLPair?, _ pending: PendingRequests, at span: SourceSpan
  ) -> Step? {
    let request = pending.hasRun(run, at: span) ? pending.request(ofRun: run) : nil
    let expectation = expectations.expectation(expect, of: .response(of: request?.entity))
    guard let request else { return nil }
    let page = NextPageStep(run: run, count: count, options: request.options)
    return Step(action: .nextPage(page), expectation: expectation, span: span)
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
    let query = findings.texts(reader["query"])
    let options = options.options(reader["options"], over: defaults, of: label?.value.entity)
    let expectation = expectations.expectation(reader["expect"], of: .response(of: label?.value.entity))
    return label.map {
      Step(
        action: .detail(DetailStep(record: $0, query: query, options: options)), expectation: expectation,
        span: pair.keySpan)
    }
  }

  func fetchFirst(_ pair: YAMLPair, _ reader: MappingReader, _ defaults: StepOptions) -> Step? {
    let request = asked(pair, reader, defaults)
    let fetch = searched(request?.entity, reader)
    let expectation = expectations.expectation(
      reader["expect"], of: .response(of: request?.entity, hasStored: true))
    guard let request, let fetch else { return nil }
    return Step(
      action: .fetchFirst(FetchFirstStep(fetch: fetch, request: request)), expectation: expectation,
      span: pair.keySpan)
  }

  func batch(_ pair: YAMLPair, _ reader: MappingReader, _ pending: inout PendingRequests) -> Step? {
    let options = options.options(reader["options"], over: defaults)
    let expectation = expectations.expectation(reader["expect"], of: .nothing)
    guard let elements = findings.list(pair) else { return nil }
    if elements.isEmpty { findings.report(.emptyValue, at: pair.value.span, "the batch has no requests") }
    // Entries inherit the options of the batch.
    var inherited = options
    inherited.areStated = false
    let entries = elements.compactMap { entry($0, inherited) }
    return Step(
      action: .batch(BatchStep(entries: entries, options: options)), expectation: expectation,
      span: pair.keySpan)
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
    let expectation = expectations.expectation(reader["expect"], of: .response(of: request?.entity))
    let count = pageCount(reader["upTo"])
    guard let request else { return nil }
    let action: Step.Action =
      pair.key == "page"
      ? .page(PageStep(request: request, run: "", count: count)) : .request(request)
    return Step(action: action, expectation: expectation, span: pair.keySpan)
  }

  func cancel(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    let domain = findings.nonEmptyString(pair.value, for: "'cancel'")
    let expectation = expectations.expectation(reader["expect"], of: .nothing)
    let isOptional = findings.boolean(reader["optional"]) ?? false
    return domain.map {
      let cancel = CancelStep(
        domain: Located(value: $0, span: pair.value.span), isOptional: isOptional)
      return Step(action: .cancel(cancel), expectation: expectation, span: pair.keySpan)
    }
  }
}
