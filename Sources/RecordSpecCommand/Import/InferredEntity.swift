import JSONTree

/// An entity that is inferred from objects of responses.
struct InferredEntity {
  /// An object from which the entity is inferred.
  struct Sample {
    var object: JSONObject
    /// The index of the array that contains the object; nil if it is not in an array.
    var list: Int?
  }

  /// The key that the name comes from.
  var name: String
  var nameSource: String
  var isRoot: Bool
  private(set) var samples: [Sample] = []
  /// The keys of the samples, in order of first appearance.
  private(set) var keys: [String] = []
  private(set) var keySet: Set<ScalarString> = []
  /// The kinds of the first values that are not null, by key.
  private var kinds: [ScalarString: JSONKind] = [:]
  /// The keys that may identify the samples, the best one first.
  private var identifiers: [String] = []
  /// The key whose value identifies a sample; nil if there is none.
  var identifier: String?
  /// The entities of the objects under the keys, by key.
  var destinations: [ScalarString: Int] = [:]
  /// The keys whose objects do not become records, with the reason.
  var plainKeys: [ScalarString: String] = [:]
  /// The keys, other than the one of the name, under which equal objects were found.
  var otherNames: [String] = []
  /// The guesses that objects with partly different keys belong to the entity, in words.
  var unions: [String] = []

  init(name: String, nameSource: String, isRoot: Bool) {
    (self.name, self.nameSource, self.isRoot) = (name, nameSource, isRoot)
  }

  /// Adds samples.
  ///
  /// - Parameter identifiers: the keys that may identify them, the best one first.
  mutating func add(_ added: [Sample], identifiers other: [String]) {
    guard !added.isEmpty else { return }
    identifiers = samples.isEmpty ? other : identifiers.filter(other.contains)
    identifier = identifiers.first
    samples += added
    for sample in added {
      for member in sample.object {
        let key = ScalarString(member.key)
        if keySet.insert(key).inserted { keys.append(member.key) }
        if kinds[key] == nil, member.value.kind != .null { kinds[key] = member.value.kind }
      }
    }
  }

  /// Returns a Boolean value that indicates whether the same key may identify other objects.
  func sharesIdentifier(_ other: [String]) -> Bool {
    guard let identifier else { return other.isEmpty }
    return other.contains(identifier)
      || identifiers.contains { !IdentifierChoice.isWeak($0) && other.contains($0) }
  }

  /// Returns a Boolean value that indicates whether objects with these keys can belong to the entity: most keys are the
  /// same, or one set of keys contains the other.
  func resembles(_ other: Set<ScalarString>) -> Bool {
    let common = keySet.intersection(other).count
    return common == min(keySet.count, other.count) || 2 * common >= keySet.count + other.count - common
  }

  /// Returns the number of common keys of the entity and some objects that have a common identifier. Returns nil if the
  /// objects are not of the entity: a value has another kind, or fewer than three keys or half of the keys of one side are
  /// common, unless both contain the same record.
  func agreement(with others: [Sample], _ keys: Set<ScalarString>, identifiers: [String]) -> Int? {
    let common = keySet.intersection(keys)
    for sample in others.prefix(Self.comparedSamples) {
      for member in sample.object where member.value.kind != .null {
        if let kind = kinds[ScalarString(member.key)], kind != member.value.kind { return nil }
      }
    }
    let isSimilar = common.count >= 3 && 2 * common.count >= min(keySet.count, keys.count)
    return isSimilar || sharesRecord(others, identifiers) ? common.count : nil
  }

  private static let comparedSamples = 200

  /// Returns a Boolean value that indicates whether the entity and some objects contain the same record: objects with the
  /// same identifier, of whose other common values most are equal.
  private func sharesRecord(_ others: [Sample], _ other: [String]) -> Bool {
    guard let key = identifiers.first(where: other.contains) else { return false }
    var known: [ScalarString: JSONObject] = [:]
    for sample in samples.suffix(Self.comparedSamples) {
      if let value = sample.object[key]?.identifier {
        known[ScalarString(value)] = sample.object
      }
    }
    return others.prefix(Self.comparedSamples).contains { sample in
      guard let value = sample.object[key]?.identifier,
        let former = known[ScalarString(value)]
      else { return false }
      let (common, different) = IdentifierChoice.comparison(of: sample.object, and: former, besides: key)
      return common > 2 * different
    }
  }
}

/// The choice of the key that identifies the samples of an entity.
enum IdentifierChoice {
  /// The keys that may identify an object, the most common first.
  private static let names = [
    "id", "uuid", "guid", "key", "slug", "sku", "isbn", "login", "username", "handle", "screenname", "number",
    "url", "href", "name",
  ]

  /// Returns the keys that have a value in every object, the best identifier first.
  ///
  /// - Parameter name: the key under which the objects were found.
  static func candidates(in samples: [InferredEntity.Sample], named name: String) -> [String] {
    guard let first = samples.first else { return [] }
    let own = KeyWords.singular(KeyWords.joined(name)) + "id"
    let ranked = first.object.keys.compactMap { key -> (rank: Int, key: String)? in
      let joined = KeyWords.joined(key)
      if joined == own { return (2, key) }
      return names.firstIndex(of: joined).map { ($0 < 1 ? $0 : $0 + 2, key) }
    }
    return ranked.sorted { $0.rank < $1.rank }.map(\.key).filter { key in
      samples.allSatisfy { $0.object[key]?.identifier != nil }
    }
  }

  /// Returns the number of different values of a key; nil if two objects with the same value are not the same record.
  ///
  /// - Complexity: linear in the number of members of the samples.
  static func distinctCount(of key: String, in samples: [InferredEntity.Sample]) -> Int? {
    var first: [ScalarString: JSONObject] = [:]
    let isWeak = isWeak(key)
    for sample in samples {
      guard let text = sample.object[key]?.identifier else { return nil }
      guard let former = first[ScalarString(text)] else {
        first[ScalarString(text)] = sample.object
        continue
      }
      let (common, different) = comparison(of: sample.object, and: former, besides: key)
      if isWeak ? different > 0 : different > 1 && 2 * different > common { return nil }
    }
    return first.count
  }

  /// Returns a Boolean value that indicates whether different records may have the same value of a key.
  static func isWeak(_ key: String) -> Bool { weakNames.contains(KeyWords.joined(key)) }

  private static let weakNames: Set<String> = ["url", "href", "name", "number"]

  /// Returns the number of common scalars of two objects, and of those that differ.
  static func comparison(
    of object: JSONObject, and other: JSONObject, besides key: String
  ) -> (common: Int, different: Int) {
    var common = 0
    var different = 0
    for member in object where !haveSameScalars(member.key, key) {
      guard let value = other[member.key], value.isScalar, member.value.isScalar else { continue }
      common += 1
      if value != member.value { different += 1 }
    }
    return (common, different)
  }
}

extension JSONValue {
  /// A Boolean value that indicates whether the value is neither null nor a list nor an object.
  var isScalar: Bool {
    switch self {
    case .boolean, .number, .string: true
    case .null, .array, .object: false
    }
  }

  /// The value as text; nil unless it can be the identifier of a record: a text or an integer.
  var identifier: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): number.int64Value.map(String.init)
    case .null, .boolean, .array, .object: nil
    }
  }
}
