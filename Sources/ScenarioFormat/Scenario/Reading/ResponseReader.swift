import JSONTree
import RecordModel

/// The reader of `responses:`, the addresses and their canned responses.
struct ResponseReader {
  let findings: Findings
  /// The scenario that `bodyFile:` is relative to.
  let scenario: ScenarioFile
  let addresses: AddressReader

  /// The names of keys in other tools.
  private static let otherNames = [
    "file": ["bodyFile"], "path": ["bodyFile"], "json": ["body"], "data": ["body"], "text": ["bodyText"],
    "code": ["status"], "statuscode": ["status"], "latency": ["delay"], "times": ["repeat"],
  ]

  func addresses(_ pair: YAMLPair?) -> [CannedAddress] {
    var addresses: [CannedAddress] = []
    var positions: [RequestAddress: Int] = [:]
    for pair in findings.mapping(pair) ?? [] {
      let responses = responses(pair)
      guard let address = self.addresses.address(pair) else { continue }
      let canned = CannedAddress(address: address, responses: responses, text: pair.key, span: pair.keySpan)
      if let first = positions[address].map({ addresses[$0] }) {
        findings.report(
          .duplicateAddress, at: canned.span, "'\(canned.text)' and '\(first.text)' are the same address",
          advice: "write a list of responses under one of them", notes: [.init(first.span, "first here")])
        continue
      }
      positions[address] = addresses.count
      addresses.append(canned)
    }
    return addresses
  }

  /// Reads one response, or a list of responses that are served in order.
  private func responses(_ pair: YAMLPair) -> [CannedResponse] {
    guard let elements = pair.value.elements else {
      return response(pair.value, named: pair).map { [$0] } ?? []
    }
    if elements.isEmpty {
      findings.report(.emptyValue, at: pair.value.span, "'\(pair.key)' has no responses")
    }
    if let key = elements.lazy.compactMap(Self.keyOfBody).first {
      if reportsReference(key) { return [] }
      findings.report(
        .unknownKey, at: key.keySpan, "unknown key '\(key.key)' in a response",
        advice: Self.adviceForResponse(under: key, of: pair)
          ?? "write the JSON under 'body': {body: [{\(key.key): …}]}; a list here is a list of responses")
      return []
    }
    let responses = elements.compactMap { response($0, named: nil) }
    if let last = responses.dropLast().firstIndex(where: { $0.isRepeated && $0.isUnconditional }) {
      findings.report(
        .conflictingKeys, at: responses[last + 1].span, "this response is never served",
        advice: "the response before it repeats forever; write 'repeat' only in the last response")
    }
    return responses
  }

  /// Returns the first key of a mapping that is the JSON of a body, and not a response; nil if it is a response.
  private static func keyOfBody(_ node: YAMLNode) -> YAMLPair? {
    let keys = FormatMapping.response.keyNames
    guard let pairs = node.pairs?.prefix(10), let first = pairs.first,
      !pairs.contains(where: { keys.contains($0.key) })
    else { return nil }
    // Single keys of a body may be similar to those of a response.
    let similar = pairs.count { pair in
      nearestName(to: pair.key, among: keys) != nil
        || (pair.value.scalar != nil && !KeyAdvice.meant(by: pair.key, in: otherNames).isEmpty)
    }
    return 2 * similar < pairs.count ? first : nil
  }

  /// Reports a reference of JSON Schema. Returns a Boolean value that indicates whether the key is one.
  private func reportsReference(_ key: YAMLPair) -> Bool {
    guard key.key == "$ref" else { return false }
    findings.report(
      .unknownKey, at: key.keySpan, "a response has no references",
      advice: "name a file with 'bodyFile', or write '&name' before one response and '*name' for the other")
    return true
  }

  /// Returns the advice for `{method: POST}`, and for a method or status that contains a response, as in
  /// `{post: {body: …}}`; nil for another key.
  private static func adviceForResponse(under key: YAMLPair, of pair: YAMLPair?) -> String? {
    if key.key == "method", let method = key.value.scalar?.text.uppercased(),
      AddressReader.methods.contains(method)
    {
      return methodAdvice(method, pair)
    }
    guard let pairs = key.value.pairs,
      pairs.isEmpty || pairs.contains(where: { FormatMapping.response.keyNames.contains($0.key) })
    else { return nil }
    if let status = Int(key.key), statuses.contains(status) {
      return "write the status beside the body: {status: \(status), body: …}"
    }
    return AddressReader.methods.contains(key.key.uppercased()) ? methodAdvice(key.key, pair) : nil
  }

  /// Returns the advice for a method inside a response.
  ///
  /// - Parameter pair: the address of the response; nil if it is not known.
  private static func methodAdvice(_ method: String?, _ pair: YAMLPair?) -> String {
    let method = method?.uppercased() ?? "POST"
    guard let path = pair?.key.split(separator: " ").last else {
      return "the method is part of the address, as in '\(method) posts'"
    }
    return "the method is part of the address: write '\(method) \(path)'"
  }

  /// Returns the advice for keys that authors may expect.
  private static func hints(_ node: YAMLNode, _ pair: YAMLPair?) -> [String: String] {
    let unknown = node.pairs?.filter { !FormatMapping.response.keyNames.contains($0.key) } ?? []
    if unknown.isEmpty { return [:] }
    var hints = ["method": methodAdvice(node["method"]?.scalar?.text, pair)]
    for pair in unknown where pair.key.lowercased().replacing("-", with: "") == "contenttype" {
      hints[pair.key] = "write 'headers: {Content-Type: \(pair.value.scalar?.text ?? "…")}'"
    }
    return hints
  }

  private func response(_ node: YAMLNode, named pair: YAMLPair?) -> CannedResponse? {
    if let key = Self.keyOfBody(node) {
      if reportsReference(key) { return nil }
      let isBody = KeyAdvice.meant(by: key.key, in: Self.otherNames).contains("body")
      findings.report(
        .unknownKey, at: key.keySpan, "unknown key '\(key.key)' in a response",
        advice: Self.adviceForResponse(under: key, of: pair)
          ?? "write the JSON under 'body': {body: {\(key.key): …}}"
          + (isBody ? ", or {body: …} if the JSON does not have this key" : ""))
      return nil
    }
    if let status = node.status {
      findings.wrongKind(
        node, expected: "a mapping", for: pair.map { "'\($0.key)'" } ?? FormatMapping.response.subject,
        advice: "write {status: \(status)}")
      return nil
    }
    guard
      let reader = MappingReader(
        node, named: pair, as: .response, hints: Self.hints(node, pair), otherNames: Self.otherNames,
        findings: findings)
    else { return nil }
    let failure = failure(reader)
    let recording = recording(reader)
    let status = status(reader["status"], recording)
    let condition = condition(reader["when"], of: pair)
    let body = body(reader, recording)
    if body == nil, reader["status"] == nil, reader["error"] == nil,
      FormatMapping.responseBodies.allSatisfy({ reader[$0] == nil })
    {
      reader.reportMissing(
        FormatMapping.responseBodies, orOf: ["status", "error"],
        advice: "write bodyText: \"\" for an empty body")
    }
    return CannedResponse(
      body: body?.body, bodySource: body?.source, status: status ?? 200,
      headers: headers(reader["headers"], recording), delay: findings.duration(reader["delay"]) ?? .zero,
      failure: failure, requiredHeaders: condition.headers, requiredBody: condition.body,
      isRepeated: findings.boolean(reader["repeat"]) ?? false,
      isOptional: findings.boolean(reader["optional"]) ?? false, span: pair?.keySpan ?? node.span)
  }

  /// Returns the file that `bodyFile:` names; nil if the key is not written.
  private func recording(_ reader: MappingReader) -> Recording? {
    reader["bodyFile"].map { Recording($0, namedIn: scenario, findings: findings) }
  }

  private func body(
    _ reader: MappingReader, _ recording: Recording?
  ) -> (body: CannedResponse.Body, source: BodySource)? {
    let body = reader.atMostOne(of: FormatMapping.responseBodies)
    if let at = reader["at"], body?.key != "bodyFile" { reportNoRecording(for: at) }
    guard let body else { return nil }
    if body.key == "bodyFile" { return recording?.body(at: reader["at"]) }
    return body.key == "body" && reportsMisplacedText(body) ? nil : findings.body(body)
  }

  /// Reports a string as `body:` that is meant as JSON or as the name of a file. Returns a Boolean value that indicates
  /// whether the value is such a string.
  private func reportsMisplacedText(_ pair: YAMLPair) -> Bool {
    guard case .string(let text)? = pair.value.scalar?.value else { return false }
    let content = text.trimmingPrefix(while: \.isWhitespace)
    let advice: String
    if content.hasPrefix("{") || content.hasPrefix("[") {
      advice = "write the JSON without '|' or quotes, or write 'bodyText' for these bytes"
    } else if text.hasSuffix(".json"), !text.contains(where: \.isWhitespace) {
      advice = "write 'bodyFile: \(text.trimmingPrefix("@"))' for the contents of the file"
    } else {
      return false
    }
    findings.wrongKind(pair.value, expected: "JSON", for: "'body'", advice: advice)
    return true
  }

  private func reportNoRecording(for at: YAMLPair) {
    findings.report(
      .conflictingKeys, at: at.keySpan, "'at' requires 'bodyFile'", advice: "'at' selects a part of the file")
  }

  /// Reads a status, or `{at: /0/status}`.
  private func status(_ pair: YAMLPair?, _ recording: Recording?) -> Int? {
    guard let pair else { return nil }
    if case .string(let text)? = pair.value.scalar?.value, !text.contains(where: \.isNumber) {
      findings.wrongKind(
        pair.value, expected: "an integer", for: "'status'",
        advice: "write the number of the status, such as 404")
      return nil
    }
    guard pair.value.pairs != nil else { return findings.integer(pair, in: Self.statuses) }
    return recorded(pair, as: .recordedStatus, recording) { recording, at in
      recording.integer(at: at, in: Self.statuses)
    }
  }

  private static let statuses = 100...599

  /// Reads a part of the recording: `{at: /0/status}`.
  private func recorded<Value>(
    _ pair: YAMLPair, as mapping: FormatMapping, _ recording: Recording?,
    _ value: (Recording, YAMLPair) -> Value?
  ) -> Value? {
    guard let at = MappingReader(pair, as: mapping, findings: findings)?.onlyPair() else { return nil }
    guard let recording else {
      reportNoRecording(for: at)
      return nil
    }
    return value(recording, at)
  }

  /// Reads `{X-Total: 3, Link: {at: /0/headers/link}}`.
  private func headers(_ pair: YAMLPair?, _ recording: Recording?) -> [String: String] {
    for pair in pair?.value.pairs ?? [] where pair.key == "at" {
      findings.report(
        .unknownValue, at: pair.keySpan, "'at' is not the name of a header here",
        advice:
          "write 'Link: {at: /0/headers/link}' to read a header from the recording, or 'At' for a header of "
          + "that name")
    }
    return findings.headers(pair) { header in
      guard let pairs = header.value.pairs else { return findings.text(header.value, for: "'\(header.key)'") }
      if areOneHeader(header.key, "cache-control"), !pairs.isEmpty, !pairs.contains(where: { $0.key == "at" })
      {
        let directives = pairs.map { pair in
          guard let scalar = pair.value.scalar, scalar.value != .null, scalar.value != .boolean(true) else {
            return pair.key
          }
          return "\(pair.key)=\(scalar.text)"
        }
        findings.wrongKind(
          header.value, expected: "a string", for: "'\(header.key)'",
          advice: "write \"\(directives.joined(separator: ", "))\"")
        return nil
      }
      return recorded(header, as: .recordedHeader, recording) { $0.text(at: $1) }
    }
  }

  /// Reads `error: timeout`, a failure that replaces the response.
  private func failure(_ reader: MappingReader) -> ServerFailure? {
    for key in FormatMapping.responseBodies + ["status", "headers"] {
      guard reader["error"] != nil, reader[key] != nil else { continue }
      _ = reader.atMostOne(of: ["error", key])
      break
    }
    if let error = reader["error"], let status = error.value.status {
      findings.report(
        .unknownValue, at: error.value.span, "unknown value '\(status)' for 'error'",
        advice: "write 'status: \(status)'")
      return nil
    }
    return findings.choice(reader["error"], ServerFailure.self)
  }

  /// Reads `when: {headers: {X-Token: "1"}, json: {name: bug}}`.
  ///
  /// - Parameter address: the address of the response; nil if it is not known.
  private func condition(
    _ pair: YAMLPair?, of address: YAMLPair?
  ) -> (headers: [String: String], body: StatedBody?) {
    let keys = FormatMapping.requestCondition.keyNames
    guard let pair else { return ([:], nil) }
    let hints = [
      "method": Self.methodAdvice(pair.value["method"]?.scalar?.text, address),
      "query": Self.queryAdvice(for: pair.value["query"], address),
    ]
    guard
      let reader = MappingReader(
        pair, as: .requestCondition, hints: hints,
        otherNames: ["body": ["json"], "header": ["headers"]], findings: findings)
    else { return ([:], nil) }
    let isHinted = pair.value.pairs?.contains { hints[$0.key] != nil } ?? false
    if !isHinted, keys.allSatisfy({ reader[$0] == nil }) { reader.reportMissing(keys) }
    return (findings.headers(reader["headers"]), findings.requestBody(reader))
  }

  /// Returns the advice for parameters in a condition.
  private static func queryAdvice(for node: YAMLNode?, _ address: YAMLPair?) -> String {
    let pairs = (node?.pairs ?? []).prefix(5)
    let query = Dictionary(
      pairs.map { ($0.key, $0.value.scalar?.text ?? "") }, uniquingKeysWith: { first, _ in first })
    guard let key = address?.key, key.count <= 100, !query.isEmpty,
      query.allSatisfy({ $0.key.count + $0.value.count <= 50 }),
      let meant = try? RequestAddress(method: "GET", urn: key, query: query, baseURL: "")
    else { return "parameters are part of the address, as in 'posts?page=1'" }
    return "parameters are part of the address: write '\(meant.text)'"
  }
}
