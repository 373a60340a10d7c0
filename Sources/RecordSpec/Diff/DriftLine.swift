internal import JSONTree
internal import RecordModel

/// A line of text about one difference in the drift of an entity, such as `unused age: 2 at /0/user/age of posts`.
struct DriftLine {
  let text: String
  /// The text in which counts that equal the number of items are replaced. It stays the same if a response has more
  /// items of the same form.
  let relativeText: String

  /// Returns the lines of the differences, without the number of items.
  ///
  /// - Parameter positions: the positions of the values in the files of the author, which follow their pointers.
  static func lines(of drift: EntityDriftSnapshot, at positions: DriftPositions? = nil) -> [String] {
    guard case .object(var members) = drift.goldenForm else { return [] }
    members["items"] = nil
    return lines(of: members, at: positions).map(\.text)
  }

  /// Returns a line for each difference of an entity in a golden file, and for the number of items. Unknown fields are
  /// written as JSON.
  static func lines(of drift: JSONObject, at positions: DriftPositions? = nil) -> [DriftLine] {
    let items = drift["items"]
    return drift.flatMap { field, value -> [DriftLine] in
      switch (field, value) {
      case ("missing", .array(let names)): names.map { DriftLine("no item has \(plain($0))") }
      case ("unused", .object(let keys)):
        keys.map { key, value in
          DriftLine { "unused \(key): \(occurrences(value, items, isRelative: $0, positions))" }
        }
      case ("types", .object(let types)):
        types.map { type, kinds in
          guard case .object(let kinds) = kinds else {
            return DriftLine("types of \(type): \(kinds.compactText())")
          }
          return DriftLine { isRelative in
            let texts = kinds.map { "\($0) \(occurrences($1, items, isRelative: isRelative, positions))" }
            return "types of \(type): \(texts.joined(separator: ", "))"
          }
        }
      default: [DriftLine("\(field): \(value.compactText())")]
      }
    }
  }

  private init(_ text: String) { (self.text, relativeText) = (text, text) }

  private init(_ text: (_ isRelative: Bool) -> String) {
    (self.text, relativeText) = (text(false), text(true))
  }

  /// Returns text such as `2 at /0/likes of posts`, or `2 at /0/likes of posts (Scenarios/posts.json:2:9)`.
  private static func occurrences(
    _ value: JSONValue, _ items: JSONValue?, isRelative: Bool, _ positions: DriftPositions?
  ) -> String {
    guard case .object(let members) = value, let count = members["count"],
      case .string(let pointer)? = members["pointer"], case .string(let response)? = members["response"]
    else { return value.compactText() }
    let number = isRelative && count == items ? "all" : count.compactText()
    let position = positions?.position(of: pointer, in: response)
    return "\(number) at \(pointer.isEmpty ? "the root" : pointer) of \(response)"
      + (position.map { " (\($0))" } ?? "")
  }

  private static func plain(_ value: JSONValue) -> String {
    if case .string(let text) = value { text } else { value.compactText() }
  }
}
