package import JSONTree
package import RecordModel
package import ScenarioFormat

/// Values as text in differences. The type precedes the value, as in `string "22"`, so that `22` and `"22"` look
/// different.
package enum ValueText {
  package static let nothing = "nothing"

  /// Returns the text of a value in the form of a golden file. It begins with `type` instead of the JSON kind if the
  /// value fits the type.
  package static func of(_ value: JSONValue?, type: AttributeType? = nil) -> String {
    guard let value, value.kind != .null else { return nothing }
    let text =
      switch value {
      case .string(let text) where Self.type(of: value, type) != value.kind.rawValue: text
      case .number(let number): number.digits
      case .string, .boolean, .array, .object, .null: value.compactText()
      }
    return "\(Self.type(of: value, type)) \(text)"
  }

  /// Returns the word before a value: the type if the value fits it, otherwise the kind of JSON.
  private static func type(of value: JSONValue, _ type: AttributeType?) -> String {
    switch (value, type) {
    case (.string, let type?) where [.date, .binary, .uuid, .uri, .decimal].contains(type): type.rawValue
    case (.number, let type?) where [.double, .float, .decimal].contains(type): type.rawValue
    case (.number(let number), _): number.isInteger ? "integer" : "number"
    case (.string, _), (.boolean, _), (.array, _), (.object, _), (.null, _): value.kind.rawValue
    }
  }

  /// Returns the type of an attribute if a value of a golden file can be read as one; otherwise nil. The type may have
  /// changed since the value was recorded.
  static func readable(_ value: JSONValue, as type: AttributeType?) -> AttributeType? {
    type.flatMap { (try? AttributeValue(literal: value, type: $0)) == nil ? nil : $0 }
  }

  /// Returns the types of two values, as they precede them; nil if the types are the same or a value is missing.
  package static func types(_ expected: JSONValue?, _ actual: JSONValue?, type: AttributeType?) -> Difference
    .Types?
  {
    guard let expected, let actual, expected.kind != .null, actual.kind != .null else { return nil }
    let types = Difference.Types(
      expected: Self.type(of: expected, readable(expected, as: type)), actual: Self.type(of: actual, type))
    return types.expected == types.actual ? nil : types
  }

  package static func of(_ property: PropertySnapshot?) -> String {
    switch property {
    case nil: nothing
    case .attribute(let value, let type)?: of(value.literal(type: type), type: type)
    case .toOne(let label)?: label.rawValue
    case .toMany(let labels, _)?: of(labels)
    }
  }

  package static func of(_ labels: [RecordLabel]) -> String {
    "[" + labels.map(\.rawValue).joined(separator: ", ") + "]"
  }

  /// Returns all information about a diagnostic: `step 2: value-type Post.likes at /1/likes of posts: cannot
  /// convert "few" to int64`.
  package static func of(_ diagnostic: DiagnosticSnapshot) -> String {
    let step = diagnostic.step.map { "step \($0): " } ?? ""
    return step + ofDiagnostic(diagnostic.goldenForm) + (diagnostic.message.map { ": \($0)" } ?? "")
  }

  /// Returns the line for a diagnostic in the form of a golden file: `value-type Post.likes at /1/likes of posts`.
  static func ofDiagnostic(_ value: JSONValue) -> String {
    guard case .object(var members) = value else { return value.compactText() }
    func take(_ name: String) -> String? {
      guard case .string(let text)? = members[name] else { return nil }
      members[name] = nil
      return text
    }
    let code = take("code")
    let subject = [take("entity"), take("property")].compactMap(\.self).joined(separator: ".")
    let locations = [take("pointer"), take("otherPointer")].compactMap(\.self)
    let response = take("response")
    // A golden file may have been edited by hand.
    guard let code, members.isEmpty else { return value.compactText() }
    var text = subject.isEmpty ? code : "\(code) \(subject)"
    if !locations.isEmpty {
      text += " at " + locations.map { $0.isEmpty ? "the root" : $0 }.joined(separator: " and ")
    }
    if let response { text += " of \(response)" }
    return text
  }

  /// Returns the line for a request in the form of a golden file.
  static func ofRequest(_ value: JSONValue) -> String {
    guard case .object(let members) = value, case .string(let address)? = members["address"] else {
      return value.compactText()
    }
    let body = ["json", "form", "text", "data"].lazy.compactMap { key in
      members[key].map { "\(key) \($0.compactText())" }
    }
    let headers: JSONObject = if case .object(let headers)? = members["headers"] { headers } else { [:] }
    let texts = headers.map { name, value in
      if case .string(let text) = value { "\(name): \(text)" } else { "\(name): \(value.compactText())" }
    }
    return ofRequest(address, body.first, texts)
  }

  /// Returns the line for a request: `POST labels with json {"name":"bug"}, X-Token: 1`.
  static func ofRequest(_ address: String, _ body: String?, _ headers: [String]) -> String {
    let parts = (body.map { [$0] } ?? []) + headers
    return parts.isEmpty ? address : "\(address) with \(parts.joined(separator: ", "))"
  }

  /// Returns a number with a comma after each group of three digits: `20,000`.
  package static func grouped(_ count: Int) -> String {
    var text = ""
    for (index, digit) in String(count).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  package static let width = 160
  private static let before = 40

  /// Returns both texts, clipped to where they begin to differ if they are too long.
  package static func clipped(_ left: String, _ right: String) -> (left: String, right: String) {
    // A text never has more characters than bytes, which are counted faster.
    if left.utf8.count <= width, right.utf8.count <= width { return (left, right) }
    guard left.count > width || right.count > width else { return (left, right) }
    let same = zip(left, right).prefix { $0 == $1 }.count
    let start = same > before + 20 ? same - before : 0
    return (window(of: left, from: start), window(of: right, from: start))
  }

  package static func clipped(_ text: String, to width: Int = width) -> String {
    text.utf8.count > width && text.count > width ? text.prefix(width) + "…" : text
  }

  /// Returns the properties of a record in one line.
  package static func of(_ properties: [PropertyName: JSONValue], width: Int = width) -> String {
    let members = properties.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.compactText())" }
    return clipped("{" + members.joined(separator: ", ") + "}", to: width)
  }

  private static func window(of text: String, from start: Int) -> String {
    let rest = text.dropFirst(start)
    return (start > 0 ? "…" : "") + rest.prefix(width) + (rest.count > width ? "…" : "")
  }
}
