import Testing

@testable import RecordModel

/// Tests for patterns of ignored keys. Rule: `diagnostics.drift-ignored`.
@Suite struct KeyPatternTests {
  @Test(arguments: [
    ("url", ["url"], ["URL", "urls", "html_url", "u", ""]),
    ("*_url", ["html_url", "_url", "a.b_url", "_url_url"], ["url", "html_urls", "html_ur"]),
    ("a*", ["a", "ab", "a.b"], ["ba", "A", ""]),
    ("*", ["", "a", "a.b"], []),
    ("**", ["", "a"], []),
    ("a*b*c", ["abc", "a-b-c", "abbcc", "abcbc"], ["ac", "acb", "ab", "bc", "cba", "xabc", "abcx"]),
    ("*b*", ["b", "abc", "bb"], ["a", ""]),
    ("ab*ba", ["abba", "ab-ba"], ["aba", "ab", "ba"]),
    ("a*aa*a", ["aaaa", "abaaba"], ["aaa", "aa", "abaa"]),
    ("?", ["?"], ["a"]),
    ("[a-z]", ["[a-z]"], ["a"]),
    ("größe*", ["größe.x"], ["gro\u{308}ße.x"]),
  ])
  func matches(pattern: String, matching: [String], others: [String]) {
    let pattern = KeyPattern(pattern)
    for key in matching { #expect(pattern.matches(key), "\(key)") }
    for key in others { #expect(!pattern.matches(key), "\(key)") }
  }

  @Test func joinsTheKeysOfPaths() {
    #expect(MappingPath(keys: ["meta", "dc.type", ""]).keyText == "meta.dc.type.")
    #expect(MappingPath("sizes[0].url").keyText == "sizes.url")
    #expect(MappingPath("tags.@count").keyText == "tags")
  }
}
