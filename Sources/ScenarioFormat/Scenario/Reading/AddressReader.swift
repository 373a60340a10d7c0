import Foundation
import RecordModel

/// The reader of addresses of canned responses: `[METHOD ]path[?query]`, such as `POST posts?draft=1`.
struct AddressReader {
  let findings: Findings
  /// The URL that paths are relative to. Addresses may also be absolute.
  let baseURL: String

  /// The common methods. A word that is similar to one of them is reported as a typo.
  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

  /// Returns the address in the key of a mapping.
  func address(_ pair: YAMLPair) -> RequestAddress? { address(pair.key, at: pair.keySpan) }

  /// Returns the address in a value.
  func address(_ node: YAMLNode, for what: String) -> RequestAddress? {
    findings.nonEmptyString(node, for: what).flatMap { address($0, at: node.span) }
  }

  private func address(_ text: String, at span: SourceSpan) -> RequestAddress? {
    var rest = Substring(text)
    var method = "GET"
    if let space = rest.firstIndex(of: " ") {
      let word = String(rest[..<space])
      let last = rest[space...].trimmingCharacters(in: .whitespaces).uppercased()
      if Self.methods.contains(last), !Self.isMethod(word) {
        report(span, "unknown HTTP method '\(word)'", advice: "write the method first: '\(last) \(word)'")
        return nil
      }
      guard let known = checkedMethod(word, at: span) else { return nil }
      method = known
      rest = rest[space...].drop { $0 == " " }
    }
    if rest.contains(where: { $0.isWhitespace }) {
      report(span, "an address cannot contain spaces", advice: "write a space as '%20'")
      return nil
    }
    if reportsPlaceholder(in: rest, at: span) { return nil }
    if rest.contains("#") {
      report(span, "an address cannot contain '#'", advice: "write a '#' as '%23'")
      return nil
    }
    if rest.isEmpty || rest.hasPrefix("?") {
      report(span, "the address has no path", advice: "write '/' for the root of the server")
      return nil
    }
    do {
      return try RequestAddress(method: method, urn: rest, baseURL: baseURL)
    } catch {
      report(span, error.message, advice: error.advice)
      return nil
    }
  }

  /// Returns the address of a request. Checks its query, so that an invalid one is reported before the scenario runs.
  func urn(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = findings.string(pair), !reportsPlaceholder(in: text, at: pair.value.span)
    else { return nil }
    if text.contains(where: { $0.isWhitespace }) {
      findings.report(
        .addressSyntax, at: pair.value.span, "an address cannot contain spaces",
        advice: "write a space as '%20', and the HTTP method in 'method'")
      return nil
    }
    do {
      _ = try QueryParameters.parse(Substring(text.unicodeScalars.drop { $0 != "?" }.dropFirst()))
      return text
    } catch {
      findings.report(.addressSyntax, at: pair.value.span, error.message, advice: error.advice)
      return nil
    }
  }

  /// Returns the first variable in the notation of shells and templates, such as `${HOST}` or `{{host}}`.
  private static func variable(in text: some StringProtocol) -> String? {
    // Most addresses have no variable, and this is faster than searching for texts.
    guard text.utf8.contains(UInt8(ascii: "{")) else { return nil }
    for (start, end) in [("${", "}"), ("{{", "}}")] {
      if let open = text.firstRange(of: start), let close = text[open.upperBound...].firstRange(of: end) {
        return String(text[open.lowerBound..<close.upperBound])
      }
    }
    return nil
  }

  /// Reports a part of an address that other tools replace. Returns a Boolean value that indicates whether there is one.
  private func reportsPlaceholder(in text: some StringProtocol, at span: SourceSpan) -> Bool {
    if let name = Self.variable(in: text) {
      report(
        span, "'\(name)' is not replaced, because scenarios have no variables",
        advice: "write the address, relative to 'baseURL'")
      return true
    }
    guard let name = Self.placeholder(in: text) else { return false }
    report(
      span, "'\(name)' is not replaced, because addresses have no placeholders",
      advice: "write the value, and an address for each value")
    return true
  }

  /// Returns the first part of a path that stands for any value in other formats, such as `:id` or `{id}`.
  static func placeholder(in text: some StringProtocol) -> String? {
    for part in text.prefix(while: { $0 != "?" }).split(separator: "/") {
      var name = Substring(part)
      if name.hasPrefix("{"), name.hasSuffix("}") {
        name = name.dropFirst().dropLast()
      } else if name.hasPrefix(":") {
        name = name.dropFirst()
      } else {
        continue
      }
      guard let first = name.first, first.isLetter || first == "_",
        name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
      else { continue }
      return String(part)
    }
    return nil
  }

  func method(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = findings.string(pair) else { return nil }
    return checkedMethod(text, at: pair.value.span)
  }

  private func checkedMethod(_ word: String, at span: SourceSpan) -> String? {
    let nearest = nearestName(to: word, among: Self.methods)
    if Self.methods.contains(word) || nearest == nil && Self.isMethod(word) { return word }
    findings.report(
      .addressSyntax, at: span, "unknown HTTP method '\(word)'",
      expected: Findings.oneOf(Self.methods + ["a method in upper case"]),
      advice: nearest.map { "did you mean '\($0)'?" })
    return nil
  }

  /// Returns a Boolean value that indicates whether a word is a method. Methods are case-sensitive tokens (RFC 9110,
  /// section 9.1). If lowercase letters were allowed, the first word of an address with a space would be a method.
  private static func isMethod(_ word: String) -> Bool {
    word.utf8.allSatisfy { $0.isTokenByte && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      && word.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  private func report(_ span: SourceSpan, _ message: String, advice: String? = nil) {
    findings.report(
      .addressSyntax, at: span, message, advice: advice ?? "write 'path', 'path?key=value' or 'POST path'")
  }
}
