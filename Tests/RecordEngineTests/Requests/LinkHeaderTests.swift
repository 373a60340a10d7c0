import Testing

@testable import RecordEngine

/// Tests for `Link` headers of servers.
@Suite struct LinkHeaderTests {
  private func links(_ text: String) -> [String] {
    LinkHeader(text).links.map { "\($0.target) \($0.relations.joined(separator: " "))" }
  }

  @Test(arguments: [
    (
      #"<https://a/b?page=2>; rel="next", <https://a/b?page=9>; rel="last""#,
      ["https://a/b?page=2 next", "https://a/b?page=9 last"]
    ),
    ("<a>;rel=next,<b>;rel=prev", ["a next", "b prev"]),
    (
      #"<a>; REL="Next  prefetch"; title="x, <y>; rel=\"no\"" , <b> ; rel = last"#,
      ["a next prefetch", "b last"]
    ),
    (#"<a,b;c>; rel="next"; rel="prev""#, ["a,b;c next"]), ("<a>", ["a "]),
    ("<a>; crossorigin; rel=next", ["a next"]),
    (#"<a>; rel=next; anchor="/x", <b>; rel=next"#, ["b next"]), (", ,<a>; rel=next,", ["a next"]),
    ("<>; rel=next", [" next"]), ("", []), ("a; rel=next", []), ("<a", []), ("<a>; rel=\"next", []),
    ("<a>; rel=next; <b>; rel=prev", ["a next"]), ("<a>; rel=next, <b", ["a next"]),
    ("<ü>; rel=next", ["ü next"]),
    // A space and the following combining letter are one character, but the space is still a separator.
    ("<a>; rel=\"next \u{711}\u{130}\"", ["a next \u{711}\u{130}"]),
    ("<a>;;;rel=next", ["a next"]), ("<a>; rel=\"\\", []),
  ])
  func isRead(text: String, expected: [String]) {
    #expect(links(text) == expected)
  }

  @Test func theFirstLinkOfARelationThatLeadsSomewhere() {
    let header = LinkHeader("<>; rel=next, <a>; rel=\"other next\", <b>; rel=next")
    #expect(header.target("next") == "a")
    #expect(header.target("last") == nil)
  }

  /// Every part of a header can be parsed.
  @Test func everyPart() {
    let text = Array(#"<a>; rel="n\"ext"; title*=UTF-8''x, <b>;rel=prev ; a = "b" ,<c"#)
    for start in text.indices {
      for end in start..<text.count { _ = LinkHeader(String(text[start...end])).links }
    }
  }
}
