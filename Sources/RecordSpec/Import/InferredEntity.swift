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
  var samples: [Sample] = []
  /// The indices of the samples among those of all entities.
  var sampleIndices: [Int] = []
  /// The keys of the samples, in order of first appearance.
  private(set) var keys: [String] = []
  private(set) var keySet: Set<ScalarString> = []
  /// The key whose value identifies a sample; nil if there is none.
  var identifier: String?
  /// The entities of the objects under the keys, by key.
  var destinations: [ScalarString: Int] = [:]
  /// The keys whose objects do not become records, with the reason.
  var plainKeys: [ScalarString: String] = [:]
  /// The keys, other than the one of the name, under which equal objects were found.
  var otherNames: [String] = []

  init(name: String, nameSource: String, isRoot: Bool, identifier: String?) {
    (self.name, self.nameSource, self.isRoot, self.identifier) = (name, nameSource, isRoot, identifier)
  }

  mutating func add(_ sample: Sample, index: Int) {
    samples.append(sample)
    sampleIndices.append(index)
    for key in sample.object.keys where keySet.insert(ScalarString(key)).inserted { keys.append(key) }
  }

  /// Returns a Boolean value that indicates whether objects with these keys can belong to the entity: most keys are the
  /// same, or one set of keys contains the other.
  func resembles(_ other: Set<ScalarString>) -> Bool {
    let common = keySet.intersection(other).count
    return common == min(keySet.count, other.count) || 2 * common >= keySet.union(other).count
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
      samples.allSatisfy { value(of: key, in: $0.object) != nil }
    }
  }

  /// Returns the value of a key as text; nil unless it is a text or an integer.
  static func value(of key: String, in object: JSONObject) -> String? {
    switch object[key] {
    case .string(let text)?: text.isEmpty ? nil : text
    case .number(let number)?: number.int64Value.map(String.init)
    default: nil
    }
  }

  /// Returns the number of different values of a key; nil if two objects with the same value are not the same record.
  ///
  /// - Complexity: linear in the number of members of the samples.
  static func distinctCount(of key: String, in samples: [InferredEntity.Sample]) -> Int? {
    var first: [ScalarString: JSONObject] = [:]
    let isWeak = ["url", "href", "name", "number"].contains(KeyWords.joined(key))
    for sample in samples {
      guard let text = value(of: key, in: sample.object) else { return nil }
      guard let former = first[ScalarString(text)] else {
        first[ScalarString(text)] = sample.object
        continue
      }
      var common = 0
      var different = 0
      for member in sample.object where !haveSameScalars(member.key, key) {
        guard let value = former[member.key], value.isScalar, member.value.isScalar else { continue }
        common += 1
        if value != member.value { different += 1 }
      }
      if isWeak ? different > 0 : different > 1 && 2 * different > common { return nil }
    }
    return first.count
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
}
