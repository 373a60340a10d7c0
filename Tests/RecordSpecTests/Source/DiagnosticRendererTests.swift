import RecordSpec
import Testing

@Suite struct DiagnosticRendererTests {
  /// Returns a diagnostic that underlines `marked` in `text`.
  private func diagnostic(_ text: String, _ marked: String, severity: AuthorDiagnostic.Severity = .error)
    -> AuthorDiagnostic
  {
    let bytes = Array(text.utf8)
    let wanted = Array(marked.utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: wanted) } ?? bytes.count
    let file = file(text)
    return AuthorDiagnostic(
      .unknownKey, at: file.span(start..<start + wanted.count), "message", severity: severity)
  }

  /// Returns the two lines of the source excerpt without the gutter.
  private func excerpt(_ text: String, _ marked: String) -> String {
    DiagnosticRenderer().text(of: diagnostic(text, marked)).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .dropFirst().prefix(2).map { $0.dropFirst(8) }.joined(separator: "\n")
  }

  @Test func showsEverythingThatIsKnown() {
    var diagnostic = diagnostic("title: a\nreponses:\n", "reponses")
    diagnostic.expected = "a key of a scenario"
    diagnostic.advice = "did you mean 'responses'?"
    diagnostic.notes = [.init(diagnostic.span!.file.span(0..<5), "after this")]
    #expect(
      DiagnosticRenderer().text(of: diagnostic) == """
        a.yaml:2:1: error: message [unknown-key]
            2 | reponses:
              | ^^^^^^^^
            1 | title: a
              | ----- after this
              = expected: a key of a scenario
              = help: did you mean 'responses'?

        """)
  }

  @Test func showsAFileAlone() {
    let diagnostic = AuthorDiagnostic(
      .yamlEmpty, at: .file("b.yaml"), "the file is empty", severity: .warning)
    #expect(DiagnosticRenderer().text(of: diagnostic) == "b.yaml: warning: the file is empty [yaml-empty]\n")
  }

  @Test(arguments: [
    ("a: b", "b", "a: b\n   ^"),
    ("\tkey: x", "x", "    key: x\n         ^"),
    ("ab\tx", "x", "ab  x\n    ^"),
    ("日本: x", "x", "日本: x\n      ^"),
    ("日本: x", "日本", "日本: x\n^^^^"),
    ("e\u{301}: x", "x", "e\u{301}: x\n   ^"),
    ("👩‍👩‍👧: x", "x", "👩‍👩‍👧: x\n    ^"),
    ("a\u{202E}b", "b", "a\u{FFFD}b\n  ^"),
    ("a: [1,\n2]", "[1,\n2]", "a: [1,\n   ^^^"),
    ("a", "absent", "a\n ^"),
  ])
  func aligns(text: String, marked: String, expected: String) {
    #expect(excerpt(text, marked) == expected)
  }

  @Test func clipsLongLines() {
    let filler = String(repeating: "0123456789", count: 30)
    let middle = excerpt(filler + "X" + filler, "X").split(separator: "\n")
    #expect(middle[0].count == 100)
    #expect(middle[0].hasPrefix("…") && middle[0].hasSuffix("…"))
    #expect(middle[0].prefix { $0 != "X" }.count == middle[1].prefix { $0 != "^" }.count)

    let start = excerpt("X" + filler, "X").split(separator: "\n")
    #expect(start[0].hasPrefix("X012") && start[0].hasSuffix("…") && start[0].count == 100)

    let end = excerpt(filler + "X", "X").split(separator: "\n")
    #expect(end[0].hasPrefix("…") && end[0].hasSuffix("9X") && end[0].count == 100)

    let whole = excerpt(filler, filler).split(separator: "\n")
    #expect(whole[0].count == 75 && whole[1].count == 75)
  }

  @Test func colors() {
    let text = DiagnosticRenderer(isColored: true).text(of: diagnostic("a: b", "b"))
    #expect(text.contains("\u{1B}[1;31merror:\u{1B}[0m message"))
    #expect(text.contains("   \u{1B}[1;31m^\u{1B}[0m"))
  }

  @Test func sortsByFileThenLocationWithoutDuplicates() {
    let first = file("abc", path: "a.yaml")
    let second = file("abc", path: "b.yaml")
    let diagnostics = [
      AuthorDiagnostic(.unknownKey, at: second.span(0..<1), "four"),
      AuthorDiagnostic(.unknownKey, at: first.span(2..<3), "three"),
      AuthorDiagnostic(.unknownKey, at: first.span(0..<1), "two"),
      AuthorDiagnostic(.unknownKey, at: first.span(0..<1), "two"),
      AuthorDiagnostic(.unreadableFile, at: .file("a.yaml"), "one"),
    ]
    #expect(diagnostics.sortedByLocation().map(\.message) == ["one", "two", "three", "four"])
  }
}
