import JSONTree

/// The choice of the keys that identify the samples of an entity.
struct IdentifierChoice {
  typealias Sample = InferredEntity.Sample

  /// The key whose value identifies a record.
  let identifier: String
  /// The key of a type, if records of several types have the same identifier; nil for none.
  let discriminator: String?
  /// The number of records.
  let count: Int
  /// A Boolean value that indicates whether the address of a response contains an identifier.
  let isInAddress: Bool

  /// Chooses the keys that identify samples; nil if there are none.
  ///
  /// - Parameters:
  ///   - name: the key under which the objects were found.
  ///   - locations: the location of the items of each response.
  /// - Complexity: linear in the number of members of the samples.
  init?(_ samples: [Sample], named name: String, _ locations: [ItemLocation]) {
    let discriminators = Self.discriminators(in: samples)
    for key in Self.candidates(in: samples, named: name, locations) {
      let records = RecordTally(samples, key, locations)
      if records.hasSeveralTypes(discriminators) {
        for other in discriminators {
          let records = RecordTally(samples, key, locations, discriminator: other)
          guard records.areConsistent, !records.hasSeveralTypes(discriminators) else { continue }
          (identifier, discriminator, count) = (key, other, records.count)
          isInAddress = false
          return
        }
      }
      guard records.areConsistent else { continue }
      (identifier, discriminator, count) = (key, nil, records.count)
      isInAddress = samples.contains { Self.isInAddress($0, key, locations) }
      return
    }
    return nil
  }

  // MARK: Candidates

  /// The keys that may identify an object, the most common first.
  private static let names = [
    "id", "uuid", "guid", "key", "slug", "sku", "isbn", "login", "username", "handle", "screenname",
    "objectid",
    "", "number", "url", "href", "name",
  ]

  /// Returns a Boolean value that indicates whether a key often identifies a record.
  static func isName(_ key: String) -> Bool { names.contains(KeyWords.joined(key)) && !isWeak(key) }

  /// Returns the keys that have a value in every object, the best identifier first.
  ///
  /// - Parameters:
  ///   - name: the key under which the objects were found.
  ///   - locations: the location of the items of each response.
  static func candidates(in samples: [Sample], named name: String, _ locations: [ItemLocation] = [])
    -> [String]
  {
    guard let first = samples.first else { return [] }
    let own = Nouns.singular(KeyWords.joined(name)) + "id"
    let named = samples.first { $0.isSingle }
    let ranked = first.object.keys.compactMap { key -> (rank: Int, key: String)? in
      let joined = KeyWords.joined(key)
      if joined == own { return (2, key) }
      if !joined.isEmpty, let rank = names.firstIndex(of: joined) { return (rank < 1 ? rank : rank + 2, key) }
      // Another key whose value is the last part of the address.
      guard let named, !isDiscriminator(key), isInAddress(named, key, locations) else { return nil }
      return ((names.firstIndex(of: "") ?? 0) + 2, key)
    }
    return ranked.sorted { $0.rank < $1.rank }.map(\.key).filter { key in
      samples.allSatisfy { $0.object[key]?.identifier != nil }
    }
  }

  /// Returns a Boolean value that indicates whether the address of a response ends with the identifier of its item.
  static func isInAddress(_ sample: Sample, _ key: String, _ locations: [ItemLocation]) -> Bool {
    guard sample.isSingle, locations.indices.contains(sample.response),
      let value = sample.object[key]?.identifier
    else {
      return false
    }
    let location = locations[sample.response]
    return location.segments.last == value && location.name != value
  }

  /// Returns a Boolean value that indicates whether different records may have the same value of a key.
  static func isWeak(_ key: String) -> Bool { weakNames.contains(KeyWords.joined(key)) }

  private static let weakNames: Set<String> = ["url", "href", "name", "number"]

  // MARK: Types

  /// Returns a Boolean value that indicates whether a key contains the type of a record.
  static func isDiscriminator(_ key: String) -> Bool {
    KeyWords.words(of: key).last.map(typeWords.contains) ?? false
  }

  private static let typeWords: Set<String> = ["type", "kind", "class", "typename", "object", "model"]

  /// Returns the keys of types that all samples have.
  private static func discriminators(in samples: [Sample]) -> [String] {
    (samples.first?.object.keys ?? []).filter { key in
      isDiscriminator(key)
        && samples.allSatisfy { if case .string(let text)? = $0.object[key] { !text.isEmpty } else { false } }
    }
  }

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

/// The records of samples with a key.
private struct RecordTally {
  private(set) var count = 0
  /// A Boolean value that indicates whether samples with the same key can be the same record.
  private(set) var areConsistent = true
  /// The pairs of samples with the same key of which each may be of a type of its own.
  private var pairs: [(IdentifierChoice.Sample, IdentifierChoice.Sample, isChange: Bool)] = []

  private struct Identity: Hashable {
    var type: ScalarString?
    var identifier: ScalarString
  }

  init(
    _ samples: [IdentifierChoice.Sample], _ key: String, _ locations: [ItemLocation],
    discriminator: String? = nil
  ) {
    var latest: [Identity: IdentifierChoice.Sample] = [:]
    let isWeak = IdentifierChoice.isWeak(key)
    for sample in samples {
      guard let text = sample.object[key]?.identifier else {
        areConsistent = false
        return
      }
      let type = discriminator.flatMap { sample.object[$0]?.identifier }.map { ScalarString($0) }
      let identity = Identity(type: type, identifier: ScalarString(text))
      let former = latest.updateValue(sample, forKey: identity)
      guard let former else { continue }
      let isChange = Self.isChange(former, sample, key, locations)
      pairs.append((former, sample, isChange))
      if isChange { continue }
      let (common, different) = IdentifierChoice.comparison(
        of: sample.object, and: former.object, besides: key)
      if isWeak ? different > 0 : different > 1 && 2 * different > common { areConsistent = false }
    }
    count = latest.count
  }

  /// Returns a Boolean value that indicates whether two samples are one record at two times, whatever their values: those
  /// of two responses of one address, or one of a response whose address ends with the identifier.
  private static func isChange(
    _ former: IdentifierChoice.Sample, _ sample: IdentifierChoice.Sample, _ key: String,
    _ locations: [ItemLocation]
  ) -> Bool {
    guard former.response != sample.response else { return false }
    if IdentifierChoice.isInAddress(former, key, locations)
      || IdentifierChoice.isInAddress(sample, key, locations)
    {
      return true
    }
    guard !IdentifierChoice.isWeak(key), locations.indices.contains(former.response),
      locations.indices.contains(sample.response)
    else { return false }
    let (first, second) = (locations[former.response], locations[sample.response])
    return first.url == second.url || former.isRoot && sample.isRoot && first.segments == second.segments
  }

  /// Returns a Boolean value that indicates whether samples with the same key are records of several types: their types
  /// differ, and so do most other values.
  func hasSeveralTypes(_ discriminators: [String]) -> Bool {
    discriminators.contains { discriminator in
      pairs.contains { former, sample, isChange in
        guard former.object[discriminator] != sample.object[discriminator] else { return false }
        if former.response == sample.response { return true }
        let (common, different) = IdentifierChoice.comparison(
          of: sample.object, and: former.object, besides: discriminator)
        // The identifier is equal.
        return !isChange && common - different - 1 <= different
      }
    }
  }
}
