import Foundation
import Testing

@testable import RecordSpecCommand
@testable import ScenarioComparison

/// Tests for the formats of recordings.
struct RecordingReaderTests {
  // MARK: HAR

  @Test func anArchiveHasRequestsAndDecodedBodies() {
    let recording = ReadRecording(
      archive(
        entry("https://api.test/books", text: #"{"id": 1}"#, headers: [("ETag", "v1"), ("etag", "v2")]),
        entry(
          "https://api.test/films", method: "post", status: 201,
          content: #"{"mimeType": "application/json", "text": "eyJpZCI6\r\nIDJ9", "encoding": "base64"}"#),
        entry("https://api.test/none", status: 204, content: #"{"size": 0, "mimeType": ""}"#),
        entry("https://api.test/big", content: #"{"size": 12, "mimeType": "application/json"}"#)))
    #expect(
      recording.lines == [
        #"GET https://api.test/books 200 {"id": 1}"#, #"POST https://api.test/films 201 {"id": 2}"#,
        "GET https://api.test/none 204 ", "GET https://api.test/big 200 (no body)",
      ])
    #expect(recording.errors == [])
    #expect(recording.exchanges[0].response?.headers["Etag"] == "v1, v2")
  }

  @Test func anArchiveMayBeginWithAByteOrderMark() {
    #expect(ReadRecording("\u{FEFF}" + archive(entry("https://api.test/a", text: "[]"))).lines.count == 1)
  }

  @Test func failuresAndRedirectsOfAnArchiveAreKept() {
    let recording = ReadRecording(
      archive(
        #"""
        {"request": {"method": "GET", "url": "https://api.test/a"},
         "response": {"status": 0, "_error": "net::ERR_INTERNET_DISCONNECTED"}}
        """#,
        #"{"request": {"method": "GET", "url": "https://api.test/b"}, "response": {"status": 0}}"#,
        #"""
        {"request": {"method": "GET", "url": "https://api.test/c"},
         "response": {"status": 302, "redirectURL": "/d", "content": {}}}
        """#,
        #"""
        {"request": {"method": "POST", "url": "https://api.test/e", "postData": {"mimeType": "x",
          "params": [{"name": "a b", "value": "1&2"}]}}, "response": {"status": 200, "content": {"text": "{}"}}}
        """#))
    #expect(
      recording.lines == [
        "GET https://api.test/a offline", "GET https://api.test/b aborted",
        "GET https://api.test/c 302 (no body)",
        "POST https://api.test/e 200 {}",
      ])
    #expect(recording.exchanges[2].response?.headers["location"] == "/d")
    #expect(
      recording.exchanges[3].requestBody.map { String(decoding: $0.bytes, as: UTF8.self) } == "a%20b=1%262")
  }

  // MARK: Recorded JSON

  @Test(arguments: [
    #"[{"url": "https://api.test/a", "status": 200, "response": {"id": 1}}]"#,
    #"[{"scope": "https://api.test:443", "path": "/a", "method": "get", "status": 200, "response": "{\"id\": 1}"}]"#,
    #"{"request": "/a", "status": "200", "response": {"id": 1}, "headers": null}"#,
    #"[{"request": {"url": "https://api.test/a", "method": "GET"}, "response": {"status": 200, "body": {"id": 1}}}]"#,
    #"[{"request": {"path": "a", "baseURL": "api.test"}, "response": {"statusCode": 200, "content": "{\"id\": 1}"}}]"#,
  ])
  func recordedJSONHasSeveralForms(text: String) {
    let recording = ReadRecording(text)
    #expect(recording.errors == [])
    #expect(
      recording.lines.map { $0.replacing(":443", with: "").replacing(": ", with: ":") } == [
        #"GET https://api.test/a 200 {"id":1}"#
      ])
  }

  /// A body may have the keys of a response, but not only these.
  @Test(arguments: [
    (#"{"status": "open", "id": 1}"#, #"200 {"status": "open", "id": 1}"#),
    (#"{"status": 404, "id": 1, "body": "x"}"#, #"200 {"status": 404, "id": 1, "body": "x"}"#),
    (#"{"code": "EUR", "content": "x"}"#, #"200 {"code": "EUR", "content": "x"}"#),
    (#"{"title": "x", "body": "y"}"#, #"200 {"title": "x", "body": "y"}"#),
    (#"{"status": "404", "body": "y"}"#, "404 y"),
    (#"{"headers": {}, "body": {"id": 1}}"#, #"200 {"id": 1}"#),
    (#"{"statusCode": 204, "ok": true}"#, "204 "), (#"{"code": 0}"#, "aborted"),
  ])
  func onlyAResponseIsAnEnvelope(response: String, read: String) {
    let recording = ReadRecording(#"{"request": {"url": "https://api.test/a"}, "response": \#(response)}"#)
    #expect(recording.lines == ["GET https://api.test/a " + read] && recording.errors == [])
  }

  /// Recording libraries differ in the names of the members, and in the form of statuses, headers and bodies.
  @Test(arguments: [
    // VCR and Betamax
    #"{"interactions": [{"request": {"method": "GET", "uri": "U", "body": null}, "response": {"status": {"code": 200, "message": "OK"}, "headers": {"A": ["b"]}, "body": {"string": "B"}}}], "version": 1}"#,
    #"{"http_interactions": [{"request": {"method": "get", "uri": "U", "body": {"encoding": "utf-8", "string": ""}}, "response": {"status": {"code": 200}, "body": {"encoding": "utf-8", "base64_string": "eyJpZCI6MX0="}}, "recorded_at": "x"}]}"#,
    #"[{"request": {"uri": "U"}, "response": {"status_code": 200, "body": {"string": "B"}, "headers": {}, "url": "U"}}]"#,
    #"[{"request": {"url": "U"}, "response": {"status": {"code": 200}, "body": {"string": "B"}, "other": 1}}]"#,
    // Go, PHP and Swift
    #"{"interactions": [{"id": 0, "request": {"url": "U", "form": {}}, "response": {"status": "200 OK", "code": 200, "body": "B", "headers": {}, "uncompressed": true}}]}"#,
    #"[{"request": {"url": "U"}, "response": {"status": {"http_version": "1.1", "code": "200", "message": "OK"}, "headers": [], "body": "B"}}]"#,
    #"{"name": "x", "interactions": [{"request": {"url": "U"}, "response": {"status": 200, "headers": {}, "body": {"id": 1}, "body_format": "json"}}]}"#,
    #"[{"request": {"url": "U"}, "response": {"status": 200, "body": "eyJpZCI6MX0=", "body_format": "base64"}}]"#,
    // WireMock
    #"{"id": "1", "request": {"url": "/a", "method": "ANY", "headers": {"Accept": {"contains": "json"}}}, "response": {"status": 200, "jsonBody": {"id": 1}}}"#,
    #"{"mappings": [{"request": {"urlPath": "/a"}, "response": {"base64Body": "eyJpZCI6MX0=", "transformers": []}}], "meta": {}}"#,
    // An entry of an archive
    #"[{"request": {"method": "GET", "url": "U"}, "response": {"status": 200, "content": {"mimeType": "x", "text": "B"}}}]"#,
    // Postman
    #"{"info": {}, "variable": [{"key": "host", "value": "https://api.test"}], "item": [{"item": [{"request": {"url": {"raw": "{{host}}/:x", "variable": [{"key": "x", "value": "a"}]}}, "response": [{"status": "OK", "code": 200, "header": [{"key": "A", "value": "b"}], "body": "B"}]}]}]}"#,
    #"{"info": {}, "item": [{"request": {}, "response": [{"originalRequest": {"method": "GET", "url": "{{base}}/a"}, "code": 200, "header": null, "body": "B"}]}]}"#,
    // YAML
    "interactions:\n- request: {uri: 'U', method: GET}\n  response:\n    body: {string: !!binary eyJpZCI6MX0=}\n    status: {code: 200}\nversion: 1\n",
    "--- !tape\ninteractions:\n- request: {uri: 'U'}\n  response: {status: 200, headers: {}, body: '{\"id\":1}'}\n",
    "---\nhttp_interactions:\n- request: {method: get, uri: 'U'}\n  response:\n    status: {code: 200}\n    body:\n      encoding: UTF-8\n      string: '{\"id\":1}'\n",
  ])
  func librariesHaveTheirForms(text: String) {
    let recording = ReadRecording(
      text.replacing(#""B""#, with: #""{\"id\":1}""#).replacing("\"U\"", with: "\"https://api.test/a\"")
        .replacing("'U'", with: "'https://api.test/a'"))
    #expect(recording.errors == [])
    #expect(
      recording.lines.map { $0.replacing(": ", with: ":") } == [#"GET https://api.test/a 200 {"id":1}"#])
  }

  /// A body that is encoded in an unknown way, or elsewhere, is not taken for another one.
  @Test(arguments: [
    (
      #"{"status": {"code": 200}, "headers": {"Content-Encoding": ["gzip"]}, "body": {"string": "H4sIAA"}}"#,
      "undecodable application/octet-stream"
    ),
    (#"{"status": {"code": 200}, "body": {"base64_string": "e!"}}"#, "undecodable application/octet-stream"),
    (#"{"status": 200, "headers": {}, "payload": {"id": 1}}"#, "200 (no body)"),
    (#"{"status": 200, "bodyFileName": "a.json"}"#, "200 (no body)"), (#"{"status": 200}"#, "200 (no body)"),
    (#"{"status": 200, "body": null}"#, "200 "), (#"{"status": 204}"#, "204 "),
    (#"{"status": 200, "body": {"text": "hi"}}"#, #"200 {"text": "hi"}"#),
    (#"{"status": 200, "body": {"string": "hi"}}"#, #"200 {"string": "hi"}"#),
    (#"{"status": 200, "body": {"text": "hi", "charset": "utf-8"}}"#, "200 hi"),
  ])
  func bodiesAreNotMisread(response: String, read: String) {
    let recording = ReadRecording(
      #"[{"request": {"url": "https://api.test/a", "x": 1}, "y": 1, "response": \#(response)}]"#)
    #expect(recording.lines == ["GET https://api.test/a " + read] && recording.errors == [])
  }

  @Test(arguments: ["urlPattern", "urlPathPattern", "urlPathTemplate"])
  func aPatternOfAddressesIsNoAddress(key: String) {
    let recording = ReadRecording(
      #"{"request": {"\#(key)": "/a/.*"}, "response": {"status": 200, "body": "[]"}}"#)
    #expect(recording.lines == ["GET  pattern"] && recording.errors == [])
  }

  /// Polly.JS writes the parts of a compressed body as a list.
  @Test(arguments: [#"["1f8b08","00"]"#, #"["H4sIAAAA/+="]"#])
  func partsOfACompressedBodyAreNoList(text: String) {
    let recording = ReadRecording(
      archive(
        entry("https://api.test/a", text: text, headers: [("content-encoding", "gzip")]),
        entry("https://api.test/b", text: text)))
    #expect(recording.lines.first == "GET https://api.test/a undecodable application/json")
    #expect(recording.lines.last == "GET https://api.test/b 200 " + text)
  }

  /// An empty body is read only if the archive states it.
  @Test(arguments: [
    (#"{"mimeType": "application/json"}"#, "(no body)"),
    (#"{"mimeType": "application/json", "size": -1}"#, "(no body)"),
    (#"{"size": 0}"#, ""), (#"{"text": ""}"#, ""), (#"{"size": 9, "text": ""}"#, "(no body)"),
    (#"{}"#, "(no body)"),
  ])
  func anArchiveMayLackBodies(content: String, body: String) {
    #expect(
      ReadRecording(archive(entry("https://api.test/a", content: content))).lines == [
        "GET https://api.test/a 200 " + body
      ])
    let empty = entry("https://api.test/a", headers: [("Content-Length", "0")], content: "{}")
    #expect(ReadRecording(archive(empty)).lines == ["GET https://api.test/a 200 "])
  }

  /// Playwright writes bodies into files beside the archive.
  @Test(arguments: [
    ("a.json", nil), ("./a.json", nil), ("b/../a.json", nil),
    ("c.json", "the file 'c.json' with a body does not exist"),
    ("b", "the file 'b' with a body"),
    ("../out.json", "'../out.json' is outside of the folder of this archive"),
    ("/etc/hosts", "'/etc/hosts' is outside"), ("link.json", "'link.json' is outside"),
  ])
  func bodiesMayBeBesideTheArchive(name: String, error: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write("[]", to: "out.json")
    try folder.write("[1]", to: "har/a.json")
    try folder.write("", to: "har/b/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/har/link.json", withDestinationPath: folder.path + "/out.json")
    let content = #"{"mimeType": "application/json", "size": 2, "_file": "\#(name)"}"#
    let image = #"{"mimeType": "image/png", "_file": "none.png"}"#
    let recording = ReadRecording(
      archive(entry("https://api.test/a", content: content), entry("https://api.test/i", content: image)),
      path: folder.path + "/har/a.har")
    if let error {
      #expect(recording.errors.count == 1 && recording.errors[0].contains(error), "\(recording.errors)")
    } else {
      #expect(recording.lines == ["GET https://api.test/a 200 [1]", "GET https://api.test/i 200 (no body)"])
    }
  }

  @Test func recordingsMayBeUTF16() {
    let text = archive(entry("https://api.test/é", text: "[1]"))
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big] {
      #expect(ReadRecording(bytes: bytes).lines == ["GET https://api.test/é 200 [1]"])
    }
    #expect(
      ReadRecording(bytes: [0xFF, 0xFE] + little + [0x7B]).errors == ["1:1: the file is not valid UTF-16"])
    #expect(ReadRecording(bytes: [0xFF, 0xFE, 0, 0, 0x7B]).errors == ["1:1: the file is encoded in UTF-32"])
  }

  @Test(arguments: [
    #"{"Link": "x", "Age": 3, "Vary": ["a", "b"]}"#,
    #"[{"name": "link", "value": ["x"]}, {"key": "age", "value": 3}, {"name": "vary", "value": ["a", "b"]}, {"name": "etag", "value": null}]"#,
    #"["Link", "x", "Age", "3", "Vary", "a", "Vary", "b"]"#,
    #"[{"name": "link", "value": "x"}, {"name": "age", "value": "3"}, {"name": "vary", "value": "a, b"}]"#,
  ])
  func headersHaveSeveralForms(headers: String) throws {
    let recording = ReadRecording(
      #"[{"url": "https://api.test/a", "status": 200, "response": [], "headers": \#(headers)}]"#)
    let found = try #require(recording.exchanges.first?.response?.headers)
    #expect(
      found["LINK"] == "x" && found["Age"] == "3" && found["vary"] == "a, b" && (found["ETag"] ?? "") == "")
  }

  // MARK: curl -i

  @Test(arguments: ["\n", "\r\n"])
  func curlPrintsOneResponseAfterTheOther(lineBreak: String) {
    let text = [
      "HTTP/1.1 100 Continue", "", "HTTP/1.1 301 Moved Permanently", "Location: /b?x=1", "Content-Length: 99",
      "",
      "HTTP/2 200 ", "content-type: application/json", "", #"{"t": "HTTP/2 404"}"#,
    ].joined(separator: lineBreak)
    #expect(
      ReadRecording(text, url: "https://api.test/a").lines == [
        "GET https://api.test/a 301 ", #"GET https://api.test/b?x=1 200 {"t": "HTTP/2 404"}"#,
      ])
    // Without a line break after the body.
    #expect(
      ReadRecording(text + "HTTP/2 503\(lineBreak)\(lineBreak)").lines.last
        == "GET https://api.test/b?x=1 503 ")
  }

  @Test func theAddressOfCurlOutputIsTheNameOfItsFile() {
    let recording = ReadRecording("HTTP/2 200\n\n[]\n", path: "out/my books.txt")
    #expect(recording.lines == ["GET https://api.test/my%20books 200 []"])
    #expect(recording.exchanges[0].hasGuessedURL)
  }

  @Test func headersOfChunksAreRemoved() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(
      ReadRecording(head + "3;x=1\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n").lines.first?.hasSuffix(" [1,2]") == true)
    #expect(ReadRecording(head + "[1,2]").lines.first?.hasSuffix(" [1,2]") == true)
    #expect(ReadRecording(head + "ffffffffffffffffff\r\n").lines.first?.hasSuffix("ff") == true)
  }

  // MARK: Errors

  @Test(arguments: [
    ("", "1:1: the file is empty"),
    ("  <html>", "1:3: unknown format of a recording"),
    (
      #"{"info": {"name": "Books"}, "item": [{"request": {"url": "https://a.test/b"}}]}"#,
      "1:1: this Postman collection contains requests, but no saved responses"
    ),
    ("PK\u{3}\u{4}", "1:1: the file is a ZIP archive"), ("curl: (6) x", "1:1: unknown format of a recording"),
    (#"{"openapi": "3.1.0", "paths": {}}"#, "1:1: this is a description of an API"),
    ("openapi: 3.1.0\npaths: {}\n", "this is a description of an API"),
    ("---\n- request: [\n", "3:1: "),
    (
      "interactions:\n- request: {uri: [1]}\n  response: {body: '', status: {code: 200}}\n",
      "expected a string for the address"
    ),
    ("\u{1F}\u{8B}", "1:1: the file is compressed"),
    ("[]", "1:1: this recording contains no requests"),
    ("{\n  \"log\": {\"entries\": [}}", "2:23: invalid JSON"),
    ("{\n  \"log\": {\"entries\": 3}}", "2:22: expected a list for 'entries', found a number"),
    ("{\"log\": []}", "1:9: expected an object for 'log', found an array"),
    ("{\"log\": {\"entries\": [{\"request\": {}}]}}", "1:22: an entry has no 'response'"),
    ("[\n {\"path\": \"/a\"}]", "2:2: this exchange has neither a status nor a response"),
    ("[{\"status\": 200, \"response\": 1}]", "1:2: this exchange has no 'url' and no 'path'"),
    (
      "[{\"url\": \"https://a.test/b\", \"status\": \"ok\"}]",
      "1:40: expected a status from 100 to 599, found 'ok'"
    ),
    ("[1]", "1:2: expected an object for a recorded exchange, found a number"),
    ("HTTP/2 2000\n\n", "1:1: expected the status line of a response"),
    ("HTTP/2 200\nno header\n\n", "2:1: expected a header or an empty line"),
  ])
  func errorsNameTheirLocation(text: String, message: String) {
    let recording = ReadRecording(text)
    #expect(recording.exchanges.isEmpty)
    #expect(recording.errors.first?.hasPrefix(message) == true, "\(recording.errors)")
  }

  /// One response that cannot be used does not refuse the others.
  @Test func aBodyThatCannotBeDecodedIsNoError() {
    let wrong = #"{"mimeType": "image/png", "text": "e!", "encoding": "base64"}"#
    let unknown = #"{"mimeType": "application/json", "text": "e", "encoding": "hex"}"#
    let recording = ReadRecording(
      archive(
        entry("https://api.test/a", content: wrong), entry("https://api.test/b", content: unknown),
        entry("https://api.test/c", status: 999, text: "[]")))
    #expect(
      recording.lines == [
        "GET https://api.test/a undecodable image/png", "GET https://api.test/b undecodable application/json",
        "GET https://api.test/c 999 []",
      ])
    #expect(recording.errors == [])
    #expect(
      ReadRecording("HTTP/1.1 999 Request denied\n\n[]").lines == ["GET https://api.test/session 999 []"])
    #expect(
      ReadRecording(archive(entry("https://api.test/a", time: "yesterday"))).errors.map {
        String($0.drop { $0 != " " }.dropFirst())
      } == ["'startedDateTime' is not a time"])
  }

  @Test func manyErrorsAreCounted() {
    let recording = ReadRecording("[" + Array(repeating: "1", count: 5000).joined(separator: ",") + "]")
    #expect(recording.errors.count == 21 && recording.errors.last == "and 4980 more errors in this recording")
  }

  @Test func hostileFilesAreErrors() {
    #expect(ReadRecording(String(repeating: "[", count: 100_000)).errors.count == 1)
    #expect(ReadRecording(String(repeating: "HTTP/2 200\n\n", count: 20_000)).exchanges.count == 20_000)
    #expect(ReadRecording("HTTP/2 200\n\n{" + String(repeating: "}H", count: 200_000)).exchanges.count == 1)
  }
}
