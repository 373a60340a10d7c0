import JSONTree
import RecordModel

/// Reads `responses:`, addresses and what is served there.
struct ResponseReader {
  let findings: Findings
  /// The scenario's path, which `bodyFile:` is relative to.
  let path: String
  let addresses: AddressReader

  private static let keys = [
    "body", "bodyFile", "at", "bodyText", "status", "headers", "delay", "error", "when", "repeat", "optional",
  ]
  private static let bodyKeys = ["body", "bodyFile", "bodyText"]

  func addresses(_ pair: YAMLPair?) -> [CannedAddress] {
    var addresses: [CannedAddress] = []
    for pair in findings.mapping(pair) ?? [] {
      let responses = responses(pair)
      guard let address = self.addresses.address(pair) else { continue }
      let canned = CannedAddress(
        address: address, responses: responses, text: pair.key, span: pair.keySpan)
      if let first = addresses.first(where: { $0.address == address }) {
        findings.report(
          .duplicateAddress, at: canned.span, "'\(canned.text)' and '\(first.text)' are the same address",
          advice: "write a list of responses below one of them", notes: [.init(first.span, "first here")])
        continue
      }
      addresses.append(canned)
    }
    return addresses
  }

  /// One response, or a list served in turn.
  private func responses(_ pair: YAMLPair) -> [CannedResponse] {
    guard let elements = pair.value.elements else {
      return response(pair.value, named: pair).map { [$0] } ?? []
    }
    if elements.isEmpty {
      findings.report(.emptyValue, at: pair.value.span, "there are no responses at '\(pair.key)'")
    }
    let responses = elements.compactMap { response($0, named: nil) }
    if let last = responses.dropLast().firstIndex(where: { $0.isRepeated && $0.requiredHeaders.isEmpty }) {
      findings.report(
        .conflictingKeys, at: responses[last + 1].span, "this response is never served",
        advice: "the one before is repeated forever; let 'repeat' stand in the last one only")
    }
    return responses
  }

  private func response(_ node: YAMLNode, named pair: YAMLPair?) -> CannedResponse? {
    guard
      let reader = MappingReader(
        node, named: pair, of: "a response", keys: Self.keys, findings: findings)
    else { return nil }
    let failure = failure(reader)
    let status = findings.integer(reader["status"], in: 100...599)
    let body = body(reader)
    if body == nil, reader["status"] == nil, reader["error"] == nil,
      Self.bodyKeys.allSatisfy({ reader[$0] == nil })
    {
      reader.reportMissing(
        Self.bodyKeys, orOf: ["status", "error"], advice: "for an empty body write bodyText: \"\"")
    }
    return CannedResponse(
      body: body, status: status ?? 200, headers: findings.headers(reader["headers"]),
      delay: findings.duration(reader["delay"]) ?? .zero, failure: failure,
      requiredHeaders: requiredHeaders(reader["when"]),
      isRepeated: findings.boolean(reader["repeat"]) ?? false,
      isOptional: findings.boolean(reader["optional"]) ?? false, span: pair?.keySpan ?? node.span)
  }

  private func body(_ reader: MappingReader) -> CannedResponse.Body? {
    let body = reader.atMostOne(of: Self.bodyKeys)
    if let at = reader["at"], body?.key != "bodyFile" {
      findings.report(
        .conflictingKeys, at: at.keySpan, "'at' needs 'bodyFile'",
        advice: "it names the part of a recording that is served")
    }
    switch body?.key {
    case "body":
      var diagnostics: [AuthorDiagnostic] = []
      let value = body?.value.jsonValue(&diagnostics)
      findings.add(diagnostics)
      return value.map { .value($0) }
    case "bodyText":
      return body.flatMap { findings.string($0.value, for: "'bodyText'") }.map { .bytes(Array($0.utf8)) }
    case "bodyFile": return recording(body, at: reader["at"]).map { .bytes($0) }
    default: return nil
    }
  }

  /// `error: timeout`, which comes in place of an answer.
  private func failure(_ reader: MappingReader) -> ServerFailure? {
    for key in Self.bodyKeys + ["status", "headers"] {
      guard reader["error"] != nil, reader[key] != nil else { continue }
      _ = reader.atMostOne(of: ["error", key])
      break
    }
    return findings.choice(reader["error"], ServerFailure.self)
  }

  /// `when: {headers: {X-Token: "1"}}`
  private func requiredHeaders(_ pair: YAMLPair?) -> [String: String] {
    guard let pair,
      let reader = MappingReader(
        pair.value, named: pair, of: "a condition", keys: ["headers"], findings: findings)
    else { return [:] }
    return findings.headers(reader.required("headers"))
  }
}

// MARK: Recordings

extension ResponseReader {
  /// The bytes of a file, or of the value in it that `at:` names, as they stand.
  private func recording(_ file: YAMLPair?, at pair: YAMLPair?) -> [UInt8]? {
    guard let file, let name = findings.string(file) else { return nil }
    let path = FileAccess.path(of: name, namedIn: path)
    guard let bytes = findings.bytes(ofFile: path, namedBy: file.value) else { return nil }
    guard let pair else { return bytes }
    guard let text = findings.string(pair.value, for: "'at'") else { return nil }
    guard let pointer = JSONPointer(text) else {
      findings.report(
        .pointerSyntax, at: pair.value.span, "'\(text)' is no JSON pointer", advice: "write '/0/response'")
      return nil
    }
    do {
      let document = try JSONDocument(parsing: bytes)
      guard let node = document.root.value(at: pointer) else {
        reportMissing(pointer, in: document, path, at: pair.value)
        return nil
      }
      return Array(bytes[node.byteRange])
    } catch {
      let source = SourceFile(path: path, bytes: bytes)
      findings.report(
        .noJSON, at: file.value.span, "'\(name)' is no JSON: \(error.message)",
        notes: [.init(source.span(error.location.offset..<error.location.offset), "here")])
      return nil
    }
  }

  /// Names the first part of the pointer that leads nowhere.
  private func reportMissing(
    _ pointer: JSONPointer, in document: JSONDocument, _ path: String, at node: YAMLNode
  ) {
    var parent = document.root
    var parentPath = JSONPointer()
    var missing = ""
    for token in pointer.tokens {
      let next = JSONPointer(tokens: parentPath.tokens + [token])
      guard let value = document.root.value(at: next) else {
        missing = token
        break
      }
      parent = value
      parentPath = next
    }
    let place = parentPath.tokens.isEmpty ? "its root" : "'\(parentPath.description)'"
    let message: String
    var advice: String?
    switch parent.kind {
    case .array:
      message = "\(place) has \(parent.count) element\(parent.count == 1 ? "" : "s"), no '\(missing)'"
    case .object:
      message = "\(place) has no '\(missing)'"
      advice = nearestName(to: missing, among: parent.members.map(\.key)).map { "did you mean '\($0)'?" }
    default: message = "\(place) is \(parent.kind == .null ? "null" : "a \(parent.kind.rawValue)")"
    }
    findings.report(
      .missingValue, at: node.span, "'\(path)' has nothing there: \(message)", advice: advice)
  }
}
