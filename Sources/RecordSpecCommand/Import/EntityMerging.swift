import JSONTree
import OrderedCollections
import RecordModel
import ScenarioReport

/// Finds the inferred entities with different names whose objects are of the same kind, such as `Author` and `User`.
///
/// Evidence is conservative: two entities without need cost a user less than one entity that mixes two kinds of records.
struct EntityMerging {
  private let entities: [InferredEntity]
  /// The name that the objects of each entity state; nil if they state none.
  private let typeNames: [String?]
  private var parents: [Int]
  private var destinations: [[ScalarString: Int]]
  private(set) var hasMerged = false
  /// The reason why each entity is the same as another one.
  private(set) var reasons: [Int: InferredEntity.UnionReason] = [:]
  private var queue: [(Int, Int)] = []

  /// Creates a search among entities.
  ///
  /// - Parameter typeKeys: the keys that contain names of entities.
  init(_ entities: [InferredEntity], typeKeys: Set<String>) {
    self.entities = entities
    typeNames = entities.map { $0.nameOfType(typeKeys)?.key }
    parents = Array(entities.indices)
    destinations = entities.map(\.destinations)
  }

  /// Returns the first of the entities that are the same as one. Shortens the way to it for the next search.
  mutating func first(of index: Int) -> Int {
    var index = index
    while parents[index] != index {
      parents[index] = parents[parents[index]]
      index = parents[index]
    }
    return index
  }

  /// Compares each entity with those before it that have a record or a key in common.
  ///
  /// - Complexity: linear in the size of the samples.
  mutating func run() {
    var byRecord: [ScalarString: [Int]] = [:]
    var byKey: [ScalarString: [Int]] = [:]
    for (index, entity) in entities.enumerated() {
      guard let key = entity.identifier else { continue }
      var others: Set<Int> = []
      func note(_ text: String, _ table: inout [ScalarString: [Int]]) {
        let known = table[ScalarString(text), default: []]
        others.formUnion(known.suffix(Self.compared).filter { $0 != index })
        if known.last != index { table[ScalarString(text)] = known + [index] }
      }
      for sample in entity.samples.prefix(InferredEntity.comparedSamples) {
        if let value = sample.object[key]?.identifier { note("\(key)=\(value)", &byRecord) }
      }
      for key in entity.keys.prefix(Self.comparedKeys) where !Self.isCommon(key) { note(key, &byKey) }
      if let type = typeNames[index] { note("type \(type)", &byRecord) }
      for other in others.sorted().prefix(Self.comparedEntities) {
        if let reason = reason(other, index) { unite(other, index, reason) }
      }
    }
  }

  private static let compared = 4
  private static let comparedKeys = 100
  private static let comparedEntities = 32

  private mutating func unite(_ left: Int, _ right: Int, _ reason: InferredEntity.UnionReason) {
    queue.append((left, right))
    reasons[right] = reasons[right] ?? reason
    while let (left, right) = queue.popLast() {
      let (a, b) = (first(of: left), first(of: right))
      guard a != b, entities[a].allows(entities[b].forms) else { continue }
      let (kept, other) = (min(a, b), max(a, b))
      parents[other] = kept
      hasMerged = true
      // The objects under the same key are probably of the same kind, too.
      for (key, destination) in destinations[other] {
        guard let known = destinations[kept][key] else {
          destinations[kept][key] = destination
          continue
        }
        if mayBeOne(known, destination) { queue.append((known, destination)) }
      }
    }
  }

  // MARK: Evidence

  /// Returns a Boolean value that indicates whether the objects under one key of one entity can be one entity.
  private func mayBeOne(_ left: Int, _ right: Int) -> Bool {
    let (first, second) = (entities[left], entities[right])
    guard first.identifier == second.identifier, haveSameKinds(first, second),
      !haveDifferentTypes(first, second), first.resembles(second.keySet)
    else { return false }
    let shared = sharedRecords(first, second)
    return shared.contradictory <= shared.equal
  }

  /// Returns the reason why two entities are one; nil if they are not.
  private func reason(_ left: Int, _ right: Int) -> InferredEntity.UnionReason? {
    let (first, second) = (entities[left], entities[right])
    guard let key = first.identifier, key == second.identifier, haveSameKinds(first, second),
      !haveDifferentTypes(first, second), first.allows(second.forms)
    else { return nil }
    let isWeak = IdentifierChoice.isWeak(key)
    if isWeak, first.keySet != second.keySet { return nil }
    let shared = sharedRecords(first, second)
    if shared.contradictory > 0, shared.contradictory * 4 > shared.equal { return nil }
    if haveSameNamesOfDifferentRecords(first, second) { return nil }
    let common = first.keySet.intersection(second.keySet)
    let least = min(first.keySet.count, second.keySet.count)
    if let type = typeNames[left], type == typeNames[right] { return .keys(common.count) }
    if shared.equalValues > 1, 5 * common.count >= 3 * least { return .records(shared.equal) }
    if isWeak { return nil }
    let isOfSameType = common.contains { key in
      IdentifierChoice.isDiscriminator(key.string)
        && first.constant(key.string).map { $0 == second.constant(key.string) } ?? false
    }
    let telling = common.count { !Self.isCommon($0.string) } + (isOfSameType ? 1 : 0)
    if first.keySet == second.keySet { return common.count >= 4 && telling > 0 ? .equalKeys : nil }
    // Two names in addresses, such as `lists` and `cards`, are of two kinds until a record says otherwise.
    guard common.count >= 4, 5 * common.count >= 4 * least, telling > 1,
      first.name.rank < 2 || second.name.rank < 2
    else { return nil }
    return .keys(common.count)
  }

  private func haveSameKinds(_ first: InferredEntity, _ second: InferredEntity) -> Bool {
    first.kinds.allSatisfy { key, kind in second.kinds[key].map { $0 == kind } ?? true }
  }

  /// Returns a Boolean value that indicates whether all objects of each entity have the same type, which is not that of the
  /// other.
  private func haveDifferentTypes(_ first: InferredEntity, _ second: InferredEntity) -> Bool {
    let isSameShape = first.keySet == second.keySet
    return first.keys.contains { key in
      guard IdentifierChoice.isDiscriminator(key), second.keySet.contains(ScalarString(key)),
        !isSameShape || InferredEntity.isTypeKey(key), let type = first.constant(key),
        let other = second.constant(key)
      else { return false }
      return type != other
    }
  }

  /// Returns a Boolean value that indicates whether a record of each entity has the same value of another key that
  /// identifies records, such as `username`, but another identifier.
  private func haveSameNamesOfDifferentRecords(_ first: InferredEntity, _ second: InferredEntity) -> Bool {
    guard let identifier = first.identifier else { return false }
    return first.identifiers.contains { key in
      guard key != identifier, !IdentifierChoice.isWeak(key), second.keySet.contains(ScalarString(key)) else {
        return false
      }
      var known: [ScalarString: String] = [:]
      for sample in first.samples.prefix(InferredEntity.comparedSamples) {
        guard let value = sample.object[key]?.identifier else { continue }
        known[ScalarString(value)] = sample.object[identifier]?.identifier
      }
      return second.samples.prefix(InferredEntity.comparedSamples).contains { sample in
        guard let value = sample.object[key]?.identifier, let other = known[ScalarString(value)] else {
          return false
        }
        return sample.object[identifier]?.identifier != other
      }
    }
  }

  /// Returns the number of records that two entities have in common, and of those with the same identifier and other
  /// values.
  private func sharedRecords(
    _ first: InferredEntity, _ second: InferredEntity
  ) -> (equal: Int, equalValues: Int, contradictory: Int) {
    var found = (equal: 0, equalValues: 0, contradictory: 0)
    guard let key = first.identifier else { return found }
    var known: [ScalarString: JSONObject] = [:]
    for sample in first.samples.prefix(InferredEntity.comparedSamples) {
      if let value = sample.object[key]?.identifier { known[ScalarString(value)] = sample.object }
    }
    for sample in second.samples.prefix(InferredEntity.comparedSamples) {
      guard let value = sample.object[key]?.identifier, let other = known[ScalarString(value)] else {
        continue
      }
      let (common, different) = IdentifierChoice.comparison(of: sample.object, and: other, besides: key)
      if different > 0, 2 * different >= common {
        found.contradictory += 1
      } else if common > 0 {
        found.equal += 1
        // Two records can have a number or a word in common by chance, but hardly a text.
        found.equalValues += sample.object.reduce(0) { sum, member in
          haveSameScalars(member.key, key) || member.value != other[member.key]
            ? sum : sum + Self.weight(of: member)
        }
      }
    }
    return found
  }

  private static func weight(of member: JSONObject.Element) -> Int {
    switch member.value {
    case .string(let text):
      let isWord =
        IdentifierChoice.isDiscriminator(member.key) || choiceKeys.contains(KeyWords.joined(member.key))
      return isWord ? 0 : text.utf8.count > 3 ? 2 : 1
    case .number: return 1
    case .null, .boolean, .array, .object: return 0
    }
  }

  /// The keys whose values are often one of a few words.
  private static let choiceKeys: Set<String> = [
    "status", "state", "color", "currency", "language", "locale", "visibility", "role", "category",
  ]

  /// Returns a Boolean value that indicates whether objects of many kinds have a key.
  private static func isCommon(_ key: String) -> Bool {
    let words = KeyWords.words(of: key)
    return commonKeys.contains(words.joined())
      || words.last.map { ["at", "url", "uri", "id", "href"].contains($0) } ?? true || words.first == "id"
  }

  private static let commonKeys: Set<String> = [
    "id", "name", "title", "type", "kind", "object", "typename", "slug", "description", "status", "state",
    "created",
    "updated", "modified", "links", "self", "metadata", "meta", "label", "key", "code", "position", "order",
    "count",
    "date", "version", "livemode", "permalink", "externalurls", "images", "color", "active", "enabled",
  ]
}

extension InferredEntity {
  /// The reason why two entities are one.
  enum UnionReason {
    case equalKeys
    case keys(Int)
    case records(Int)
  }

  /// Keeps the reason why another entity is this one.
  mutating func note(_ reason: UnionReason?, of other: InferredEntity) {
    switch reason {
    case .equalKeys, nil:
      for name in other.names.values where !otherNames.contains(name.key) { otherNames.append(name.key) }
    case .keys(let count): unions.append("\(other.name.source), by \(counted(count, "common key"))")
    case .records(let count): equalities.append("\(other.name.source), by \(counted(count, "equal record"))")
    }
  }

  /// The name that the objects state themselves, such as `__typename: Product`; nil if they state none.
  ///
  /// - Parameter keys: the keys that contain such names.
  func nameOfType(_ typeKeys: Set<String>) -> Name? {
    for key in keys where Self.isTypeKey(key) || typeKeys.contains(key) && identifier != nil {
      guard let type = constant(key), type != "list", (3..<64).contains(type.utf8.count),
        type.unicodeScalars.first?.properties.isAlphabetic ?? false
      else { continue }
      return Name(key: type, source: "'\(key)' in the objects", rank: 3)
    }
    return nil
  }

  /// Returns the value of a key that all samples have; nil if there is none.
  func constant(_ key: String) -> String? {
    guard case .string(let text)? = samples.first?.object[key], !text.isEmpty,
      samples.prefix(Self.comparedSamples).allSatisfy({ $0.object[key] == .string(text) })
    else { return nil }
    return text
  }

  /// Returns a Boolean value that indicates whether a key contains the name of an entity, such as `__typename`.
  static func isTypeKey(_ key: String) -> Bool {
    ["typename", "object", "resourcetype"].contains(KeyWords.joined(key))
  }
}
