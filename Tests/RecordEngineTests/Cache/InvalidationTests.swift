import Testing

@testable import RecordEngine

/// Tests for the addresses whose cached responses a changing request invalidates.
@Suite struct InvalidationTests {
  private let own = "https://a.example/posts/1?x=y"

  private func urls(
    _ headers: [String: String] = [:], method: String = "POST", status: Int = 200, urn: String? = nil,
    sent: (method: String, urn: String)? = nil
  ) -> [String] {
    var response = answering(headers, status: status)
    response.sentRequest = sent.map { ServerRequest(method: $0.method, urn: $0.urn) }
    return ServerRequest(method: method, urn: urn ?? own).invalidatedURLs(by: response)
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "MOVE", "get"])
  func itsOwn(method: String) {
    #expect(urls(method: method) == [own])
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
  func safeMethods(method: String) {
    #expect(urls(["Location": "/x"], method: method) == [])
  }

  @Test(arguments: [
    (199, false), (200, true), (201, true), (204, true), (303, true), (399, true), (400, false), (500, false),
  ])
  func status(status: Int, expected: Bool) {
    #expect(urls(["Location": "/x"], status: status).isEmpty != expected)
  }

  @Test(
    arguments: [
      ("/posts/2", "https://a.example/posts/2"), ("2", "https://a.example/posts/2"),
      ("?z", "https://a.example/posts/1?z"),
      (" ../tags ", "https://a.example/tags"), ("https://a.example/b#c", "https://a.example/b"),
      ("HTTPS://A.Example:443/b", "https://a.example/b"), ("//a.example/b", "https://a.example/b"),
      ("https://user:word@a.example/b", "https://a.example/b"), ("", nil), (own(), nil),
      ("https://b.example/posts/2", nil), ("http://a.example/posts/2", nil),
      ("https://a.example:8443/b", nil),
      ("https://a.example.evil/b", nil), ("https://a.example@b.example/b", nil), ("//b.example/b", nil),
      ("//a.example", "https://a.example/"), ("https://A.example:443?z", "https://a.example/?z"),
    ] as [(String, String?)])
  func others(reference: String, expected: String?) {
    #expect(urls(["location": reference]) == [own] + [expected].compactMap { $0 })
    #expect(urls(["CONTENT-Location": reference]) == [own] + [expected].compactMap { $0 })
  }

  private static func own() -> String { "https://a.example/posts/1?x=y" }

  @Test func bothInTheirOrderAndOnce() {
    #expect(
      urls(["Content-Location": "/b", "Location": "/c"])
        == [own, "https://a.example/c", "https://a.example/b"])
    #expect(urls(["Content-Location": "/b", "Location": "/b"]) == [own, "https://a.example/b"])
  }

  /// After `POST posts` and a `303 See Other` to the created post, the redirect's target is invalidated too.
  @Test func whereARedirectHasLed() {
    func urls(_ sent: String, _ headers: [String: String] = [:], method: String = "POST") -> [String] {
      var response = answering(headers)
      response.sentRequest = ServerRequest(urn: sent)
      return ServerRequest(method: method, urn: own).invalidatedURLs(by: response)
    }
    #expect(urls("https://a.example/posts/2") == [own, "https://a.example/posts/2"])
    #expect(
      urls("https://A.EXAMPLE/posts/2", ["Location": "/b"]) == [
        own, "https://a.example/b", "https://a.example/posts/2",
      ])
    #expect(urls(own) == [own])
    #expect(urls("https://b.example/posts/2") == [own])
    #expect(urls("https://a.example/posts/2", method: "GET") == [])
  }

  /// The addresses have the notation of the request, because cached requests use it too.
  @Test func writtenAsTheRequestWroteThem() {
    #expect(
      urls(["Location": "https://a/c"], urn: "https://A:443/b") == ["https://A:443/b", "https://A:443/c"])
    #expect(
      urls(["Location": "http://[::1]/c"], urn: "http://[::1]:80/b") == [
        "http://[::1]:80/b", "http://[::1]:80/c",
      ])
  }

  /// A redirect that keeps the method sends the change to another address. Relative references are resolved against
  /// that address.
  @Test(
    arguments: [
      ("https://a.example/posts/1?x=y", "2", ["https://a.example/posts/2"]),
      ("https://a.example/posts/", "7", ["https://a.example/posts/", "https://a.example/posts/7"]),
      ("https://b.example/in/", "7", ["https://b.example/in/", "https://b.example/in/7"]),
      ("https://b.example/in/", "https://a.example/posts/7", ["https://b.example/in/"]),
    ] as [(String, String, [String])])
  func whoHasDoneIt(sent: String, location: String, others: [String]) {
    #expect(urls(["Location": location], status: 201, sent: ("POST", sent)) == [own] + others)
  }

  /// Relative references in a response are resolved against the address that sent it.
  @Test func whatIsNamedBehindARedirect() {
    let named = ["Content-Location": "8"]
    #expect(
      urls(named, sent: ("GET", "https://a.example/v2/7")) == [
        own, "https://a.example/v2/8", "https://a.example/v2/7",
      ])
    #expect(urls(named, sent: ("GET", "https://b.example/v2/7")) == [own])
  }
}
