import JSONTree
import RecordModel

/// The choice of an entity of a model for the items of a response, by the keys that it reads.
struct EntityFit {
  private struct Candidate {
    var name: EntityName
    /// The first keys of the paths of all properties, inherited ones included.
    var keys: Set<ScalarString>
    var responseKeyPath: MappingPath?
  }

  /// The chosen entity, and the reason in words.
  struct Choice {
    var entity: EntityName
    var reason: String
    /// The entity's location of the items; nil for the response itself.
    var responseKeyPath: MappingPath?
  }

  private let candidates: [Candidate]

  init(_ model: ManagedObjectModel) {
    let byName = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    candidates = model.entities.map { entity in
      var keys: Set<ScalarString> = []
      var path: MappingPath?
      var next: EntityDescription? = entity
      var visited: Set<EntityName> = []
      while let current = next, visited.insert(current.name).inserted {
        for attribute in current.attributes {
          keys.formUnion(Self.keys(attribute.name, attribute.from, attribute.usesOwnName))
        }
        for relationship in current.relationships {
          keys.formUnion(Self.keys(relationship.name, relationship.from, relationship.usesOwnName))
        }
        path = path ?? current.responseKeyPath
        next = current.parent.flatMap { byName[$0] }
      }
      return Candidate(name: entity.name, keys: keys, responseKeyPath: path)
    }
  }

  private static func keys(_ name: PropertyName, _ from: [MappingPath], _ usesOwnName: Bool) -> [ScalarString]
  {
    (usesOwnName ? [ScalarString(name.rawValue)] : [])
      + from.compactMap { path in
        if case .key(let key)? = path.components.first { ScalarString(key) } else { nil }
      }
  }

  /// Returns the entity that reads most keys of the items; nil if the model has no entity. The name in the response or in
  /// its address decides between equal ones.
  func choice(for location: ItemLocation) -> Choice? {
    let name = KeyWords.entityName(location.name)
    let keys = Set(location.items.prefix(Self.comparedItems).flatMap { $0.keys.map { ScalarString($0) } })
    let scored = candidates.map { candidate in
      (candidate, count: keys.count { candidate.keys.contains($0) }, isNamed: candidate.name.rawValue == name)
    }
    let best = scored.max { left, right in
      left.count == right.count ? !left.isNamed && right.isNamed : left.count < right.count
    }
    guard let best else { return nil }
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
    return Choice(entity: best.0.name, reason: reason, responseKeyPath: best.0.responseKeyPath)
  }

  private static let comparedItems = 20

  /// Returns the entity with the name of the last part of an address, or else the first one.
  func choice(forURL url: String) -> Choice? {
    ItemLocation(in: .array([]), url: url).flatMap(choice)
  }
}
