import JSONTree
import OrderedCollections
import RecordModel
import ScenarioReport
import ScenarioRun

/// Infers entities from the items of responses and from the objects inside of them.
///
/// Objects become one entity if they have the same name and similar keys or equal records, or the same keys under
/// different names. An object without a key that identifies it becomes an entity that belongs to the object around it.
struct EntityInference {
  private(set) var entities: [InferredEntity] = []
  /// The samples of the objects and of the objects inside of them, by entity and key.
  private(set) var links: [Link: [(owner: Int, child: Int)]] = [:]
  /// The entity of each group of items.
  private(set) var roots: [Int] = []
  /// The position of each sample among those of its entity.
  private(set) var samplePositions: [Int] = []

  struct Link: Hashable {
    var entity: Int
    var key: ScalarString
  }

  private struct Place {
    var name: String
    var nameSource: String
    var owner: Link?
    var isList: Bool
    var children: [(owner: Int?, sample: InferredEntity.Sample)]
  }

  private var byName: [String: [Int]] = [:]
  private var byKeys: [Set<ScalarString>: [Int]] = [:]
  private var listCount = 0

  /// Infers the entities of groups of items, one group for each response.
  ///
  /// - Complexity: linear in the size of the items.
  init(_ groups: [ItemLocation]) {
    var queue: [Place] = []
    for group in groups {
      listCount += 1
      let place = Place(
        name: group.name, nameSource: group.nameSource, owner: nil, isList: true,
        children: group.items.map { (nil, .init(object: $0, list: listCount)) })
      roots.append(add(place, &queue))
    }
    var next = 0
    while next < queue.count {
      _ = add(queue[next], &queue)
      next += 1
    }
    chooseIdentifiers()
  }

  // MARK: Places

  /// Adds the objects of a place to their entity, and the objects inside of them to the queue.
  private mutating func add(_ place: Place, _ queue: inout [Place]) -> Int {
    let samples = place.children.map(\.sample)
    let identifiers = IdentifierChoice.candidates(in: samples, named: place.name)
    let entity = entity(of: place, samples, identifiers)
    let (position, keyCount) = (entities[entity].samples.count, entities[entity].keys.count)
    entities[entity].add(samples, identifiers: identifiers)
    let indices = samplePositions.count..<samplePositions.count + samples.count
    samplePositions += position..<position + samples.count
    for (index, child) in zip(indices, place.children) {
      if let owner = child.owner, let link = place.owner { links[link, default: []].append((owner, index)) }
    }
    let newCount = entities[entity].keys.count
    if newCount > keyCount, newCount <= Self.maximumKeyCount {
      byKeys[entities[entity].keySet, default: []].append(entity)
    }
    if let owner = place.owner {
      if entities[owner.entity].destinations[owner.key] == nil {
        entities[owner.entity].destinations[owner.key] = entity
      } else if entities[owner.entity].destinations[owner.key] != entity {
        entities[owner.entity].plainKeys[owner.key] = "objects with different keys"
      }
    }
    queue += inner(place, entity, indices)
    return entity
  }

  /// Returns the places of the objects under the keys of some objects.
  private mutating func inner(_ place: Place, _ entity: Int, _ indices: Range<Int>) -> [Place] {
    typealias Group = (objects: [(Int?, InferredEntity.Sample)], isObject: Bool, isList: Bool)
    var found: OrderedDictionary<ScalarString, Group> = [:]
    for (index, child) in zip(indices, place.children) {
      for member in child.sample.object {
        let key = ScalarString(member.key)
        switch member.value {
        case .object(let object):
          found[key, default: ([], false, false)].objects.append((index, .init(object: object, list: nil)))
          found[key]?.isObject = true
        case .array(let elements) where elements.contains(where: { $0.kind == .object || $0.kind == .array }):
          found[key, default: ([], false, true)].isList = true
          listCount += 1
          for element in elements {
            if case .object(let object) = element {
              found[key]?.objects.append((index, .init(object: object, list: listCount)))
            } else if case .array = element {
              entities[entity].plainKeys[key] = "lists inside of lists"
            }
          }
        default: break
        }
      }
    }
    return found.compactMap { key, group in
      if group.isObject, group.isList {
        entities[entity].plainKeys[key] = "sometimes an object and sometimes a list"
      } else if let reason = Self.reasonForPlain(group.objects.map(\.1.object)) {
        entities[entity].plainKeys[key] = reason
      }
      guard entities[entity].plainKeys[key] == nil else { return nil }
      return Place(
        name: key.string, nameSource: "the key '\(key.string)'", owner: Link(entity: entity, key: key),
        isList: group.isList, children: group.objects)
    }
  }

  /// Returns the reason why objects are stored as JSON; nil if they are records.
  private static func reasonForPlain(_ objects: [JSONObject]) -> String? {
    if objects.allSatisfy(\.isEmpty) { return "only empty objects" }
    let isMap = objects.allSatisfy { $0.keys.allSatisfy { ItemLocation.isIdentifier($0) || $0.isEmpty } }
    return isMap ? "the keys look like identifiers; see 'keyedBy' in the documentation of relationships" : nil
  }

  // MARK: Entities

  /// Returns the entity of a place, which may be a new one.
  ///
  /// - Parameter candidates: the keys that may identify the objects.
  private mutating func entity(
    of place: Place, _ samples: [InferredEntity.Sample], _ candidates: [String]
  ) -> Int {
    let keys = Set(samples.flatMap { $0.object.keys.map { ScalarString($0) } })
    let name = KeyWords.entityName(place.name)
    if let owner = place.owner, let known = entities[owner.entity].destinations[owner.key],
      samples.isEmpty || candidates.contains(where: { $0 == entities[known].identifier })
        || (candidates.isEmpty && entities[known].identifier == nil)
    {
      return known
    }
    let mayShare = !candidates.isEmpty || place.isList
    if mayShare {
      for known in byName[name, default: []].suffix(Self.compared) {
        if samples.isEmpty || entities[known].samples.isEmpty { return known }
        guard entities[known].sharesIdentifier(candidates) else { continue }
        if entities[known].resembles(keys) { return known }
        if !candidates.isEmpty,
          let count = entities[known].agreement(with: samples, keys, identifiers: candidates)
        {
          entities[known].unions.append("\(place.nameSource), by \(counted(count, "common key"))")
          return known
        }
      }
    }
    if !candidates.isEmpty {
      for known in byKeys[keys, default: []].suffix(Self.compared) where entities[known].keySet == keys {
        guard let identifier = entities[known].identifier, candidates.contains(identifier),
          keys.count >= 4 || keys.count > 1 && sharesRecord(entities[known], samples)
        else { continue }
        let isNew =
          KeyWords.entityName(entities[known].name) != name
          && !entities[known].otherNames.contains(place.name)
        if isNew { entities[known].otherNames.append(place.name) }
        return known
      }
    }
    entities.append(
      InferredEntity(name: place.name, nameSource: place.nameSource, isRoot: place.owner == nil))
    let entity = entities.count - 1
    if mayShare { byName[name, default: []].append(entity) }
    return entity
  }

  /// The number of entities with the same name or keys that objects are compared with.
  private static let compared = 8
  private static let comparedSamples = 200
  /// The number of keys above which objects are not compared with those under other names.
  private static let maximumKeyCount = 2000

  /// Returns a Boolean value that indicates whether an entity and some objects have an equal record. Two kinds of records
  /// with few keys, such as `{id, name}`, are otherwise indistinguishable.
  private func sharesRecord(_ entity: InferredEntity, _ samples: [InferredEntity.Sample]) -> Bool {
    let objects = Set(entity.samples.suffix(Self.comparedSamples).map(\.object))
    return samples.prefix(Self.comparedSamples).contains { objects.contains($0.object) }
  }

  /// Chooses the identifiers again, now that all objects of the entities are known.
  private mutating func chooseIdentifiers() {
    for index in entities.indices {
      let candidates = IdentifierChoice.candidates(in: entities[index].samples, named: entities[index].name)
      entities[index].identifier = candidates.first {
        IdentifierChoice.distinctCount(of: $0, in: entities[index].samples) != nil
      }
    }
  }
}
