import JSONTree
import RecordModel

/// The keys of an item that no property of its entity reads.
struct UnreadKeys {
  /// The keys, in the order of the item.
  let keys: [String]
  private let entity: EntityIndex
  private let schema: Schema

  init(of item: JSONNode, _ entity: SchemaEntity, _ schema: Schema) {
    (self.entity, self.schema) = (entity.index, schema)
    var known = Set(
      entity.paths(in: schema).compactMap { path -> ScalarString? in
        if case .key(let key)? = path.components.first { ScalarString(key) } else { nil }
      })
    // A key that occurs twice is listed once.
    keys = item.members.map(\.key).filter { known.insert(ScalarString($0)).inserted }
  }

  /// The keys that the model does not ignore.
  var notIgnored: [String] { keys.filter { !schema.ignores(MappingPath(keys: [$0]), of: entity) } }

  /// Returns at most three keys that are near to paths, in the order of the item.
  func near(to paths: [MappingPath]) -> [String] {
    let wanted = paths.compactMap { path -> String? in
      if case .key(let key)? = path.components.first { key } else { nil }
    }
    return Array(keys.lazy.filter { key in wanted.contains { Self.areNear($0, key) } }.prefix(3))
  }

  /// Returns a Boolean value that indicates whether two keys may have the same meaning: they are spelled similarly, or
  /// every word of the shorter one has a similar word in the other one, as in `stars_count` and `stargazers_count`.
  static func areNear(_ left: String, _ right: String) -> Bool {
    if nearestName(to: left, among: [right]) != nil { return true }
    let (left, right) = (words(of: left), words(of: right))
    guard !left.isEmpty, !right.isEmpty else { return false }
    var rest = left.count < right.count ? right : left
    for word in left.count < right.count ? left : right {
      guard let index = rest.firstIndex(where: { areSimilar($0, word) }) else { return false }
      rest.remove(at: index)
    }
    return true
  }

  private static func areSimilar(_ left: Substring, _ right: Substring) -> Bool {
    left == right || left.commonPrefix(with: right).count >= 4
  }

  /// The words of a key in lower case: `user_id`, `user-id` and `userId` have the words `user` and `id`. A key of more
  /// than 100 characters has none, so that the comparison is fast.
  private static func words(of key: String) -> [Substring] {
    guard key.count <= 100 else { return [] }
    var text = ""
    var wasLower = false
    for character in key {
      if character.isUppercase, wasLower { text.append(" ") }
      wasLower = character.isLowercase || character.isNumber
      text += character.isLetter || character.isNumber ? character.lowercased() : " "
    }
    return text.split(separator: " ")
  }
}

extension Substring {
  fileprivate func commonPrefix(with other: Substring) -> Substring {
    prefix(zip(self, other).prefix { $0 == $1 }.count)
  }
}
