import JSONTree
import OrderedCollections

/// An entity that is inferred from objects of responses.
struct InferredEntity {
  /// An object from which the entity is inferred.
  struct Sample {
    var object: JSONObject
    /// The index of the response that contains the object.
    var response = -1
    /// A Boolean value that indicates whether the object is an item of the response, and not inside of one.
    var isRoot = false
    /// A Boolean value that indicates whether the object is the only item of a response without a list.
    var isSingle = false
  }

  /// A name of the entity, and its source in words.
  struct Name {
    /// The key that the name comes from.
    var key: String
    var source: String
    /// The rank of the name: a name of a type before those of lists, and those before all others.
    var rank: Int
    var count = 1
  }

  /// The form of the items of responses.
  enum Form { case object, dictionary }

  private(set) var names: OrderedDictionary<String, Name> = [:]
  var isRoot: Bool
  /// The forms of the responses that are objects.
  private(set) var forms: Set<Form> = []
  private(set) var samples: [Sample] = []
  /// The index of each sample among all samples.
  private(set) var indices: [Int] = []
  /// The keys of the samples, in order of first appearance.
  private(set) var keys: [String] = []
  private(set) var keySet: Set<ScalarString> = []
  /// The kinds of the first values that are not null, by key.
  private(set) var kinds: [ScalarString: JSONKind] = [:]
  /// The keys that may identify the samples, the best one first.
  private(set) var identifiers: [String] = []
  /// The key whose value identifies a sample; nil if there is none.
  var identifier: String?
  /// The choice of the keys that identify the samples; nil if there are none.
  var choice: IdentifierChoice?
  /// The entities of the objects under the keys, by key.
  var destinations: [ScalarString: Int] = [:]
  /// The keys whose objects do not become records, with the reason.
  var plainKeys: [ScalarString: String] = [:]
  /// The keys, other than the one of the name, under which equal objects were found.
  var otherNames: [String] = []
  /// The guesses that objects with partly different keys belong to the entity, in words.
  var unions: [String] = []
  /// The guesses that objects belong to the entity because some of them are the same records, in words.
  var equalities: [String] = []

  init(isRoot: Bool) { self.isRoot = isRoot }

  // MARK: Names

  /// The best name: of the highest rank, found most often, and with the fewest words.
  var name: Name {
    let best = names.values.enumerated().max { left, right in
      Self.order(left.element, left.offset).lexicographicallyPrecedes(Self.order(right.element, right.offset))
    }
    return best?.element ?? Name(key: "item", source: "no name", rank: 0)
  }

  private static func order(_ name: Name, _ position: Int) -> [Int] {
    [name.rank, name.count, -KeyWords.words(of: name.key).count, -position]
  }

  mutating func add(_ name: Name) {
    let entity = KeyWords.entityName(name.key)
    guard var known = names[entity] else {
      names[entity] = name
      return
    }
    known.count += name.count
    if name.rank > known.rank { (known.rank, known.key, known.source) = (name.rank, name.key, name.source) }
    names[entity] = known
  }

  /// Returns a Boolean value that indicates whether the entity has a name.
  func isNamed(_ name: String) -> Bool { names[name] != nil }

  mutating func add(_ form: Form) { forms.insert(form) }

  /// Returns a Boolean value that indicates whether the entity can have responses of other forms, too. One key path
  /// leads either to an item or to a dictionary of them.
  func allows(_ other: Set<Form>) -> Bool { forms.union(other).count < 2 }

  // MARK: Samples

  /// Adds samples, of which the first one has an index among all samples.
  ///
  /// - Parameter identifiers: the keys that may identify them, the best one first.
  mutating func add(_ added: [Sample], from index: Int, identifiers other: [String]) {
    add(added, Array(index..<index + added.count), other)
  }

  private mutating func add(_ added: [Sample], _ addedIndices: [Int], _ other: [String]) {
    guard !added.isEmpty else { return }
    identifiers = samples.isEmpty ? other : identifiers.filter(other.contains)
    identifier = identifiers.first
    samples += added
    indices += addedIndices
    for sample in added {
      for member in sample.object {
        let key = ScalarString(member.key)
        if keySet.insert(key).inserted { keys.append(member.key) }
        if kinds[key] == nil, member.value.kind != .null { kinds[key] = member.value.kind }
      }
    }
  }

  /// Adds the samples, names and guesses of another entity.
  mutating func add(_ other: InferredEntity) {
    add(other.samples, other.indices, other.identifiers)
    for name in other.names.values { add(name) }
    isRoot = isRoot || other.isRoot
    forms.formUnion(other.forms)
    for (key, reason) in other.plainKeys where plainKeys[key] == nil { plainKeys[key] = reason }
    for name in other.otherNames where !otherNames.contains(name) { otherNames.append(name) }
    unions += other.unions
    equalities += other.equalities
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

  static let comparedSamples = 200

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

extension JSONValue {
  /// The elements of an array; for any other value, the value itself.
  var elementsOrSelf: [JSONValue] { if case .array(let elements) = self { elements } else { [self] } }

  /// A Boolean value that indicates whether the value is null, an empty list or an empty object.
  var isEmpty: Bool {
    switch self {
    case .null: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    case .boolean, .number, .string: false
    }
  }

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
