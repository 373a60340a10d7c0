import JSONTree
import RecordModel

/// A sentence about one difference in the drift of an entity, such as `no property reads 'age': 2 times, first at
/// /0/user/age of posts`.
struct DriftLine {
  fileprivate enum Form {
    case plain, relative, described
  }

  fileprivate let write: (Form) -> String

  /// The text that is compared. It depends on the report alone.
  var text: String { write(.plain) }
  /// The text without positions, and with words for the counts. It stays the same if a response has more or fewer items of
  /// the same form.
  var relativeText: String { write(.relative) }
  /// The text with what the model and the files of the author say about an actual difference.
  var describedText: String { write(.described) }
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
    return lines(of: members, countsItems: false).map(\.describedText)
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
      case ("missing", .array(let names)):
        names.map { name in DriftLine { "no item has \(property(name, $0))" } }
      case ("unused", .object(let keys)):
        keys.map { key, value in
          DriftLine { "no property reads '\(key)': \(occurrences(value, items, $0))" }
        }
      case ("types", .object(let types)): types.map { line(ofType: $0, $1, items) }
      default: [line("\(field): \(value.compactText())")]
      }
    }
  }

  private func line(_ text: String) -> DriftLine { DriftLine { _ in text } }

  /// Returns a line such as `'likes' (int32) is a string: once, at /1/likes of posts`.
  private func line(ofType name: String, _ kinds: JSONValue, _ items: JSONValue?) -> DriftLine {
    let isOfElements = name.hasSuffix("[]")
    let property = PropertyName(isOfElements ? String(name.dropLast(2)) : name)
    let subject = "\(isOfElements ? "an element of " : "")'\(property)'"
    guard case .object(let kinds) = kinds else { return line("\(subject) is \(kinds.compactText())") }
    return DriftLine { form in
      let type =
        form == .described && !isOfElements
        ? model.attribute(property, of: entity).map { " (\($0.type))" } : nil
      let texts = kinds.map { kind, value in
        let article = "aeiou".contains(kind.prefix(1)) ? "an" : "a"
        return "\(article) \(kind): \(occurrences(value, items, form))"
      }
      return "\(subject)\(type ?? "") is \(texts.joined(separator: "; "))"
    }
  }

  /// Returns the name of a missing property, and the paths that are read if there are others.
  private func property(_ value: JSONValue, _ form: DriftLine.Form) -> String {
    guard case .string(let text) = value else { return value.compactText() }
    guard form == .described else { return "'\(text)'" }
    let name = PropertyName(text)
    let paths =
      (model.attribute(name, of: entity)?.paths ?? model.relationship(name, of: entity)?.paths ?? [])
      .map(\.description)
    return "'\(text)'"
      + (paths.isEmpty || paths == [text]
        ? "" : ", read from \(paths.map { "'\($0)'" }.joined(separator: " or "))")
  }

  /// Returns text such as `2 times, first at /0/likes of posts`, or `once, at /0/likes of posts (posts.json:2:9)`.
  private func occurrences(_ value: JSONValue, _ items: JSONValue?, _ form: DriftLine.Form) -> String {
    guard case .object(let members) = value, let count = members["count"],
      case .string(let pointer)? = members["pointer"], case .string(let response)? = members["response"]
    else { return value.compactText() }
    if form == .relative { return count == items ? "all" : "some" }
    let place = "at \(pointer.isEmpty ? "the root" : pointer) of \(response)"
    let number =
      count == .number(JSONNumber(1)) ? "once, \(place)" : "\(count.compactText()) times, first \(place)"
    guard form == .described, case .number(let index)? = members["answer"],
      let answer = index.int64Value.flatMap(Int.init(exactly:)),
      let position = positions?.position(of: pointer, inAnswer: answer)
    else { return number }
    return "\(number) (\(position))"
  }
}
