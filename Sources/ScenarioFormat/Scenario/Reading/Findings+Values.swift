import JSONTree
package import RecordModel

/// Single values. Each reader reports a value of another kind than expected. `what` is the name of the value in
/// messages, such as `'title'`.
extension Findings {
  package func string(_ node: YAMLNode, for what: String) -> String? {
    guard let scalar = node.scalar, case .string(let text) = scalar.value else {
      var advice: String?
      if let text = node.scalar?.text, !node.isNull { advice = "write \"\(text)\"" }
      if let elements = node.elements, elements.count == 1, let scalar = elements[0].scalar {
        advice = "write \(Self.asWritten(scalar))"
      }
      wrongKind(node, expected: "a string", for: what, advice: advice)
      return nil
    }
    return text
  }

  func nonEmptyString(_ node: YAMLNode, for what: String) -> String? {
    guard let text = string(node, for: what) else { return nil }
    guard text.contains(where: { !$0.isWhitespace }) else {
      report(.emptyValue, at: node.span, "\(what) must not be empty")
      return nil
    }
    return text
  }

  package func string(_ pair: YAMLPair?) -> String? {
    pair.flatMap { nonEmptyString($0.value, for: "'\($0.key)'") }
  }

  /// Reads text that may be unquoted even if it looks like a number or a Boolean, such as `X-Total: 3`.
  package func text(_ node: YAMLNode, for what: String) -> String? {
    guard let scalar = node.scalar, !node.isNull else {
      wrongKind(node, expected: "a string", for: what)
      return nil
    }
    return scalar.text
  }

  /// Reads a mapping of texts, such as headers or parameters.
  package func texts(_ pair: YAMLPair?) -> [String: String] {
    texts(pair) { text($0.value, for: "'\($0.key)'") }
  }

  package func texts(_ pair: YAMLPair?, text: (YAMLPair) -> String?) -> [String: String] {
    var texts: [String: String] = [:]
    for pair in mapping(pair) ?? [] {
      if let text = text(pair) { texts[pair.key] = text }
    }
    return texts
  }

  package func boolean(_ pair: YAMLPair?) -> Bool? {
    guard let pair else { return nil }
    if case .boolean(let value) = pair.value.scalar?.value { return value }
    let meant: Bool? =
      switch pair.value.scalar?.text.lowercased() {
      case "yes", "on", "y", "true": true
      case "no", "off", "n", "false": false
      default: nil
      }
    let text = pair.value.scalar?.text ?? ""
    let isWord =
      meant != nil && pair.value.scalar?.style == .plain && text.lowercased() != "\(meant ?? false)"
    wrongKind(
      pair.value, expected: "true or false", for: "'\(pair.key)'",
      advice: meant.map { "write \($0)" + (isWord ? "; in YAML 1.2, \(text) is a string" : "") })
    return nil
  }

  package func integer(_ node: YAMLNode, for what: String, in range: ClosedRange<Int>) -> Int? {
    guard case .number(let digits, isInteger: true) = node.scalar?.value else {
      var advice: String?
      // For `"200"` and `200 OK`.
      if case .string(let text)? = node.scalar?.value {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let rest = text.dropFirst(digits.count)
        if !digits.isEmpty, rest.isEmpty || rest.first == " " { advice = "write \(digits)" }
      }
      wrongKind(node, expected: "an integer", for: what, advice: advice)
      return nil
    }
    guard let value = Int(digits), range.contains(value) else {
      let isTooLarge = Int(digits) == nil && !digits.hasPrefix("-")
      let bounds =
        range.upperBound != .max
        ? "\(range.lowerBound) to \(range.upperBound)"
        : isTooLarge ? "at most \(range.upperBound)" : "at least \(range.lowerBound)"
      report(.outOfRange, at: node.span, "expected \(bounds) for \(what), found \(digits)")
      return nil
    }
    return value
  }

  package func integer(_ pair: YAMLPair?, in range: ClosedRange<Int>) -> Int? {
    pair.flatMap { integer($0.value, for: "'\($0.key)'", in: range) }
  }

  /// Reads a number of things, from 0.
  package func count(_ pair: YAMLPair?) -> Int? { integer(pair, in: 0...Int.max) }

  /// Reads a value with `read`, and locates it.
  func located<Value>(_ pair: YAMLPair?, _ read: (YAMLPair) -> Value?) -> Located<Value>? {
    pair.flatMap { pair in read(pair).map { Located(value: $0, span: pair.value.span) } }
  }

  /// Reads one of the names of an enumeration.
  package func choice<Choice: RawRepresentable & CaseIterable>(_ pair: YAMLPair?, _: Choice.Type) -> Choice?
  where Choice.RawValue == String {
    pair.flatMap { choice($0.value, for: "'\($0.key)'", Choice.self) }
  }

  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: YAMLNode, for subject: String, _: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue)
    guard let text = node.scalar?.text, !node.isNull else {
      wrongKind(node, expected: Self.oneOf(names), for: subject)
      return nil
    }
    if let choice = Choice(rawValue: text) { return choice }
    let foreign = Choice.self == ServerFailure.self ? ServerFailure(namedInFoundation: text)?.rawValue : nil
    report(
      .unknownValue, at: node.span, "unknown value '\(text)' for \(subject)", expected: Self.oneOf(names),
      advice: (foreign ?? nearestName(to: text, among: names)).map { "did you mean '\($0)'?" })
    return nil
  }

  // MARK: Collections

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - allowsNone: a Boolean value that indicates whether `none`, which the caller reads, is allowed instead.
  ///   - allowsCount: a Boolean value that indicates whether `{count: n}`, which the caller reads, is allowed instead.
  package func list(_ pair: YAMLPair?, orNone allowsNone: Bool = false, orCount allowsCount: Bool = false)
    -> [YAMLNode]?
  {
    guard let pair else { return nil }
    if let elements = pair.value.elements { return elements }
    let advice =
      if allowsCount, let count = Self.countMapping(for: pair.value) {
        "write \(count)"
      } else if allowsNone, let text = pair.value.scalar?.text, nearestName(to: text, among: ["none"]) != nil
      {
        "did you mean 'none'?"
      } else if allowsNone, pair.value.isZero || pair.value.scalar?.value == .boolean(false) {
        "write 'none'"
      } else if let scalar = pair.value.scalar {
        "write \(scalar.value == .null || pair.value.isNone ? "[]" : "[\(Self.asWritten(scalar))]")"
      } else if let first = pair.value.pairs?.first {
        "begin each entry with '- ', as in '- \(first.key): …'"
      } else {
        "begin each entry with '- '"
      }
    wrongKind(pair.value, expected: "a list", for: "'\(pair.key)'", advice: advice)
    return nil
  }

  /// Returns the `{count: n}` that is meant by a number; nil for another value.
  static func countMapping(for node: YAMLNode) -> String? {
    guard case .number(let digits, isInteger: true)? = node.scalar?.value, let count = Int(digits), count >= 0
    else { return nil }
    return "{count: \(count)}"
  }

  private static func asWritten(_ scalar: YAMLScalar) -> String {
    scalar.style == .quoted ? "\"\(scalar.text)\"" : scalar.text
  }

  package func mapping(_ pair: YAMLPair?) -> [YAMLPair]? {
    guard let pair else { return nil }
    if let pairs = pair.value.pairs { return pairs }
    let advice = pair.key == "query" ? Self.queryAdvice(for: pair.value) : nil
    wrongKind(
      pair.value, expected: "a mapping", for: "'\(pair.key)'",
      advice: advice ?? Self.mappingAdvice(for: pair.value))
    return nil
  }

  /// Returns advice for parameters that are written as in an address: `page=1&sort=name`.
  private static func queryAdvice(for node: YAMLNode) -> String? {
    guard case .string(let text)? = node.scalar?.value,
      let parameters = try? QueryParameters.parse(text.drop { $0 == "?" }), !parameters.isEmpty,
      parameters.count <= 5, parameters.values.allSatisfy({ $0.count == 1 })
    else { return nil }
    let list = parameters.sorted { $0.key < $1.key }.map { name, values in
      "\(JSONValue.string(name).yamlText().dropLast()): \(JSONValue.string(values[0]).yamlText().dropLast())"
    }
    return "write {\(list.joined(separator: ", "))}"
  }

  /// Returns the mapping for texts such as `"X-Total: 3"`; nil for other values.
  static func mappingOfTexts(in node: YAMLNode) -> String? {
    let texts = (node.elements ?? [node]).prefix(6).map { $0.scalar?.text ?? "" }
    var names: Set<Substring> = []
    let entries = texts.compactMap { text -> String? in
      guard text.count <= 100, !text.contains(where: \.isNewline), let colon = text.firstRange(of: ": "),
        colon.lowerBound > text.startIndex, text[..<colon.lowerBound].utf8.allSatisfy(\.isTokenByte),
        names.insert(text[..<colon.lowerBound]).inserted
      else { return nil }
      let value = text[colon.upperBound...]
      let isPlain = value.first?.isLetter == true || value.first?.isNumber == true
      let isWord = isPlain && value.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
      let quoted = JSONValue.string(String(value)).yamlText().dropLast()
      return "\(text[..<colon.upperBound])\(isWord ? value : quoted)"
    }
    guard !entries.isEmpty, entries.count == texts.count, entries.count <= 5 else { return nil }
    return "{\(entries.joined(separator: ", "))}"
  }

  /// Reads a list of texts that are not empty. Invalid elements are omitted.
  package func strings(_ pair: YAMLPair?) -> [Located<String>] {
    guard let pair, let elements = list(pair) else { return [] }
    return elements.compactMap { element in
      nonEmptyString(element, for: "an element of '\(pair.key)'").map {
        Located(value: $0, span: element.span)
      }
    }
  }

  /// Reads a name or a list of names.
  package func propertyNames(_ pair: YAMLPair?) -> [PropertyName]? {
    guard let pair else { return nil }
    if pair.value.elements == nil { return string(pair).map { [PropertyName($0)] } }
    let names = strings(pair)
    if names.isEmpty, pair.value.elements?.isEmpty == true {
      report(.emptyValue, at: pair.value.span, "'\(pair.key)' must not be empty", advice: "remove it")
    }
    return names.map { PropertyName($0.value) }
  }
}
