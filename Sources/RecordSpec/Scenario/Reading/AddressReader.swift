import RecordModel

/// Reads the address of canned responses: `[METHOD ]path[?query]`, `POST posts?draft=1`.
struct AddressReader {
  let findings: Findings
  /// What paths are relative to; an address may also be written in full.
  let baseURL: String

  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

  struct Address {
    var method: String
    var path: String
    var parameters: [String: String]
  }

  /// The address that is the key of a mapping.
  func address(_ pair: YAMLPair) -> Address? {
    var rest = Substring(pair.key)
    var method = "GET"
    if let space = rest.firstIndex(of: " ") {
      let word = String(rest[..<space])
      guard let known = checkedMethod(word, at: pair.keySpan) else { return nil }
      method = known
      rest = rest[space...].drop { $0 == " " }
    }
    if rest.contains(where: { $0.isWhitespace }) {
      report(pair, "an address has no spaces", advice: "write a space as '%20'")
      return nil
    }
    if rest.contains("#") {
      report(pair, "an address has no '#'", advice: "write a '#' as '%23'")
      return nil
    }
    if rest.hasPrefix(baseURL) { rest = rest.dropFirst(baseURL.count) }
    let mark = rest.firstIndex(of: "?") ?? rest.endIndex
    guard mark > rest.startIndex else {
      report(pair, "the address has no path")
      return nil
    }
    do {
      let parameters = try QueryParameters.parse(rest[mark...].dropFirst())
      return Address(method: method, path: String(rest[..<mark]), parameters: parameters)
    } catch {
      report(pair, error.message, advice: error.advice)
      return nil
    }
  }

  /// The address that a request names. Its query is checked here, so that a run never meets a wrong one.
  func urn(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = findings.string(pair) else { return nil }
    if text.contains(where: { $0.isWhitespace }) {
      findings.report(
        .addressSyntax, at: pair.value.span, "an address has no spaces",
        advice: "write a space as '%20'; the method stands in 'method'")
      return nil
    }
    do {
      _ = try QueryParameters.parse(text.drop { $0 != "?" }.dropFirst())
      return text
    } catch {
      findings.report(.addressSyntax, at: pair.value.span, error.message, advice: error.advice)
      return nil
    }
  }

  func method(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = findings.string(pair) else { return nil }
    return checkedMethod(text, at: pair.value.span)
  }

  private func checkedMethod(_ word: String, at span: SourceSpan) -> String? {
    if Self.methods.contains(word) { return word }
    findings.report(
      .addressSyntax, at: span, "'\(word)' is no HTTP method", expected: Findings.oneOf(Self.methods),
      advice: nearestName(to: word, among: Self.methods).map { "did you mean '\($0)'?" })
    return nil
  }

  private func report(_ pair: YAMLPair, _ message: String, advice: String? = nil) {
    findings.report(
      .addressSyntax, at: pair.keySpan, message,
      advice: advice ?? "write 'path', 'path?key=value' or 'POST path'")
  }
}
