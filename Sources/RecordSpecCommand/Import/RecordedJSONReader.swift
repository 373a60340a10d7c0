import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The reader of recorded requests and responses as JSON: a list of objects, as recording libraries write them.
///
/// The request and the response are members of the object (`method`, `path`, `status`, `response`), or objects of their
/// own (`{"request": {"url": …}, "response": {"status": …, "body": …}}`).
struct RecordedJSONReader {
  let problems: RecordingProblems

  private static let advice =
    "write objects with 'url' or 'path', 'status' and 'response'"

  func exchanges(_ root: JSONNode) -> [RecordedExchange] {
    root.kind == .array ? root.elements.compactMap(exchange) : [exchange(root)].compactMap(\.self)
  }

  /// Returns a Boolean value that indicates whether JSON consists of objects none of which is meant as an exchange: they
  /// have keys that exchanges do not have, and none of those that only exchanges have. A body can have keys such as `url`
  /// and `status`, too.
  static func isResponseBody(_ root: JSONNode) -> Bool {
    let objects = root.kind == .array ? Array(root.elements) : [root]
    return objects.allSatisfy { object in
      guard object.kind == .object else { return false }
      let keys = object.members.map(\.key)
      return !keys.contains(where: distinctiveKeys.contains)
        && (keys.isEmpty || !keys.allSatisfy(exchangeKeys.contains))
    }
  }

  private static let distinctiveKeys: Set<String> = [
    "request", "response", "responseBody", "requestBody", "reqheaders", "requestHeaders", "method",
  ]

  private static let exchangeKeys = envelopeKeys.union(["uri", "path", "scope", "baseURL", "host"])

  private func exchange(_ node: JSONNode) -> RecordedExchange? {
    guard let fields = RecordingFields(node, of: "a recorded exchange", problems) else { return nil }
    var request = fields
    var hasRequest = false
    if let inner = fields["request"], inner.kind == .object,
      let nested = RecordingFields(inner, of: "'request'", problems)
    {
      (request, hasRequest) = (nested, true)
    }
    var response = fields
    var hasResponse = false
    if let inner = fields["response"], fields.first("status", "statusCode", "code") == nil,
      Self.isEnvelope(inner), let nested = RecordingFields(inner, of: "'response'", problems)
    {
      (response, hasResponse) = (nested, true)
    }
    let url = url(request, fields)
    let method = (request.string("method") ?? "GET").uppercased()
    let requestHeaders = Self.headers(
      request.first("reqheaders", "requestHeaders") ?? (hasRequest ? request["headers"] : nil), problems)
    let requestBody = body(
      hasRequest ? request.first("body", "data") : fields.first("requestBody", "body"), requestHeaders)
    let headers = Self.headers(response.first("headers", "rawHeaders", "responseHeaders"), problems)
    var status = 200
    if let node = response.first("status", "statusCode", "code") {
      guard let value = response.status(node) else { return nil }
      status = value
    } else if response.first("response", "body", "content") == nil, !hasResponse {
      problems.report(
        at: RecordingFields.shortRange(of: node), "this exchange has neither a status nor a response",
        advice: Self.advice)
      return nil
    }
    guard let url else { return nil }
    let isBinary = fields["responseIsBinary"]?.boolean ?? false
    let content = hasResponse ? response.first("body", "content") : response.first("response", "responseBody")
    return RecordedExchange(
      method: method, url: url, requestHeaders: requestHeaders, requestBody: requestBody,
      outcome: status == 0
        ? .aborted
        : .response(
          RecordedExchange.Response(
            status: status, headers: headers,
            body: isBinary
              ? RecordedExchange.Body(bytes: [0], mediaType: "application/octet-stream")
              : body(content, headers) ?? RecordedExchange.Body(bytes: [], mediaType: ""))))
  }

  /// Returns a Boolean value that indicates whether an object is a response with its status and its body, and not a body. A
  /// body can have keys such as `status`, too, but not only keys of a response.
  private static func isEnvelope(_ node: JSONNode) -> Bool {
    guard node.kind == .object, node.members.allSatisfy({ envelopeKeys.contains($0.key) }) else {
      return false
    }
    let status = ["status", "statusCode", "code"].compactMap { node[$0] }.first
    guard let status else { return node["body"] != nil || node["content"] != nil }
    return RecordingFields.number(status).map { $0 == 0 || $0 >= 100 } ?? false
  }

  /// The keys of a response in the recordings of common libraries.
  private static let envelopeKeys: Set<String> = [
    "status", "statusCode", "code", "statusText", "statusMessage", "reason", "message", "headers",
    "rawHeaders",
    "responseHeaders", "trailers", "body", "content", "encoding", "httpVersion", "version", "url", "ok",
    "redirected",
    "type", "cookies", "time", "duration", "timestamp", "size", "headersSize", "bodySize", "redirectURL",
    "remoteAddress",
  ]

  /// Returns the absolute URL of a request.
  private func url(_ request: RecordingFields, _ fields: RecordingFields) -> String? {
    let location = request.first("url", "uri", "path") ?? fields["request"]
    guard let location, let text = location.string, !text.isEmpty else {
      problems.report(
        at: RecordingFields.shortRange(of: location ?? request.node),
        "this exchange has no 'url' and no 'path'", advice: Self.advice)
      return nil
    }
    if text.hasPrefix("http://") || text.hasPrefix("https://") { return text }
    let scope = (request.first("scope", "baseURL", "host") ?? fields.first("scope", "baseURL", "host"))?
      .string
    var base = scope ?? "https://api.test"
    if !base.contains("://") { base = "https://" + base }
    while base.hasSuffix("/") { base.removeLast() }
    return base + (text.hasPrefix("/") ? "" : "/") + text
  }

  /// Returns a body. A string is the body itself; other values are its JSON.
  private func body(_ node: JSONNode?, _ headers: RecordedHeaders) -> RecordedExchange.Body? {
    guard let node else { return nil }
    let mediaType = headers["Content-Type"] ?? ""
    if let text = node.string { return RecordedExchange.Body(bytes: Array(text.utf8), mediaType: mediaType) }
    return RecordedExchange.Body(
      bytes: Array(problems.file.bytes[node.byteRange]),
      mediaType: mediaType.isEmpty ? "application/json" : mediaType)
  }

  /// Reads headers: a mapping, a list of `{"name": …, "value": …}`, or a list of names and values in turn.
  static func headers(_ node: JSONNode?, _ problems: RecordingProblems) -> RecordedHeaders {
    var headers = RecordedHeaders()
    guard let node else { return headers }
    switch node.kind {
    case .object:
      for member in node.members {
        let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
        for value in values { add(member.key, value) }
      }
    case .array:
      var name: String?
      for element in node.elements {
        if element.kind == .object {
          guard let field = RecordingFields(element, of: "a header", problems),
            let name = field.requiredString("name")
          else { continue }
          headers.add(name, field.string("value") ?? "")
        } else if let known = name {
          add(known, element)
          name = nil
        } else {
          name = element.string
          if name == nil { report(element) }
        }
      }
    default: report(node)
    }
    func add(_ name: String, _ value: JSONNode) {
      switch value.kind {
      case .string: headers.add(name, value.string ?? "")
      case .number: headers.add(name, value.number?.digits ?? "")
      case .boolean: headers.add(name, value.boolean == true ? "true" : "false")
      case .null: break
      case .array, .object: report(value)
      }
    }
    func report(_ node: JSONNode) {
      problems.report(
        at: RecordingFields.shortRange(of: node),
        "expected headers by name, found \(node.kind.withArticle)")
    }
    return headers
  }
}
