import JSONTree
import RecordSpec
import Testing

@Suite struct YAMLJSONTests {
  private func convert(_ text: String) -> (value: JSONValue?, diagnostics: [AuthorDiagnostic]) {
    guard let root = YAMLParser.parse(file(text)).root else { return (nil, []) }
    var diagnostics: [AuthorDiagnostic] = []
    let value = root.jsonValue(&diagnostics)
    return (value, diagnostics)
  }

  @Test(arguments: [
    ("{b: 1, a: 2}", #"{"b":1,"a":2}"#),
    ("[1.50, 1e3, 012, 0xFF, .5, -0, +7]", "[1.50,1e3,12,255,0.5,-0,7]"),
    (
      "[12345678901234567890123, 0.1000000000000000000001]",
      "[12345678901234567890123,0.1000000000000000000001]"
    ),
    ("[no, off, 2001-01-01, 1_000, '1', \"true\"]", #"["no","off","2001-01-01","1_000","1","true"]"#),
    ("[true, False, null, ~, ]", "[true,false,null,null]"),
    ("{200: {true: null}}", #"{"200":{"true":null}}"#),
    ("a: &a {x: 1}\nb: {<<: *a, y: *a}", #"{"a":{"x":1},"b":{"x":1,"y":{"x":1}}}"#),
    ("text: |\n  a\n  b\n", #"{"text":"a\nb\n"}"#),
    ("{\"a:1\", 'b:1', c:1: 2, d:1: null}", #"{"a:1":null,"b:1":null,"c:1":2,"d:1":null}"#),
  ])
  func converts(text: String, json: String) {
    let (value, diagnostics) = convert(text)
    #expect(value?.compactText() == json)
    #expect(diagnostics.isEmpty)
  }

  @Test func refusesAKeyWithoutASpaceBeforeItsValue() {
    let (value, diagnostics) = convert("[{id:7, at: 1}, {id:7: null}]")
    #expect(value == nil)
    #expect(diagnostics.map(\.message) == ["missing space after ':'"])
    #expect(diagnostics.map(\.advice) == ["write 'id: 7'; a key that contains ':' needs quotes"])
  }

  @Test func refusesWhatJSONHasNot() {
    let (value, diagnostics) = convert("[.inf, {a: -.nan, b: .NaN}, 0x10000000000000000, 1]")
    #expect(value == nil)
    #expect(
      diagnostics.map(\.message) == [
        "'.inf' is not a JSON number", "'.NaN' is not a JSON number",
        "'0x10000000000000000' does not fit into 64 bits",
      ])
  }
}
