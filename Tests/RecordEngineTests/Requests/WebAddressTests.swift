import RecordModel
import Testing

@testable import RecordEngine

/// Tests for addresses and for resolving references.
@Suite struct WebAddressTests {
  /// The examples of RFC 3986, section 5.4, except those with a scheme that is not followed by `//`.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("https://x/y", "https://x/y"),
  ])
  func referencesAtAnAddress(reference: String, expected: String) {
    let base = WebAddress("http://a/b/c/d;p?q")
    #expect(base.resolving(WebAddress(reference)).text == expected)
  }

  @Test(arguments: [
    ("feed/all?a=b", "?page=2", "feed/all?page=2"), ("feed/all", "more", "feed/more"),
    ("feed", "more", "more"),
    ("feed", "../more", "../more"), ("feed/all", "../../more", "../more"),
    ("feed", "/v2/more?a", "/v2/more?a"),
    ("feed", "//x/y", "//x/y"), ("feed", "https://x/y?z", "https://x/y?z"), ("feed/all", "", "feed/all"),
    ("/feed", ".//x", "/.//x"),
  ])
  func referencesAtARelativeAddress(urn: String, reference: String, expected: String) {
    let text = WebAddress(urn).resolving(WebAddress(reference)).text
    #expect(text == expected)
    // Parsing the result does not change its kind.
    #expect(WebAddress(text).isAbsolute == expected.contains(/^(https:)?\/\/x\//))
  }

  @Test(
    arguments: [
      ("http://a/b:c", "http", "/b:c"), ("HTTP+x.1-y://a", "http+x.1-y", ""), ("x:///a", "x", "/a"),
      ("documents:search", nil, "documents:search"), ("a:/b", nil, "a:/b"), ("a:", nil, "a:"), ("", nil, ""),
      ("1a://b", nil, "1a://b"), ("://b", nil, "://b"), ("a/b://c", nil, "a/b://c"),
      ("a b://c", nil, "a b://c"),
      ("ä://c", nil, "ä://c"), ("e\u{301}://c", nil, "e\u{301}://c"), ("@://c", nil, "@://c"),
      ("[://c", nil, "[://c"),
    ] as [(String, String?, String)])
  func schemes(text: String, scheme: String?, path: String) {
    let address = WebAddress(text)
    #expect(address.scheme == scheme && address.path == path)
    #expect(address.isAbsolute == (scheme != nil))
  }

  @Test func parameters() {
    var address = WebAddress("a?b=c+d&e%5B%5D=%C3%BC&&f&g==h&b=i#j")
    #expect(address.parameters.map(\.name) == ["b", "e[]", "f", "g", "b"])
    #expect(address.parameters.map(\.value) == ["c d", "ü", "", "=h", "i"])
    address.parameters.removeAll { $0.name == "b" }
    #expect(address.text == "a?e%5B%5D=%C3%BC&f&g==h")
    address.parameters = []
    #expect(address.text == "a")
  }

  @Test(arguments: ["", "a", "a b", "+", "&=", "%", "%41", "ü🦆e\u{301}", "\r\n\0", "a?b#c/d"])
  func encodedTextsAreDecodedToThemselves(text: String) {
    let encoded = PercentEncoding.parameter(text)
    #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"&=+#?/".utf8.contains($0) })
    #expect(PercentEncoding.decoded(encoded) == text)
    // An encoded address stays unchanged.
    let address = PercentEncoding.address(text)
    #expect(PercentEncoding.address(address) == address)
  }
}
