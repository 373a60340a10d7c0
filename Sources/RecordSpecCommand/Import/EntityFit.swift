import JSONTree
import RecordModel
import ScenarioFormat
import ScenarioRun

/// The choice of an entity of a model for the items of a response, by the keys that it reads.
struct EntityFit {
  private struct Property {
    var name: PropertyName
    /// The first keys of its paths.
    var keys: [ScalarString]
  }

  private struct Candidate {
    var name: EntityName
    /// The attributes and the properties of the primary key, inherited ones included.
    var attributes: [Property] = []
    var primaryKey: [Property] = []
    /// The first keys of the paths of all properties.
    var keys: Set<ScalarString> = []
    var responseKeyPath: MappingPath?

    /// Returns a Boolean value that indicates whether some keys are those of properties besides the primary key, if there
    /// are such properties.
    func isIdentified(by found: Set<ScalarString>) -> Bool {
      let others = keys.subtracting(primaryKey.flatMap(\.keys))
      return others.isEmpty || !others.isDisjoint(with: found)
    }
  }

  /// The chosen entity, and the reason in words.
  struct Choice {
    var entity: EntityName
    var reason: String
    /// The entity's location of the items; nil for the response itself.
    var responseKeyPath: MappingPath?
    /// The properties and keys that do not fit, in words; nil if the entity fits.
    var problem: String?
    /// A Boolean value that indicates whether the items have more of the entity than its primary key, which many entities
    /// have in common.
    var isCertain = true
  }

  private let candidates: [Candidate]

  /// Creates a choice from the entities of a model; nil if it has none.
  init?(_ model: ManagedObjectModel) {
    guard !model.entities.isEmpty else { return nil }
    let byName = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    candidates = model.entities.map { Self.candidate($0, byName) }
  }

  private static func candidate(_ entity: EntityDescription, _ byName: [EntityName: EntityDescription])
    -> Candidate
  {
    var candidate = Candidate(name: entity.name)
    var relationships: [Property] = []
    var primaryKey: [PropertyName] = []
    var next: EntityDescription? = entity
    var visited: Set<EntityName> = []
    while let current = next, visited.insert(current.name).inserted {
      candidate.attributes += current.attributes.map { property($0.name, $0.from, $0.usesOwnName) }
      relationships += current.relationships.map { property($0.name, $0.from, $0.usesOwnName) }
      if primaryKey.isEmpty { primaryKey = current.primaryKey }
      candidate.responseKeyPath = candidate.responseKeyPath ?? current.responseKeyPath
      next = current.parent.flatMap { byName[$0] }
    }
    let properties = candidate.attributes + relationships
    candidate.primaryKey = properties.filter { primaryKey.contains($0.name) && !$0.keys.isEmpty }
    candidate.keys = Set(properties.flatMap(\.keys))
    return candidate
  }

  private static func property(_ name: PropertyName, _ from: [MappingPath], _ usesOwnName: Bool) -> Property {
    let keys = from.compactMap { path in
      if case .key(let key)? = path.components.first { ScalarString(key) } else { nil }
    }
    return Property(name: name, keys: (usesOwnName ? [ScalarString(name.rawValue)] : []) + keys)
  }

  /// Returns the entity that reads most keys of the items. The name in the response or in its address decides between
  /// equal ones.
  func choice(for location: ItemLocation) -> Choice {
    let keys = Self.keys(of: location)
    let name = name(of: location, hasKeys: !keys.isEmpty)
    let scored = candidates.map { candidate in
      (candidate, count: keys.count { candidate.keys.contains($0) }, isNamed: candidate.name.rawValue == name)
    }
    let best = scored.dropFirst().reduce(scored[0]) { best, other in
      let isBetter = best.count == other.count ? !best.isNamed && other.isNamed : best.count < other.count
      return isBetter ? other : best
    }
    let reason: String
    if best.count > 0 {
      let others = scored.filter { $0.0.name != best.0.name && $0.count > 0 }.max { $0.count < $1.count }
      reason =
        "'\(best.0.name)' reads \(best.count) of \(counted(keys.count, "key")) of the items"
        + (others.map { ", '\($0.0.name)' \($0.count)" } ?? "")
    } else {
      reason =
        best.isNamed ? "the name is from \(location.nameSource)" : "no entity of the model reads these items"
    }
    return Choice(
      entity: best.0.name, reason: reason, responseKeyPath: best.0.responseKeyPath,
      problem: keys.isEmpty ? nil : Self.problem(of: best.0, keys),
      isCertain: keys.isEmpty || best.0.isIdentified(by: keys))
  }

  /// Returns the name of the items' entity; without items, that of the last part of the address that names one.
  private func name(of location: ItemLocation, hasKeys: Bool) -> String {
    let name = KeyWords.entityName(location.name)
    if hasKeys || candidates.contains(where: { $0.name.rawValue == name }) { return name }
    let names = location.segments.lazy.reversed().map { KeyWords.entityName($0) }
    return names.first { name in candidates.contains { $0.name.rawValue == name } } ?? name
  }

  /// Returns the choice of an entity that the user names; nil if the model does not contain it.
  func choice(of entity: EntityName, for location: ItemLocation) -> Choice? {
    guard let candidate = candidates.first(where: { $0.name == entity }) else { return nil }
    let keys = Self.keys(of: location)
    return Choice(
      entity: entity, reason: "", responseKeyPath: candidate.responseKeyPath,
      problem: keys.isEmpty ? nil : Self.problem(of: candidate, keys))
  }

  private static func keys(of location: ItemLocation) -> Set<ScalarString> {
    Set(location.items.prefix(comparedItems).flatMap { $0.keys.map { ScalarString($0) } })
  }

  private static let comparedItems = 20

  /// Returns the entity with the name of the last part of an address, or else the first one.
  func choice(forURL url: String) -> Choice {
    let location = ItemLocation(in: .array([]), url: url)
    return location.map(choice)
      ?? Choice(entity: candidates[0].name, reason: "", responseKeyPath: candidates[0].responseKeyPath)
  }

  /// Returns what does not fit items with some keys; nil if they have the primary key, at least half of the attributes and
  /// any property.
  private static func problem(of candidate: Candidate, _ keys: Set<ScalarString>) -> String? {
    let attributes = candidate.attributes.filter { !$0.keys.isEmpty }
    func isMissing(_ property: Property) -> Bool { !property.keys.contains { keys.contains($0) } }
    let missing = attributes.filter(isMissing)
    let missingKeys = candidate.primaryKey.filter(isMissing)
    guard
      2 * missing.count > attributes.count || !missingKeys.isEmpty || keys.isDisjoint(with: candidate.keys)
    else { return nil }
    let common = keys.filter { candidate.keys.contains($0) }.sorted().map(\.string)
    let unread = keys.filter { !candidate.keys.contains($0) }.sorted().map(\.string)
    var parts = [
      common.isEmpty
        ? "it reads none of their keys" : "of their keys, it reads only \(list(common))",
      missing.isEmpty ? "" : "they lack \(list(missing.map(\.name.rawValue)))",
      missingKeys.isEmpty ? "" : "their primary key \(list(missingKeys.map(\.name.rawValue))) is missing",
      unread.isEmpty ? "" : "it does not read \(list(unread))",
    ]
    parts.removeAll(where: \.isEmpty)
    return parts.joined(separator: "; ")
  }

  /// Returns at most five names.
  private static func list(_ names: [String]) -> String {
    shortenedList(names.map { "'\($0)'" }, limit: 5)
  }
}
