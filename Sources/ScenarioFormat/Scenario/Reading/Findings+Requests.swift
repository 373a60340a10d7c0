package import JSONTree
import RecordModel

/// Values that requests and responses have in common.
extension Findings {
  /// Reads the body of a request: `json:` with any value, `form:` with the fields, `text:`, or `data:` in Base64. At most one of
  /// the keys is allowed.
  package func requestBody(_ reader: MappingReader) -> StatedBody? {
    guard let pair = reader.atMostOne(of: FormatMapping.requestBodies) else { return nil }
    switch pair.key {
    case "form": return .form(texts(pair))
    case "text": return string(pair).map { .data(Array($0.utf8)) }
    case "data":
      guard let text = string(pair) else { return nil }
      guard let bytes = data(base64: text.utf8) else {
        report(
          .unknownValue, at: pair.value.span, "the value of 'data' is not Base64",
          advice: "write text in 'text'")
        return nil
      }
      return .data(Array(bytes))
    default: return json(pair.value).map { .json($0) }
    }
  }

  /// Reads any value as JSON.
  package func json(_ node: YAMLNode) -> JSONValue? {
    var diagnostics: [AuthorDiagnostic] = []
    let value = node.jsonValue(&diagnostics)
    add(diagnostics)
    return value
  }

  /// Reads a list of JSON values.
  package func jsonList(_ pair: YAMLPair?) -> [JSONValue]? {
    guard let pair else { return nil }
    guard let elements = pair.value.elements else {
      wrongKind(
        pair.value, expected: "a list", for: "'\(pair.key)'",
        advice: pair.value.scalar.map { "write [\($0.style == .quoted ? "\"\($0.text)\"" : $0.text)]" })
      return nil
    }
    return elements.compactMap { json($0) }
  }

  /// Reads headers by name. A name may occur only once, regardless of case.
  package func headers(_ pair: YAMLPair?) -> [String: String] {
    headers(pair) { text($0.value, for: "'\($0.key)'") }
  }

  /// Reads headers whose values are read by `text`.
  package func headers(_ pair: YAMLPair?, text: (YAMLPair) -> String?) -> [String: String] {
    checkHeaderNames(pair)
    return texts(pair) { pair in
      // The name of such a header has been reported.
      pair.value.isNull && !Self.isHeaderName(pair.key)
        ? nil : text(pair).flatMap { headerValue($0, of: pair) }
    }
  }

  /// Reads expected headers. A null value means that the header must not be sent.
  func optionalHeaders(_ pair: YAMLPair?) -> [String: String?] {
    checkHeaderNames(pair)
    var headers: [String: String?] = [:]
    for pair in mapping(pair) ?? [] {
      if pair.value.isNull {
        headers[pair.key] = .some(nil)
      } else if let text = text(pair.value, for: "'\(pair.key)'") {
        headers[pair.key] = headerValue(text, of: pair)
      }
    }
    return headers
  }

  /// Returns the value of a header; nil if it has control characters other than tabs (RFC 9110, section 5.5), which are
  /// reported.
  private func headerValue(_ text: String, of pair: YAMLPair) -> String? {
    let control = text.utf8.first { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F }
    guard let control else { return text }
    let (name, advice) =
      switch control {
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        ("a line break", "write the value on one line, and each header under its own name")
      case 0: ("a null character", "remove it")
      default: ("a control character", "remove it")
      }
    report(.unknownValue, at: pair.value.span, "the value of '\(pair.key)' contains \(name)", advice: advice)
    return nil
  }

  private static func isHeaderName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isTokenByte)
  }

  private func checkHeaderNames(_ pair: YAMLPair?) {
    var seen: [String: YAMLPair] = [:]
    for pair in pair?.value.pairs ?? [] {
      if !Self.isHeaderName(pair.key) {
        report(
          .unknownValue, at: pair.keySpan, "'\(pair.key)' is not a header name",
          expected: "letters, digits and '-'",
          advice: pair.value.isNull ? "write a value that contains ',' in quotes" : nil)
      } else if let other = seen.updateValue(pair, forKey: pair.key.lowercased()) {
        report(
          .conflictingKeys, at: pair.keySpan, "'\(pair.key)' and '\(other.key)' are the same header",
          advice: "remove one of them", notes: [.init(other.keySpan, "here")])
      }
    }
  }

  /// Reads a duration by the scenario's clock, such as `250ms`, `1.5s`, `2m`, `1h` or `7d`. The maximum is 366 days.
  package func duration(_ pair: YAMLPair?) -> Duration? {
    guard let pair, let text = textOfDuration(pair) else { return nil }
    return duration(text, of: pair)
  }

  /// Reads a duration that may be negative, such as `-10m`.
  package func change(ofTime pair: YAMLPair) -> Duration? {
    guard let text = textOfDuration(pair) else { return nil }
    let goesBack = text.hasPrefix("-")
    return duration(goesBack ? String(text.dropFirst()) : text, goesBack ? "-" : "", of: pair)
      .map { goesBack ? .zero - $0 : $0 }
  }

  private func textOfDuration(_ pair: YAMLPair) -> String? {
    guard let scalar = pair.value.scalar, !pair.value.isNull else {
      wrongKind(pair.value, expected: "a duration like '2s'", for: "'\(pair.key)'")
      return nil
    }
    return scalar.text
  }

  /// Returns the unit for a word such as `seconds`, or for a unit after a space; nil if there is none.
  private static func unit(meantBy text: some StringProtocol) -> String? {
    let word = text.lowercased().filter { $0 != " " }
    if Duration.units.contains(where: { $0.name == word }) { return word }
    let words = [
      "ms": ["msec", "millis", "millisecond", "milliseconds"], "s": ["sec", "secs", "second", "seconds"],
      "m": ["min", "mins", "minute", "minutes"], "h": ["hr", "hrs", "hour", "hours"], "d": ["day", "days"],
    ]
    return words.first { $0.value.contains(word) }?.key
  }

  private func duration(_ text: String, _ sign: String = "", of pair: YAMLPair) -> Duration? {
    guard let duration = Duration(text: text) else {
      let unit = text.drop { $0.isASCII && ($0.isNumber || $0 == ".") }
      let number = text.dropLast(unit.count)
      report(
        .unknownValue, at: pair.value.span, "'\(sign)\(text)' is not a duration",
        expected: "a number and ms, s, m, h or d, like '2s' or '250ms'",
        advice: unit.isEmpty && Double(text) != nil
          ? "write \(sign)\(text)s for seconds"
          : Self.unit(meantBy: unit).flatMap { number.isEmpty ? nil : "write \(sign)\(number)\($0)" })
      return nil
    }
    guard duration <= .seconds(366 * 86_400) else {
      report(
        .outOfRange, at: pair.value.span, "expected at most one year for '\(pair.key)', found \(sign)\(text)")
      return nil
    }
    return duration
  }
}

extension Duration {
  fileprivate static let units: [(name: String, milliseconds: Int)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// Creates a duration from a number and a unit, such as `250ms` or `1.5s`; nil for other texts. Fractions of a millisecond
  /// are dropped.
  package init?(text: some StringProtocol) {
    let unit = text.drop { $0.isASCII && ($0.isNumber || $0 == ".") }
    let parts = text.dropLast(unit.count).split(separator: ".", omittingEmptySubsequences: false)
    guard let scale = Self.units.first(where: { $0.name == unit })?.milliseconds, parts.count <= 2,
      parts.allSatisfy({ !$0.isEmpty && $0.count <= 9 }), let whole = Int(parts[0])
    else { return nil }
    var milliseconds = whole * scale
    var share = scale
    for digit in parts.dropFirst().first ?? "" {
      milliseconds += (digit.wholeNumberValue ?? 0) * share / 10
      share /= 10
    }
    self = .milliseconds(milliseconds)
  }
}
