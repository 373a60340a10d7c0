import Testing

@testable import ScenarioFormat
@testable import ScenarioReport

@Suite struct RequestAddressTests {
  private func address(_ urn: String, _ query: [String: String] = [:]) throws -> RequestAddress {
    try RequestAddress(method: "GET", urn: urn, query: query, baseURL: "https://api.test/")
  }

  /// Swift's `String` considers these addresses equal.
  @Test func addressesDifferByScalars() throws {
    #expect(try address("caf\u{E9}") != address("cafe\u{301}"))
    #expect(try address("a?q=\u{E9}") != address("a?q=e\u{301}"))
    #expect(try address("a", ["\u{E9}": "1"]) != address("a", ["e\u{301}": "1"]))
    #expect(try address("a?q=%C3%A9") == address("https://api.test/a", ["q": "\u{E9}"]))
    #expect(Set([try address("\u{E9}"), try address("e\u{301}"), try address("\u{E9}")]).count == 2)
  }

  /// Swift combines an accent with the preceding character.
  @Test func valuesMayBeginWithAnAccent() throws {
    for text in ["\u{301}a?\u{301}b=\u{301}c", "a?b=%CC%81c&\u{301}d=", "a?q=&\u{301}=1"] {
      let parsed = try address(text)
      #expect(try address(parsed.text) == parsed, "\(text)")
    }
    #expect(try address("a?\u{301}b=\u{301}c").parameters == ["\u{301}b": ["\u{301}c"]])
    #expect(try address("a?b=\u{301}c").path == "a")
  }
}
