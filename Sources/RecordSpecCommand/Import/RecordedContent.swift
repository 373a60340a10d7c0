import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The reader of the status and the body of a response as recording libraries write them in JSON.
struct RecordedContent {
  let problems: RecordingProblems

  enum Result {
    case body(RecordedExchange.Body)
    /// An empty body, which the recording states.
    case empty
    /// A body that the recording does not contain.
    case missing
    case undecodable
  }

  // MARK: Status

  /// Returns the value with the status of a response: the first one that is a number, otherwise the first one.
  static func status(in node: JSONNode) -> JSONNode? {
    let found = ["status", "statusCode", "status_code", "code"].compactMap { node[$0] }.filter { !$0.isNull }
    return found.first { RecordingFields.number($0) != nil } ?? found.first
  }

  /// Returns a Boolean value that indicates whether an object is a response with its status and its body, and not a body. A
  /// body can have keys such as `status`, too, but neither a status with a code, nor headers, nor only keys of a response.
  static func isResponse(_ node: JSONNode) -> Bool {
    guard node.kind == .object else { return false }
    let status = status(in: node)
    let number = status.flatMap(RecordingFields.number)
    let hasNumber = number.map { $0 == 0 || (100...999).contains($0) } ?? false
    let hasHeaders = node["headers"].map { $0.kind == .object || $0.kind == .array } ?? false
    if hasNumber, hasHeaders || status?.kind == .object { return true }
    guard node.members.allSatisfy({ keysOfResponses.contains($0.key) }) else { return false }
    return status == nil ? bodyKeys.contains { node[$0] != nil } : hasNumber
  }

  private static let bodyKeys = [
    "body", "content", "jsonBody", "base64Body", "bodyFileName", "proxyBaseUrl", "fault",
  ]

  /// The keys of a response in the recordings of common libraries.
  static let keysOfResponses: Set<String> = Set(bodyKeys).union([
    "status", "statusCode", "status_code", "code", "statusText", "statusMessage", "status_message", "reason",
    "message", "headers", "rawHeaders", "responseHeaders", "trailers", "encoding", "httpVersion",
    "http_version", "version", "protocol", "proto", "url", "ok", "redirected", "type", "cookies", "time",
    "duration", "timestamp", "size", "headersSize", "bodySize", "body_format", "redirectURL",
    "remoteAddress", "transformers", "transformerParameters", "fixedDelayMilliseconds", "fromConfiguredStub",
  ])

  // MARK: Bodies

  /// Reads the body of a response.
  ///
  /// - Parameter isEmpty: a Boolean value that indicates whether the response is empty if it has no body.
  func read(ofResponse response: RecordingFields, _ headers: RecordedHeaders, isEmpty: Bool) -> Result {
    if let json = response["jsonBody"] { return self.json(json, headers) }
    if let text = response["base64Body"]?.string { return decoded(text, headers) }
    if ["bodyFileName", "proxyBaseUrl", "fault"].contains(where: { response[$0] != nil }) { return .missing }
    guard let node = response.first("body", "content") else {
      return isEmpty || response.node["body"] != nil ? .empty : .missing
    }
    let isCassette = response["status"]?.kind == .object || response["status_code"] != nil
    let isEncoded = response["body_format"]?.string?.lowercased() == "base64"
    return read(node, headers, isCassette: isCassette, isEncoded: isEncoded)
  }

  /// Reads a body. A string is the body itself; other values are its JSON, except objects that contain the text of the body.
  ///
  /// - Parameters:
  ///   - isCassette: a Boolean value that indicates whether the recording has the form of VCR, whose bodies are such objects.
  ///   - isEncoded: a Boolean value that indicates whether a string is base64.
  func read(
    _ node: JSONNode, _ headers: RecordedHeaders, isCassette: Bool = false, isEncoded: Bool = false
  ) -> Result {
    if let text = node.string { return isEncoded ? decoded(text, headers) : self.text(text, headers) }
    guard node.kind == .object, let inner = Self.text(in: node, isCassette: isCassette) else {
      return json(node, headers)
    }
    if inner.node.isNull { return .empty }
    // An unquoted text of YAML can be a number.
    let text = inner.node.string ?? String(decoding: problems.file.bytes[inner.node.byteRange], as: UTF8.self)
    return inner.isEncoded ? decoded(text, headers) : self.text(text, headers)
  }

  /// Returns the text of a body in an object such as `{"encoding": "UTF-8", "string": "[]"}`; nil for an object that is the
  /// body itself.
  private static func text(in node: JSONNode, isCassette: Bool) -> (node: JSONNode, isEncoded: Bool)? {
    let keys = Set(node.members.map(\.key))
    guard !keys.isEmpty, keys.isSubset(of: textKeys), isCassette || !keys.isDisjoint(with: describingKeys)
    else { return nil }
    if let encoded = node["base64_string"] { return (encoded, true) }
    guard let text = node["string"] ?? node["text"] else { return nil }
    let isEncoded = node["encoding"]?.string?.lowercased() == "base64"
    return text.kind == .object || text.kind == .array ? nil : (text, isEncoded)
  }

  private static let describingKeys: Set<String> = ["encoding", "charset", "mimeType"]
  private static let textKeys = describingKeys.union(["string", "base64_string", "text", "size"])

  private func json(_ node: JSONNode, _ headers: RecordedHeaders) -> Result {
    .body(
      RecordedExchange.Body(
        bytes: Array(problems.file.bytes[node.byteRange]),
        mediaType: headers["Content-Type"] ?? "application/json"))
  }

  private func text(_ text: String, _ headers: RecordedHeaders) -> Result {
    body(Array(text.utf8), headers)
  }

  private func decoded(_ text: String, _ headers: RecordedHeaders) -> Result {
    data(base64: text.utf8, allowingLineBreaks: true).map { body(Array($0), headers) } ?? .undecodable
  }

  /// Returns a body. Libraries decompress bodies, or record them as they were sent.
  private func body(_ bytes: [UInt8], _ headers: RecordedHeaders) -> Result {
    if bytes.isEmpty { return .empty }
    if RecordedExchange.isCompressed(headers), (try? JSONDocument(parsing: bytes)) == nil {
      return .undecodable
    }
    return .body(RecordedExchange.Body(bytes: bytes, mediaType: headers["Content-Type"] ?? ""))
  }
}
