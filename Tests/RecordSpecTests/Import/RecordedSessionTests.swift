import JSONTree
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand

/// Tests for the choice of exchanges that a scenario can contain.
struct RecordedSessionTests {
  private func session(_ entries: String...) -> (lines: [String], leftOut: [LeftOut: Int], redirects: [Int?])
  {
    let text = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
    let recording = ReadRecording(text)
    #expect(recording.errors == [])
    let session = RecordedSession(recording.exchanges)
    let lines = session.exchanges.map {
      "\($0.method) \($0.url) \($0.status ?? 0) \($0.json?.compactText() ?? "-")"
    }
    return (lines, session.leftOut, session.exchanges.map(\.redirect))
  }

  @Test func responsesThatAreNotJSONAreCounted() {
    let session = session(
      entry("https://api.test/a", text: "[1]"),
      entry("https://api.test/p", type: "text/html; x", text: "<p>"),
      entry("https://api.test/i", type: "image/png", text: "x"),
      entry("https://api.test/j", type: "text/javascript", text: "f([1])"),
      entry("https://api.test/c", type: "text/css", text: "x"),
      entry("https://api.test/f", type: "font/woff2", text: "x"),
      entry("https://api.test/b", text: "[1"), entry("https://api.test/t", type: "text/plain", text: "[2]"),
      entry("https://api.test/o", method: "OPTIONS", status: 204),
      entry("chrome-extension://x/y", text: "[]"),
      entry("https://api.test/q?=1", text: "[]"))
    #expect(session.lines.prefix(2) == ["GET https://api.test/a 200 [1]", "GET https://api.test/t 200 [2]"])
    for reason in [LeftOut.page, .image, .script, .styleSheet, .font, .invalidJSON, .preflight, .notHTTP] {
      #expect(session.leftOut[reason] == 1, "\(reason)")
    }
    #expect(session.leftOut[.address, default: 0] >= 1)
  }

  /// Many servers send JSON with another media type. Other texts of these types are left out.
  @Test(arguments: [
    "text/html; charset=utf-8", "text/javascript", "application/javascript", "text/plain", "", "x/y",
  ])
  func jsonIsRecognizedByItsContent(type: String) {
    let session = session(
      entry("https://api.test/a", type: type, text: #"[{"id": 1}]"#),
      entry("https://api.test/b", type: type, text: #" {"id": 1}"#),
      entry("https://api.test/c", type: type, text: "[1], f()"),
      entry("https://api.test/d", type: type, text: "12"))
    #expect(
      session.lines == [#"GET https://api.test/a 200 [{"id":1}]"#, #"GET https://api.test/b 200 {"id":1}"#])
  }

  @Test func aByteOrderMarkIsIgnored() {
    let session = session(
      entry("https://api.test/a", text: "\u{FEFF}[1]"),
      entry("https://api.test/b", type: "", text: "\u{FEFF}[2]"))
    #expect(session.lines == ["GET https://api.test/a 200 [1]", "GET https://api.test/b 200 [2]"])
  }

  /// A browser logs the body in its cache with the status that confirms it.
  @Test func aConfirmedBodyIsThatOfASuccess() {
    let session = session(
      entry("https://api.test/a", status: 304, text: "[1]"), entry("https://api.test/a", status: 304))
    #expect(session.lines == ["GET https://api.test/a 200 [1]", "GET https://api.test/a 304 -"])
  }

  /// A body that was not recorded is no empty body, whatever the status. A redirect needs none.
  @Test func bodiesThatWereNotRecordedAreCounted() {
    let missing = #"{"size": 5000, "mimeType": "application/json"}"#
    let session = session(
      entry("https://api.test/a", content: missing),
      entry("https://api.test/b", status: 500, content: missing),
      entry("https://api.test/c", content: "{}"),
      entry("https://api.test/i", content: #"{"size": 9, "mimeType": "image/png"}"#),
      entry("https://api.test/d", status: 302, headers: [("Location", "/e")], content: missing),
      entry("https://api.test/e", text: "[1]"))
    #expect(session.lines == ["GET https://api.test/d 302 -", "GET https://api.test/e 200 [1]"])
    #expect(session.leftOut == [.withoutBody: 3, .image: 1])
  }

  /// Recorders may omit the text of a body, or leave it empty.
  @Test func responsesThatAreNotJSONAreCountedWithoutTheirText() {
    let html = { (more: String) in #"{"mimeType": "text/html", \#(more) "text": ""}"# }
    let session = session(
      entry("https://api.test/a", text: "[1]"), entry("https://api.test/i", type: "image/png", text: ""),
      entry("https://api.test/i", method: "POST", type: "image/gif"),
      entry("https://api.test/i", method: "HEAD", type: "image/png", text: ""),
      entry("https://api.test/i", status: 304, type: "image/png", text: ""),
      entry("https://api.test/f", type: "font/woff2", text: ""),
      entry("https://api.test/p", type: "text/html", text: ""),
      entry("https://api.test/t", type: "text/plain", text: ""),
      entry(
        "https://api.test/q", method: "POST", headers: [("Content-Type", "text/html")],
        content: html(#""size": 9,"#)),
      entry(
        "https://api.test/j", headers: [("Content-Type", "application/json")],
        content: #"{"mimeType": "application/json", "size": 9, "text": ""}"#),
      entry("https://api.test/r", method: "POST", content: html("")),
      entry("https://api.test/n", status: 204, type: "text/html", text: ""),
      entry(
        "https://api.test/m", status: 304, headers: [("Content-Type", "application/json")],
        content: #"{"mimeType": "application/json", "size": 9, "text": ""}"#),
      entry(
        "https://api.test/h", method: "HEAD", headers: [("Content-Type", "application/json")],
        content: #"{"mimeType": "application/json", "size": 9, "text": ""}"#),
      entry("https://api.test/x", status: 500, type: "text/html", text: ""),
      entry(
        "https://api.test/y", type: "text/html", text: "", requestHeaders: [("Accept", "application/json")]))
    #expect(
      session.lines == [
        "GET https://api.test/a 200 [1]", "POST https://api.test/r 200 -", "GET https://api.test/n 204 -",
        "GET https://api.test/m 304 -", "HEAD https://api.test/h 200 -", "GET https://api.test/x 500 -",
        "GET https://api.test/y 200 -",
      ])
    #expect(session.leftOut == [.image: 4, .font: 1, .page: 2, .otherContent: 1, .withoutBody: 1])
  }

  @Test func responsesThatCannotBeReadAreCounted() {
    let broken = { (type: String) in #"{"mimeType": "\#(type)", "text": "e!", "encoding": "base64"}"# }
    let session = session(
      entry("https://api.test/a", text: "[1]"), entry("https://api.test/i", content: broken("image/png")),
      entry("https://api.test/b", content: broken("application/json")),
      entry("https://api.test/c", content: broken("")), entry("https://api.test/d", status: 999, text: "[]"))
    #expect(session.lines == ["GET https://api.test/a 200 [1]"])
    #expect(session.leftOut == [.image: 1, .undecodableBody: 2, .invalidStatus: 1])
  }

  @Test func requestsAreSortedByTime() {
    let session = session(
      entry("https://api.test/b", text: "[]", time: "2031-05-01T10:00:01.5Z"),
      entry("https://api.test/a", text: "[]", time: "2031-05-01T12:00:01+02:00"))
    #expect(session.lines == ["GET https://api.test/a 200 []", "GET https://api.test/b 200 []"])
  }

  @Test func redirectsAreFollowed() {
    let to = { (location: String) in [("Location", location)] }
    let session = session(
      entry("https://api.test/a", status: 301, headers: to("/b")), entry("https://api.test/x", text: "[0]"),
      entry("https://api.test:443/b", status: 302, headers: to("c?z=1")),
      entry("https://api.test/c?z=1", text: "[1]"),
      entry("https://api.test/page", status: 302, headers: to("/welcome")),
      entry("https://api.test/welcome", type: "text/html", text: "<p>"))
    #expect(
      session.lines == [
        "GET https://api.test/a 301 -", "GET https://api.test/x 200 [0]", "GET https://api.test/b 302 -",
        "GET https://api.test/c?z=1 200 [1]",
      ])
    #expect(session.redirects == [2, nil, 3, nil])
    #expect(session.leftOut == [.page: 1, .redirect: 1])
  }

  @Test(arguments: [
    ("a?x=1&y=2", #"{"next": "c"}"#, "a?y=2&x=1&after=c", true),
    ("a?after=b&x=1", #"{"next": "c"}"#, "a?x=1&after=c", true),
    ("a?x=1", #"{"next": "c"}"#, "a?after=c", false), ("a", #"{"next": "c"}"#, "a?after=c&n=1", false),
    ("a?after=c", #"{"next": "c"}"#, "a?after=c", false), ("a", #"{"next": ""}"#, "a?after=", false),
    ("a", #"{"other": "c"}"#, "a?after=c", false), ("a", #"{"next": "c"}"#, "b?after=c", false),
    ("a", #"{"next": "/a?p=2&q=1"}"#, "a?q=1&p=2", true), ("a/b", #"{"x": {"n": "?p=2"}}"#, "a/b?p=2", true),
  ])
  func pagesFollowEachOther(first: String, response: String, next: String, follows: Bool) throws {
    let recording = ReadRecording(
      archive(
        entry("https://api.test/" + first, text: response), entry("https://api.test/" + next, text: "{}")))
    let session = RecordedSession(recording.exchanges)
    try #require(session.exchanges.count == 2)
    let paging = RecordedPaging(from: session.exchanges[0], to: session.exchanges[1])
    #expect((paging != nil) == follows, "\(String(describing: paging))")
  }

  @Test(.timeLimit(.minutes(5))) func pagesAreFoundInLinearTime() throws {
    let parameters = (0..<20_000).map { "p\($0)=1" }.joined(separator: "&")
    let members = (0..<20_000).map { #""k\#($0)": "/a?\#($0)""# }.joined(separator: ", ")
    let recording = ReadRecording(
      archive(
        entry("https://api.test/a?\(parameters)", text: #"{\#(members), "next": "c"}"#),
        entry("https://api.test/a?\(parameters)&after=c", text: "{}")))
    let session = RecordedSession(recording.exchanges)
    #expect(
      RecordedPaging(from: session.exchanges[0], to: session.exchanges[1])
        == .cursor(["next"], parameter: "after"))
  }

  @Test func responsesWithoutContentAreKeptIfTheyAreOfTheAPI() {
    let any = [("Accept", "*/*")]
    let session = session(
      entry("https://api.test/a?p=1", text: "[1]", requestHeaders: any),
      entry("https://api.test/a?p=1", status: 304, requestHeaders: any),
      entry("https://cdn.test/logo", status: 304, requestHeaders: [("Accept", "image/png")]),
      entry("https://cdn.test/x", status: 304, requestHeaders: any),
      entry("https://api.test/a/1", method: "DELETE", status: 204, requestHeaders: any),
      entry(
        "https://api.test/z", status: 502, type: "text/html", text: "<p>",
        requestHeaders: [("Accept", "application/json")]),
      entry(
        "https://api.test/y", status: 404, requestHeaders: any, more: #", "_resourceType": "xhr""#,
        content: #"{"size": 0, "mimeType": ""}"#))
    #expect(
      session.lines == [
        "GET https://api.test/a?p=1 200 [1]", "GET https://api.test/a?p=1 304 -",
        "DELETE https://api.test/a/1 204 -",
        "GET https://api.test/z 502 -", "GET https://api.test/y 404 -",
      ])
    #expect(session.leftOut == [.otherContent: 2])
  }
}
