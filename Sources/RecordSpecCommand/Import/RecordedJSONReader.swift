import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The reader of recorded requests and responses as JSON: a list of objects, as recording libraries write them.
///
/// The list is the file itself, or a member of its root. The request and the response are members of the object (`method`,
/// `path`, `status`, `response`), or objects of their own (`{"request": {"url": …}, "response": {"status": …, "body": …}}`).
struct RecordedJSONReader {
  let problems: RecordingProblems

  private static let advice =
    "write objects with 'url' or 'path', 'status' and 'response'"

  func exchanges(_ root: JSONNode) -> [RecordedExchange] { Self.list(in: root).compactMap(exchange) }

  /// Returns the objects for exchanges: the elements of the root or of a list below it, or the root itself.
  private static func list(in root: JSONNode, depth: Int = 0) -> [JSONNode] {
    if root.kind == .array { return Array(root.elements) }
    guard root.kind == .object, root["request"] == nil else { return [root] }
    for member in root.members {
      let isList = member.value.kind == .array
      if isList, let first = member.value[0], first["request"] != nil,
        first["response"] != nil
      {
        return Array(member.value.elements)
      }
      if isList, member.value.count == 0, listKeys.contains(member.key) { return [] }
      if depth == 0, member.value.kind == .object, member.value.count < 10 {
        let inner = list(in: member.value, depth: 1)
        if inner.count > 1 || inner.first?["request"] != nil { return inner }
      }
    }
    return [root]
  }

  private static let listKeys: Set<String> = ["interactions", "http_interactions", "mappings", "entries"]

  /// Returns a Boolean value that indicates whether JSON can be a recording, because an object of it may be an exchange.
  static func canBeRecording(_ root: JSONNode) -> Bool {
    let objects = list(in: root)
    return objects.isEmpty || !objects.allSatisfy { $0.kind == .object && isBody($0) }
  }

  /// Returns a Boolean value that indicates whether JSON consists of objects none of which is meant as an exchange: they
  /// have keys that exchanges do not have, and none of those that only exchanges have. A body can have keys such as `url`
  /// and `status`, too.
  static func isResponseBody(_ root: JSONNode) -> Bool {
    list(in: root).allSatisfy { $0.kind == .object && isBody($0) }
  }

  private static func isBody(_ object: JSONNode) -> Bool {
    let keys = object.members.map(\.key)
    return !keys.contains(where: distinctiveKeys.contains)
      && (keys.isEmpty || !keys.allSatisfy(exchangeKeys.contains))
  }

  private static let distinctiveKeys: Set<String> = [
    "request", "response", "responseBody", "requestBody", "reqheaders", "requestHeaders", "method",
  ]

  private static let exchangeKeys = RecordedContent.keysOfResponses.union([
    "uri", "path", "scope", "baseURL", "host",
  ])

  private func exchange(_ node: JSONNode) -> RecordedExchange? {
    guard let fields = RecordingFields(node, of: "a recorded exchange", problems) else { return nil }
    if node["request"]?.kind == .object, let content = node["response"]?["content"], content.kind == .object,
      content["mimeType"] != nil
    {
      return HARReader(problems: problems).exchange(node)
    }
    var request = fields
    var hasRequest = false
    if let inner = fields["request"], inner.kind == .object,
      let nested = RecordingFields(inner, of: "'request'", problems)
    {
      (request, hasRequest) = (nested, true)
    }
    var response = fields
    var hasResponse = false
    if let inner = fields["response"],
      RecordedContent.status(in: node).flatMap(RecordingFields.number) == nil,
      RecordedContent.isResponse(inner), let nested = RecordingFields(inner, of: "'response'", problems)
    {
      (response, hasResponse) = (nested, true)
    }
    let target = target(request, fields)
    let method = request.string("method").map { $0.uppercased() } ?? "GET"
    let requestHeaders = Self.headers(
      request.first("reqheaders", "requestHeaders") ?? (hasRequest ? request["headers"] : nil), problems)
    let sent = hasRequest ? request.first("body", "data") : fields.first("requestBody", "body")
    let headers = Self.headers(response.first("headers", "rawHeaders", "responseHeaders"), problems)
    var status = 200
    if let node = RecordedContent.status(in: response.node) {
      guard let value = response.status(node) else { return nil }
      status = value
    } else if response.first("response", "body", "content") == nil, !hasResponse {
      problems.report(
        at: RecordingFields.shortRange(of: node), "this exchange has neither a status nor a response",
        advice: Self.advice)
      return nil
    }
    guard let target else { return nil }
    var exchange = RecordedExchange(
      method: method == "ANY" ? "GET" : method, url: "", requestHeaders: requestHeaders, outcome: .pattern)
    if case .body(let body) = sent.map({ content.read($0, requestHeaders) }) { exchange.requestBody = body }
    guard case .url(let url) = target else { return exchange }
    exchange.url = url
    if status == 0 {
      exchange.outcome = .aborted
      return exchange
    }
    let isEmpty = RecordedExchange.hasNoContent(status, to: method) || Self.isMapping(node)
    let found =
      hasResponse
      ? content.read(ofResponse: response, headers, isEmpty: isEmpty)
      : response.first("response", "responseBody").map { content.read($0, headers) } ?? .empty
    exchange.outcome = outcome(
      fields["responseIsBinary"]?.boolean == true ? .undecodable : found, status, headers)
    return exchange
  }

  private var content: RecordedContent { RecordedContent(problems: problems) }

  private func outcome(
    _ content: RecordedContent.Result, _ status: Int, _ headers: RecordedHeaders
  ) -> RecordedExchange.Outcome {
    let mediaType = headers["Content-Type"] ?? ""
    var response = RecordedExchange.Response(status: status, headers: headers, mediaType: mediaType)
    switch content {
    case .body(let body): response.body = body
    case .empty: response.body = RecordedExchange.Body(bytes: [], mediaType: mediaType)
    case .missing: break
    case .undecodable:
      return .undecodable(mediaType: mediaType.isEmpty ? "application/octet-stream" : mediaType)
    }
    return .response(response)
  }

  /// Returns a Boolean value that indicates whether an object is a mapping of WireMock, whose responses without a body are
  /// empty.
  private static func isMapping(_ node: JSONNode) -> Bool {
    node.members.allSatisfy { mappingKeys.contains($0.key) }
      && ["urlPath", "url"].contains { node["request"]?[$0] != nil }
  }

  private static let mappingKeys: Set<String> = [
    "id", "uuid", "name", "request", "response", "persistent", "priority", "scenarioName",
    "requiredScenarioState",
    "newScenarioState", "insertionIndex", "metadata", "postServeActions", "serveEventListeners",
  ]

  // MARK: Addresses

  private enum Target {
    case url(String)
    /// Many addresses.
    case pattern
  }

  /// Returns the absolute URL of a request. Reports a missing one and returns nil.
  private func target(_ request: RecordingFields, _ fields: RecordingFields) -> Target? {
    let patterns = ["urlPattern", "urlPathPattern", "urlPathTemplate"]
    if patterns.contains(where: { request[$0] != nil }) { return .pattern }
    let location = request.first("url", "uri", "path", "urlPath") ?? fields["request"]
    guard let location, var text = location.string, !text.isEmpty else {
      let message =
        if let location, location.kind != .object, location.string == nil {
          "expected a string for the address of a request, found \(location.kind.withArticle)"
        } else {
          "this exchange has no 'url' and no 'path'"
        }
      problems.report(
        at: RecordingFields.shortRange(of: location ?? request.node), message, advice: Self.advice)
      return nil
    }
    if let parameters = request["queryParameters"], parameters.kind == .object {
      for parameter in parameters.members {
        guard let value = parameter.value["equalTo"]?.string else { return .pattern }
        text += text.contains("?") ? "&" : "?"
        text += PercentEncoding.parameter(parameter.key) + "=" + PercentEncoding.parameter(value)
      }
    }
    if text.hasPrefix("http://") || text.hasPrefix("https://") { return .url(text) }
    let scope = (request.first("scope", "baseURL", "host") ?? fields.first("scope", "baseURL", "host"))?
      .string
    var base = scope ?? "https://api.test"
    if !base.contains("://") { base = "https://" + base }
    while base.hasSuffix("/") { base.removeLast() }
    return .url(base + (text.hasPrefix("/") ? "" : "/") + text)
  }

  // MARK: Headers

  /// Reads headers: a mapping, a list of `{"name": …, "value": …}`, or a list of names and values in turn. A value can be a
  /// list of values.
  static func headers(_ node: JSONNode?, _ problems: RecordingProblems) -> RecordedHeaders {
    var headers = RecordedHeaders()
    guard let node else { return headers }
    switch node.kind {
    case .object: for member in node.members { add(member.key, member.value) }
    case .array:
      var name: String?
      for element in node.elements {
        if element.kind == .object {
          guard let field = RecordingFields(element, of: "a header", problems),
            let name = field["key"]?.string ?? field.requiredString("name")
          else { continue }
          if let value = field["value"] { add(name, value) } else { headers.add(name, "") }
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
    func add(_ name: String, _ value: JSONNode, isInList: Bool = false) {
      switch value.kind {
      case .string: headers.add(name, value.string ?? "")
      case .number: headers.add(name, value.number?.digits ?? "")
      case .boolean: headers.add(name, value.boolean == true ? "true" : "false")
      case .null: break
      case .array where !isInList: for element in value.elements { add(name, element, isInList: true) }
      case .object where value.members.allSatisfy({ matchers.contains($0.key) }):
        // A condition for requests, which states the value only if it is equal.
        if let equal = value["equalTo"]?.string { headers.add(name, equal) }
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

  private static let matchers: Set<String> = [
    "equalTo", "caseInsensitive", "contains", "doesNotContain", "matches", "doesNotMatch", "absent",
    "anything",
    "and", "or", "hasExactly", "includes", "before", "after",
  ]
}
