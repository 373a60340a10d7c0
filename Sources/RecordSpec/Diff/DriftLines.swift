internal import JSONTree
internal import RecordModel

/// A sentence about one difference in the drift of an entity, such as `no property reads 'age': 2 times, first at
/// /0/user/age of posts`.
struct DriftLine {
  let text: String
  /// The text in which counts that equal the number of items are replaced. It stays the same if a response has more
  /// items of the same form.
  let relativeText: String

  fileprivate init(_ text: (_ isRelative: Bool) -> String) {
    (self.text, relativeText) = (text(false), text(true))
  }
}

/// A writer of the lines about the drift of an entity.
struct DriftLines {
  let entity: EntityName
  let model: Schema
  /// The positions of the values in the files of the author, which follow their pointers.
  var positions: DriftPositions?

  /// Returns the lines of the differences, without the number of items.
  func lines(of drift: EntityDriftSnapshot) -> [String] {
    guard case .object(let members) = drift.answeredForm else { return [] }
    return lines(of: members, countsItems: false).map(\.text)
  }

  /// Returns a line for each difference of an entity in a golden file. Unknown fields are written as JSON.
  ///
  /// - Parameter countsItems: a Boolean value that indicates whether to add a line for the number of items.
  func lines(of drift: JSONObject, countsItems: Bool) -> [DriftLine] {
    let items = drift["items"]
    return drift.flatMap { field, value -> [DriftLine] in
      switch (field, value) {
      case ("items", .number):
        countsItems ? [line(value == .number(JSONNumber(1)) ? "1 item" : "\(value.compactText()) items")] : []
      case ("missing", .array(let names)): names.map { line("no item has \(property($0))") }
      case ("unused", .object(let keys)):
        keys.map { key, value in
          DriftLine { "no property reads '\(key)': \(occurrences(value, items, isRelative: $0))" }
        }
      case ("types", .object(let types)): types.map { line(ofType: $0, $1, items) }
      default: [line("\(field): \(value.compactText())")]
      }
    }
  }

  private func line(_ text: String) -> DriftLine { DriftLine { _ in text } }

  /// Returns a line such as `'likes' (int32) is a string once, at /1/likes of posts`.
  private func line(ofType name: String, _ kinds: JSONValue, _ items: JSONValue?) -> DriftLine {
    let isOfElements = name.hasSuffix("[]")
    let property = PropertyName(isOfElements ? String(name.dropLast(2)) : name)
    let type = isOfElements ? nil : model.attribute(property, of: entity).map { " (\($0.type))" }
    let subject = "\(isOfElements ? "an element of " : "")'\(property)'\(type ?? "")"
    guard case .object(let kinds) = kinds else { return line("\(subject) is \(kinds.compactText())") }
    return DriftLine { isRelative in
      let texts = kinds.map { kind, value in
        let article = "aeiou".contains(kind.prefix(1)) ? "an" : "a"
        return "\(article) \(kind) \(occurrences(value, items, isRelative: isRelative))"
      }
      return "\(subject) is \(texts.joined(separator: ", and "))"
    }
  }

  /// Returns the name of a missing property, and the paths that are read if there are others.
  private func property(_ value: JSONValue) -> String {
    guard case .string(let text) = value else { return value.compactText() }
    let name = PropertyName(text)
    let paths =
      (model.attribute(name, of: entity)?.paths ?? model.relationship(name, of: entity)?.paths ?? [])
      .map(\.description)
    return "'\(text)'"
      + (paths.isEmpty || paths == [text]
        ? "" : ", read from \(paths.map { "'\($0)'" }.joined(separator: " or "))")
  }

  /// Returns text such as `2 times, first at /0/likes of posts`, or `once, at /0/likes of posts (posts.json:2:9)`.
  private func occurrences(_ value: JSONValue, _ items: JSONValue?, isRelative: Bool) -> String {
    guard case .object(let members) = value, let count = members["count"],
      case .string(let pointer)? = members["pointer"], case .string(let response)? = members["response"]
    else { return value.compactText() }
    let isOnce = count == .number(JSONNumber(1))
    let number = isRelative && count == items ? "all" : isOnce ? "once" : "\(count.compactText()) times"
    let answer = if case .number(let index)? = members["answer"] { index.int64Value } else { Int64?.none }
    let position = answer.flatMap { positions?.position(of: pointer, inAnswer: Int($0)) }
    return "\(number), \(isOnce ? "" : "first ")at \(pointer.isEmpty ? "the root" : pointer) of \(response)"
      + (position.map { " (\($0))" } ?? "")
  }
}
