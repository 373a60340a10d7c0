import JSONTree
import RecordModel

/// The reader of `expect:`, at the top level and in steps.
struct ExpectationReader {
  let findings: Findings
  let records: RecordReader
  let addresses: AddressReader

  /// The names of keys in other tools.
  private static let otherNames = [
    "error": ["failure"], "errors": ["failure", "diagnostics"], "fails": ["failure"],
    "warnings": ["diagnostics"], "result": ["records"], "objects": ["records"], "items": ["records"],
    "changed": ["updated"], "removed": ["deleted"], "created": ["inserted"], "added": ["inserted"],
  ]

  func expectation(_ pair: YAMLPair?, of subject: Step.Result) -> Expectation? {
    if let pair, pair.value.isNull {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'\(pair.key)'",
        advice: "remove it, or indent its keys more than '\(pair.key)'")
      return nil
    }
    guard let pair,
      let reader = MappingReader(
        pair, as: .expectation, hints: hints(pair.value), otherNames: Self.otherNames, findings: findings)
    else { return nil }
    let lists = ListReader(
      findings: findings, records: records,
      graph: GraphExpectationReader(findings: findings, records: records))
    records.areRows ? refuseWhatRowsDoNotShow(reader) : refuseWhatIsNotAnswered(reader, by: subject)
    return Expectation(
      graph: lists.graph.entities(reader["graph"]), records: answered(reader["records"], of: subject, lists),
      stored: answered(reader["stored"], of: subject, lists),
      unchanged: lists.list(reader["unchanged"], of: nil), page: page(reader),
      served: served(reader["served"]),
      customResponse: findings.located(reader["customResponse"]) { findings.json($0.value) },
      metaData: findings.located(reader["metaData"]) { findings.json($0.value) },
      drift: DriftReader(findings: findings, records: records).drift(reader["drift"]),
      failure: failure(reader["failure"]), diagnostics: list(reader["diagnostics"], diagnostics),
      inserted: lists.list(reader["inserted"], of: nil), deleted: lists.list(reader["deleted"], of: nil),
      updated: list(reader["updated"], updates), requests: requests(reader["requests"]), span: pair.keySpan)
  }

  /// Returns the advice for keys that authors may expect.
  private func hints(_ node: YAMLNode) -> [String: String] {
    let keys = FormatMapping.expectation.keyNames
    guard node.pairs?.contains(where: { !keys.contains($0.key) }) ?? false else { return [:] }
    var hints = [
      "status": "remove it; a request must succeed unless 'failure' is expected",
      "snapshot": "remove it; the result is always compared with the golden file",
      "golden": "remove it; the result is always compared with the golden file",
    ]
    hints.merge(entityHints(node)) { _, entity in entity }
    // A status is more likely meant than as many records of an entity with this name.
    for key in ["status", "statusCode", "status_code"] {
      guard let status = node[key]?.status, status >= 300 else { continue }
      hints[key] =
        records.areRows ? "write 'failure: {}'" : "write 'failure: {status: \(status)}'"
    }
    return hints
  }

  /// Returns the advice for the first unknown keys that are entities. Records are expected in `graph`.
  private func entityHints(_ node: YAMLNode) -> [String: String] {
    let unknown = node.pairs?.filter { pair in
      !FormatMapping.expectation.keyNames.contains(pair.key)
        && KeyAdvice.meant(by: pair.key, in: Self.otherNames).isEmpty
    }
    var hints: [String: String] = [:]
    for pair in unknown?.prefix(10) ?? [] {
      guard let entity = records.entity(namedLike: pair.key) else { continue }
      let value =
        if case .number(let digits, isInteger: true)? = pair.value.scalar?.value {
          digits == "0" ? "none" : "{count: \(digits)}"
        } else {
          pair.value.isNone ? "none" : "[{…}]"
        }
      hints[pair.key] =
        node["graph"] == nil
        ? "write 'graph: {\(entity): \(value)}'" : "write '\(entity): \(value)' below 'graph'"
    }
    return hints
  }

  /// Reads a list and locates it at its key, where unexpected entries are reported.
  private func list<Line>(_ pair: YAMLPair?, _ read: (YAMLPair) -> [Line]?) -> Located<[Line]>? {
    pair.flatMap { pair in read(pair).map { Located(value: $0, span: pair.keySpan) } }
  }

  private func answered(
    _ pair: YAMLPair?, of subject: Step.Result, _ lists: ListReader
  ) -> ListExpectation<MemberExpectation>? {
    switch subject {
    case .response(of: nil, _), .fetch(of: nil):
      lists.check(pair)
      return nil
    case .response(of: let entity, _), .fetch(of: let entity): return lists.list(pair, of: entity)
    case .anyResponse: return lists.list(pair, of: nil)
    case .nothing, .outcome:
      if let pair, !records.areRows {
        findings.report(
          .unknownKey, at: pair.keySpan, "this step returns no records",
          advice: "write changed records under 'inserted', 'updated' and 'deleted'")
      }
      return nil
    }
  }

  /// Reports keys that do not apply to the subject. Their checks would have nothing to compare and would always pass.
  private func refuseWhatIsNotAnswered(_ reader: MappingReader, by subject: Step.Result) {
    func refuse(_ keys: [String], _ who: String) {
      for pair in keys.compactMap({ reader[$0] }) {
        findings.report(.unknownKey, at: pair.keySpan, "'\(pair.key)' is only allowed for \(who)")
      }
    }
    switch subject {
    case .response(_, hasStored: true): break
    case .response, .anyResponse, .fetch: refuse(FormatMapping.storedKeys, "fetchFirst steps")
    case .nothing, .outcome: break
    }
    switch subject {
    case .response, .anyResponse: break
    case .fetch, .nothing, .outcome: refuse(FormatMapping.responseKeys, "steps that have a response")
    }
  }

  /// Reports keys that the rows of an app's own store cannot answer. Only the engine reports such results.
  private func refuseWhatRowsDoNotShow(_ reader: MappingReader) {
    for pair in reader.node.pairs ?? []
    where reader[pair.key] != nil && !FormatMapping.rowKeys.contains(pair.key) {
      findings.report(
        .conflictingKeys, at: pair.keySpan, "'\(pair.key)' cannot be checked in a scenario with 'tables'",
        expected: Findings.oneOf(FormatMapping.rowKeys.map { "'\($0)'" }))
    }
  }

  // MARK: Pages and custom responses

  private func page(_ reader: MappingReader) -> PageExpectation? {
    guard ["more", "total", "perPage", "pageIndex"].contains(where: { reader[$0] != nil }) else { return nil }
    func count(_ key: String) -> Located<Int>? { findings.located(reader[key]) { findings.count($0) } }
    return PageExpectation(
      hasMore: findings.located(reader["more"]) { findings.boolean($0) }, total: count("total"),
      perPage: count("perPage"), index: count("pageIndex"))
  }

  /// Reads one source for all answers, or a list with one for each.
  private func served(_ pair: YAMLPair?) -> ServedExpectation? {
    guard let pair else { return nil }
    guard let elements = pair.value.elements else {
      return findings.choice(pair, ServedFrom.self).map {
        ServedExpectation(answers: .all($0), span: pair.value.span)
      }
    }
    let words = elements.compactMap { findings.choice($0, for: "'served'", ServedFrom.self) }
    return ServedExpectation(answers: .exactly(words), span: pair.value.span)
  }

  // MARK: Failures and diagnostics

  /// Reads a code, or `{code: …, status: …, message: …}`. `{}` means any failure.
  private func failure(_ pair: YAMLPair?) -> FailureExpectation? {
    guard let pair else { return nil }
    if let scalar = pair.value.scalar {
      if scalar.value == .boolean(true) {
        findings.wrongKind(
          pair.value, expected: "a code or a mapping", for: "'failure'", advice: "write {} for any failure")
        return nil
      }
      if [.null, .boolean(false), .string("none")].contains(scalar.value) {
        findings.report(
          .unknownValue, at: pair.value.isNull ? pair.keySpan : pair.value.span,
          "'failure' must name a failure", advice: "remove it; without 'failure', the step must succeed")
        return nil
      }
      if records.areRows {
        findings.report(
          .unknownValue, at: pair.value.span, "the failure of an app has no code",
          advice: Self.adviceForApp)
        return nil
      }
      return failureCode(pair).map { FailureExpectation(code: $0, span: pair.value.span) }
    }
    if records.areRows, let other = pair.value.pairs?.first(where: { $0.key != "message" }) {
      findings.report(
        .unknownKey, at: other.keySpan, "the failure of an app has no '\(other.key)'",
        advice: Self.adviceForApp)
      return nil
    }
    guard let reader = MappingReader(pair, as: .failure, findings: findings) else { return nil }
    return FailureExpectation(
      code: reader["code"].flatMap(failureCode),
      status: findings.located(reader["status"]) { findings.integer($0, in: 100...599) },
      message: findings.located(reader["message"]) { findings.string($0) },
      span: pair.keySpan)
  }

  private static let adviceForApp = "write 'failure: {}', or expect a part of its 'message'"

  /// Reads the code of a failure. Reports an HTTP status.
  private func failureCode(_ pair: YAMLPair) -> String? {
    let status = { (digits: String) in
      pair.key == "code" ? "write 'status: \(digits)'" : "write 'failure: {status: \(digits)}'"
    }
    if let code = pair.value.status {
      findings.report(
        .unknownValue, at: pair.value.span, "\(code) is an HTTP status, not the code of a failure",
        advice: status(String(code)))
      return nil
    }
    let text = pair.value.scalar?.text ?? ""
    if text.lowercased().hasPrefix("http"), text.suffix(3).allSatisfy(\.isNumber) {
      findings.report(
        .unknownDiagnostic, at: pair.value.span, "unknown code '\(text)'",
        advice: status(String(text.suffix(3))))
      return nil
    }
    return noted(pair, as: .failure)
  }

  /// Reads a list of codes and mappings, or `none`.
  private func diagnostics(_ pair: YAMLPair) -> [DiagnosticExpectation]? {
    if pair.value.isNone { return [] }
    return findings.list(pair, orNone: true)?.compactMap(diagnostic)
  }

  private func diagnostic(_ node: YAMLNode) -> DiagnosticExpectation? {
    if node.scalar != nil {
      return findings.text(node, for: "the code of a diagnostic").map {
        findings.note(.diagnostic, $0, at: node.span)
        return DiagnosticExpectation(code: $0, span: node.span)
      }
    }
    guard let reader = MappingReader(node, as: .diagnostic, findings: findings) else { return nil }
    let code = reader.required("code").flatMap { noted($0, as: .diagnostic) }
    let entity = records.entity(reader["entity"])
    let property = findings.string(reader["property"])
    if let entity, let property, let span = reader["property"]?.value.span {
      _ = records.property(property, at: span, of: entity)
    }
    let pointer = pointer(reader["pointer"])
    let otherPointer = self.pointer(reader["otherPointer"])
    let response = findings.string(reader["response"])
    return code.map {
      DiagnosticExpectation(
        code: $0, entity: entity, property: property.map { PropertyName($0) }, pointer: pointer,
        otherPointer: otherPointer, response: response, span: node.span)
    }
  }

  private func noted(_ pair: YAMLPair, as kind: ForeignName.Kind) -> String? {
    let code = findings.text(pair.value, for: "'\(pair.key)'")
    if let code { findings.note(kind, code, at: pair.value.span) }
    return code
  }

  /// Reads a JSON pointer. An empty pointer means the whole response.
  private func pointer(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = findings.string(pair.value, for: "'\(pair.key)'") else { return nil }
    guard JSONPointer(text) != nil else {
      findings.report(
        .pointerSyntax, at: pair.value.span, "'\(text)' is not a JSON pointer", advice: "write '/data/0/id'")
      return nil
    }
    return text
  }

  // MARK: Requests

  /// Reads an expected list of addresses and mappings, or `none`.
  private func requests(_ pair: YAMLPair?) -> ListExpectation<RequestExpectation>? {
    if let pair, pair.value.isNone { return ListExpectation(exactly: [], span: pair.keySpan) }
    return findings.expectedList(pair, as: .requestList, orNone: true, request)
  }

  private func request(_ node: YAMLNode) -> RequestExpectation? {
    if node.scalar != nil {
      return addresses.address(node, for: "the address of a request").map {
        RequestExpectation(address: $0, headers: [:], span: node.span)
      }
    }
    guard let reader = MappingReader(node, as: .expectedRequest, findings: findings) else { return nil }
    let body = findings.requestBody(reader)
    let headers = reader["headers"].map { findings.optionalHeaders($0) } ?? [:]
    guard let pair = reader.required("address"), let address = addresses.address(pair.value, for: "'address'")
    else { return nil }
    return RequestExpectation(address: address, headers: headers, body: body, span: node.span)
  }
}

extension YAMLNode {
  /// A Boolean value that indicates whether the value is `none`, the word for an empty result.
  package var isNone: Bool { scalar?.value == .string("none") }

  /// A Boolean value that indicates whether the value is the number 0.
  var isZero: Bool { scalar?.value == .number(digits: "0", isInteger: true) }

  /// The HTTP status that the value is; nil for any other value.
  package var status: Int? {
    guard case .number(let digits, isInteger: true)? = scalar?.value, let status = Int(digits),
      (100...599).contains(status)
    else { return nil }
    return status
  }
}
