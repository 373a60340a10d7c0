import Testing

@testable import RecordModel

/// Tests for the texts around keys. Rule: `identity.key-pattern`.
@Suite struct KeyTextPatternTests {
  @Test(arguments: [
    ("*/{key}", ["Patient/p1": "p1", "gid://shop/Product/1": "1", "/7": "7"], ["p1", "people/7/", "/", ""]),
    ("*/{key}/", ["https://a.test/people/7/": "7", "/7/": "7"], ["people/7", "7/", "//", "/"]),
    ("*/{key}/ | */{key}", ["/people/7/": "7", "/people/7": "7"], ["7"]),
    ("repos/{key}", ["repos/ada/tide": "ada/tide"], ["a/repos/ada", "repos/", "repos"]),
    (
      "*/{key}/_history/*", ["Patient/1/_history/2": "1", "a/Patient/1/_history/": "1"],
      ["Patient/1", "/_history/2"]
    ),
    ("{key}:*", ["a:b:c": "a", "a:": "a"], [":b", "a"]),
    ("*:{key}:*", ["a:b:c:d": "c", "a:b:": "b"], ["a:b", "::"]),
    ("<*#{key}>", ["<a#b#c>": "c", "<#c>": "c"], ["<a#>", "a#c", "<c>"]),
    ("a{key}a", ["aba": "b", "aaa": "a"], ["aa", "a"]),
    ("*aa{key}aa*", ["aaaaaa": "a"], ["aaaa"]),
    ("*({key})", ["Products(2)": "2", "(ö)": "ö"], ["Products()", "Products(2"]),
  ])
  func findsKeys(pattern: String, keys: [String: String], others: [String]) throws {
    let pattern = try KeyTextPattern(pattern)
    for (text, key) in keys { #expect(pattern.key(in: text) == key, "\(text)") }
    for text in others { #expect(pattern.key(in: text) == nil, "\(text)") }
  }

  @Test(arguments: [
    ("", "'' must contain '{key}' once"), ("people/", "'people/' must contain '{key}' once"),
    ("{key}/{key}", "'{key}/{key}' must contain '{key}' once"),
    ("*/{key} | ", "'' must contain '{key}' once"), ("{key}", "'{key}' has no text around '{key}'"),
    ("*{key}", "in '*{key}', no text separates '*' from '{key}'"),
    ("/{key}*", "in '/{key}*', no text separates '*' from '{key}'"),
    ("*/*/{key}", "'*/*/{key}' has more than one '*' on a side of '{key}'"),
  ])
  func refusesOtherTexts(pattern: String, message: String) {
    #expect(throws: KeyTextPatternError(message: message)) { try KeyTextPattern(pattern) }
  }
}
