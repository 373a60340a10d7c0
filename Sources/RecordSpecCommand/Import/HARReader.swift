import Foundation
import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The reader of HTTP archives (HAR 1.2), which browsers and proxies write.
///
/// The bodies in an archive are decoded already: `content.text` is text, or base64 of the decoded bytes.
struct HARReader {
  let problems: RecordingProblems

  func exchanges(_ root: JSONNode) -> [RecordedExchange] {
    guard let log = root["log"].flatMap({ RecordingFields($0, of: "'log'", problems) }),
      let entries = log.required("entries")
    else { return [] }
    guard entries.kind == .array else {
      problems.report(
        at: RecordingFields.shortRange(of: entries),
        "expected a list for 'entries', found \(entries.kind.withArticle)")
      return []
    }
    return entries.elements.compactMap(exchange)
  }

  /// Returns the exchange of an entry. Reports an invalid one and returns nil.
  func exchange(_ node: JSONNode) -> RecordedExchange? {
    guard let entry = RecordingFields(node, of: "an entry", problems) else { return nil }
    let time = time(entry)
    let request = entry.required("request").flatMap { RecordingFields($0, of: "a request", problems) }
    let response = entry.required("response").flatMap { RecordingFields($0, of: "a response", problems) }
    guard let request, let response else { return nil }
    let method = request.requiredString("method")?.uppercased()
    let url = request.requiredString("url")
    let headers = RecordedJSONReader.headers(request["headers"], problems)
    let body = body(request)
    guard let method, let url, let outcome = outcome(of: method, response, entry) else { return nil }
    return RecordedExchange(
      method: method, url: url, requestHeaders: headers, requestBody: body, outcome: outcome,
      time: time, resourceType: entry["_resourceType"]?.string?.lowercased())
  }

  private func time(_ entry: RecordingFields) -> Double? {
    guard let node = entry["startedDateTime"] else { return nil }
    if let date = node.string.flatMap(DateFormat.iso8601.date) { return date.timeIntervalSince1970 }
    problems.report(
      at: RecordingFields.shortRange(of: node), "'startedDateTime' is not a time",
      expected: "a time like '2031-05-01T08:30:00.000Z'")
    return nil
  }

  private func body(_ request: RecordingFields) -> RecordedExchange.Body? {
    guard let node = request["postData"], let data = RecordingFields(node, of: "'postData'", problems)
    else { return nil }
    let mediaType = data.string("mimeType") ?? ""
    if let text = data.string("text"), !text.isEmpty {
      return RecordedExchange.Body(bytes: Array(text.utf8), mediaType: mediaType)
    }
    if let bytes = attachment(data) { return RecordedExchange.Body(bytes: bytes, mediaType: mediaType) }
    guard let parameters = data["params"], parameters.count > 0 else { return nil }
    let pairs = parameters.elements.compactMap { node -> String? in
      guard let parameter = RecordingFields(node, of: "a parameter", problems),
        let name = parameter.requiredString("name")
      else { return nil }
      return PercentEncoding.parameter(name) + "="
        + PercentEncoding.parameter(parameter.string("value") ?? "")
    }
    return RecordedExchange.Body(bytes: Array(pairs.joined(separator: "&").utf8), mediaType: mediaType)
  }

  private func outcome(
    of method: String, _ response: RecordingFields, _ entry: RecordingFields
  ) -> RecordedExchange.Outcome? {
    guard let status = response.required("status").flatMap(response.status) else { return nil }
    if status == 0 {
      let error = response["_error"]?.string ?? entry["_error"]?.string ?? ""
      return Self.failures.first { error.contains($0.0) }.map { .failure($0.1) } ?? .aborted
    }
    var headers = RecordedJSONReader.headers(response["headers"], problems)
    if let target = response["redirectURL"]?.string, !target.isEmpty, headers["Location"] == nil {
      headers.add("Location", target)
    }
    let answer = RecordedExchange.Response(status: status, headers: headers)
    return outcome(answer, response, isEmpty: RecordedExchange.hasNoContent(status, to: method))
  }

  /// The errors of Chromium's network stack, by a part of their names.
  private static let failures: [(String, ServerFailure)] = [
    ("INTERNET_DISCONNECTED", .offline), ("NAME_NOT_RESOLVED", .cannotFindHost),
    ("CONNECTION_REFUSED", .cannotConnect), ("TIMED_OUT", .timeout), ("CONNECTION_RESET", .connectionLost),
    ("CONNECTION_CLOSED", .connectionLost), ("EMPTY_RESPONSE", .connectionLost),
    ("CONTENT_LENGTH_MISMATCH", .connectionLost), ("SSL_", .secureConnectionFailed),
    ("CERT_", .secureConnectionFailed),
  ]

  /// Returns a response with its body. The body stays nil if the archive was saved without it.
  private func outcome(
    _ answer: RecordedExchange.Response, _ response: RecordingFields, isEmpty: Bool
  ) -> RecordedExchange.Outcome {
    guard let content = response["content"].flatMap({ RecordingFields($0, of: "'content'", problems) }) else {
      return .response(answer)
    }
    let mediaType = content.string("mimeType") ?? answer.headers["Content-Type"] ?? ""
    var answer = answer
    answer.mediaType = mediaType
    guard let text = content.string("text"), !text.isEmpty else {
      if let bytes = Self.isData(mediaType) ? attachment(content) : nil {
        answer.body = RecordedExchange.Body(bytes: bytes, mediaType: mediaType)
      } else if isEmpty || Self.statesEmptyBody(content, response, answer.headers) {
        answer.body = RecordedExchange.Body(bytes: [], mediaType: mediaType)
      }
      return .response(answer)
    }
    guard let encoding = content.string("encoding"), !encoding.isEmpty else {
      answer.body = RecordedExchange.Body(bytes: Array(text.utf8), mediaType: mediaType)
      let isEncoded = RecordedExchange.isCompressed(answer.headers) && Self.isListOfChunks(text)
      return isEncoded ? .undecodable(mediaType: mediaType) : .response(answer)
    }
    guard encoding.lowercased() == "base64", let data = data(base64: text.utf8, allowingLineBreaks: true)
    else { return .undecodable(mediaType: mediaType) }
    answer.body = RecordedExchange.Body(bytes: Array(data), mediaType: mediaType)
    return .response(answer)
  }

  /// Returns a Boolean value that indicates whether an archive without the text of a body states that the body is empty.
  /// Some recorders omit the text of all bodies, and others leave it empty.
  private static func statesEmptyBody(
    _ content: RecordingFields, _ response: RecordingFields, _ headers: RecordedHeaders
  ) -> Bool {
    let sizes = [
      content["size"]?.int64, response["bodySize"]?.int64, headers["Content-Length"].flatMap { Int64($0) },
    ].compactMap(\.self)
    if sizes.contains(where: { $0 > 0 }) { return false }
    return content["text"] != nil || sizes.contains(0)
  }

  /// Returns a Boolean value that indicates whether a text is a list of the parts of a compressed body, as Polly.JS
  /// writes it.
  private static func isListOfChunks(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "["), let root = try? JSONDocument(parsing: Array(text.utf8)).root,
      root.count > 0
    else { return false }
    return root.elements.allSatisfy { element in
      element.string?.utf8.allSatisfy { $0.isAlphanumeric || "+/=".utf8.contains($0) } ?? false
    }
  }

  // MARK: Attachments

  /// Returns a Boolean value that indicates whether a body of a media type can be JSON, so that its file is read.
  private static func isData(_ mediaType: String) -> Bool {
    ![.image, .font, .styleSheet].contains(LeftOut(mediaType: mediaType))
  }

  /// Returns the contents of the file that Playwright writes beside the archive for a body; nil if there is none. Reports a
  /// file that cannot be read, or that is outside of the archive's folder.
  private func attachment(_ content: RecordingFields) -> [UInt8]? {
    guard let node = content["_file"], let name = content.string("_file"), !name.isEmpty else { return nil }
    func report(_ message: String, _ advice: String) {
      problems.report(at: RecordingFields.shortRange(of: node), message, advice: advice)
    }
    let archive = problems.file.path
    let folder = FileAccess.resolved(FileAccess.path(of: ".", namedIn: FileAccess.absolute(archive)))
    let path = FileAccess.path(of: name, namedIn: FileAccess.absolute(archive))
    guard FileAccess.resolved(path).hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") else {
      report("'\(name)' is outside of the folder of this archive", "keep the bodies beside the archive")
      return nil
    }
    do throws(FileProblem) {
      if let bytes = try FileBytes.read(path) { return bytes }
      report("the file '\(name)' with a body does not exist", "keep the files of the archive beside it")
    } catch {
      report("the file '\(name)' with a body \(error.reason)", "keep the files of the archive beside it")
    }
    return nil
  }
}
