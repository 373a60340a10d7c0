import JSONTree
import Testing

@Suite struct PointerTests {
  @Test(
    arguments: [
      ("", []), ("/", [""]), ("/a", ["a"]), ("/a/0/b", ["a", "0", "b"]), ("/a~1b/m~0n", ["a/b", "m~n"]),
      ("/~01", ["~1"]),
      ("//", ["", ""]), ("/é/ /%", ["é", " ", "%"]), ("/a\u{301}/\u{301}", ["a\u{301}", "\u{301}"]),
    ] as [(String, [String])])
  func readsAndWrites(text: String, tokens: [String]) {
    #expect(JSONPointer(text)?.tokens == tokens)
    #expect(JSONPointer(tokens: tokens).description == text)
  }

  @Test(arguments: ["a", "a/b", "#/a", "/~", "/~2", "/a~", "/~/0"])
  func refuses(text: String) { #expect(JSONPointer(text) == nil) }

  @Test func appending() {
    let pointer = JSONPointer().appending("entities").appending("a/b").appending(3)
    #expect(pointer.description == "/entities/a~1b/3")
    #expect(pointer == JSONPointer("/entities/a~1b/3"))
  }
}
