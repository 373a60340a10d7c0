import Foundation
import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The reader of Postman collections (2.0 and 2.1), whose requests can have saved responses.
struct PostmanReader {
  let problems: RecordingProblems

  /// Returns the saved responses with their requests, and the requests without a response.
  func exchanges(_ root: JSONNode) -> [RecordedExchange] {
    let variables = Self.variables(root["variable"])
    var exchanges: [RecordedExchange] = []
    // The last one is next.
    var items = [root]
    while let item = items.popLast() {
      if let inner = item["item"], inner.kind == .array {
        items += inner.elements.filter { $0.kind == .object }.reversed()
        continue
      }
      guard let request = item["request"] else { continue }
      let responses = item["response"].map { $0.kind == .array ? Array($0.elements) : [] } ?? []
      exchanges += responses.filter { $0.kind == .object }.map { response in
        exchange(response["originalRequest"].flatMap { $0.isNull ? nil : $0 } ?? request, response, variables)
      }
      if responses.isEmpty { exchanges.append(exchange(request, nil, variables)) }
    }
    let hasResponse = exchanges.contains { if case .response = $0.outcome { true } else { false } }
    if !hasResponse {
      problems.report(
        at: 0..<0, "this Postman collection contains requests, but no saved responses",
        expected: RecordingReader.formats,
        advice:
          "save each response as an example in Postman, or record the session in a browser or proxy as HAR")
      return []
    }
    return exchanges
  }

  private func exchange(
    _ request: JSONNode, _ response: JSONNode?, _ variables: [String: String]
  ) -> RecordedExchange {
    let headers = request["header"].flatMap { $0.kind == .array ? $0 : nil }
    let address = Self.address(request["url"] ?? request, variables)
    var exchange = RecordedExchange(
      method: (request["method"]?.string ?? "GET").uppercased(), url: address?.url ?? "",
      requestHeaders: RecordedJSONReader.headers(headers, problems), requestBody: Self.body(request["body"]),
      outcome: .aborted, hasGuessedURL: address?.isGuessed ?? false)
    guard address != nil else {
      exchange.outcome = .pattern
      return exchange
    }
    guard let response, let status = RecordedContent.status(in: response).flatMap(RecordingFields.number)
    else { return exchange }
    let list = (response["header"] ?? response["headers"]).flatMap { $0.kind == .array ? $0 : nil }
    var answer = RecordedExchange.Response(
      status: status, headers: RecordedJSONReader.headers(list, problems))
    answer.mediaType = answer.headers["Content-Type"] ?? ""
    // Postman saves the decompressed text.
    if let text = response["body"]?.string {
      answer.body = RecordedExchange.Body(bytes: Array(text.utf8), mediaType: answer.mediaType)
    } else if RecordedExchange.hasNoContent(status, to: exchange.method) {
      answer.body = RecordedExchange.Body(bytes: [], mediaType: answer.mediaType)
    }
    exchange.outcome = .response(answer)
    return exchange
  }

  // MARK: Addresses

  private static func variables(_ list: JSONNode?) -> [String: String] {
    guard let list, list.kind == .array else { return [:] }
    return Dictionary(
      list.elements.compactMap { variable in
        guard let key = (variable["key"] ?? variable["id"])?.string, let value = variable["value"]?.string
        else { return nil }
        return (key, value)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the address of a request; nil if it contains a variable without a value.
  ///
  /// The server is made up if its variable has no value in the collection, because collections keep it in an environment.
  private static func address(
    _ url: JSONNode, _ variables: [String: String]
  ) -> (url: String, isGuessed: Bool)? {
    guard var text = url.string ?? url["raw"]?.string, !text.isEmpty else { return nil }
    var isGuessed = false
    if text.hasPrefix("{{"), let end = text.firstRange(of: "}}") {
      let name = String(text[..<end.lowerBound].dropFirst(2))
      let value = variables[name].flatMap { $0.isEmpty ? nil : $0 }
      isGuessed = value == nil
      text = (value ?? "https://api.test") + text[end.upperBound...]
    }
    var parts = text.components(separatedBy: "{{")
    for index in parts.indices.dropFirst() {
      guard let end = parts[index].firstRange(of: "}}"),
        let value = variables[String(parts[index][..<end.lowerBound])]
      else { return nil }
      parts[index] = value + parts[index][end.upperBound...]
    }
    text = parts.joined()
    let inPath = Self.variables(url["variable"])
    var address = text.split(separator: "?", maxSplits: 1).map(String.init)
    if !inPath.isEmpty, let path = address.first {
      address[0] = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
        segment.hasPrefix(":")
          ? inPath[String(segment.dropFirst())].map { PercentEncoding.parameter($0) } ?? String(segment)
          : String(segment)
      }.joined(separator: "/")
    }
    text = address.joined(separator: "?")
    if !text.hasPrefix("http://"), !text.hasPrefix("https://") { text = "https://" + text }
    return (text, isGuessed)
  }

  private static func body(_ body: JSONNode?) -> RecordedExchange.Body? {
    guard let body, body.kind == .object else { return nil }
    if let raw = body["raw"]?.string, !raw.isEmpty {
      return RecordedExchange.Body(bytes: Array(raw.utf8), mediaType: "")
    }
    guard let fields = body["urlencoded"], fields.kind == .array, fields.count > 0 else { return nil }
    let pairs = fields.elements.compactMap { field -> String? in
      guard let key = field["key"]?.string, field["disabled"]?.boolean != true else { return nil }
      return PercentEncoding.parameter(key) + "=" + PercentEncoding.parameter(field["value"]?.string ?? "")
    }
    return RecordedExchange.Body(
      bytes: Array(pairs.joined(separator: "&").utf8), mediaType: "application/x-www-form-urlencoded")
  }
}
