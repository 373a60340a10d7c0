import Testing

@testable import RecordEngine

struct HTTPTextTests {
  @Test func names() {
    #expect(HTTPText.names(" Accept,, ,X-A\t,") == ["accept", "x-a"])
    #expect(HTTPText.names("") == [])
  }

  @Test(arguments: [
    ("  a   b\t,  c ", "a b,c"), (#""a  b" ,  c"#, #""a  b",c"#), (#""a\"  b" , c"#, #""a\"  b",c"#),
    (#""a\\" , b"#, #""a\\",b"#), (#""" ,  b"#, #""",b"#),
  ])
  func normalized(text: String, expected: String) { #expect(HTTPText.normalized(text) == expected) }

  /// The order of dictionaries is random. That of spellings and of the written text is not.
  @Test func headersHaveAnOrder() {
    let names = (10..<40).map { "X-Name\($0)" }
    var headers: [String: String] = [:]
    for name in names { (headers[name], headers[name.lowercased()]) = ("first", "second") }
    let kept = CachedResponse.keptHeaders(headers)
    #expect(kept.count == names.count && kept.values.allSatisfy { $0 == "first, second" })
    let members = names.map { "\"\($0.lowercased())\":\"first, second\"" }.joined(separator: ",")
    #expect(cached(headers).headersText == "{\(members)}")
  }
}
