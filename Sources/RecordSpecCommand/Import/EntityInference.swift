import JSONTree
import OrderedCollections
import RecordModel
import ScenarioReport
import ScenarioRun

/// Infers entities from the items of responses and from the objects inside of them.
///
/// Objects become one entity if they have the same name and similar keys or equal records. Then entities with different
/// names become one if their objects are of the same kind. An object without a key that identifies it becomes an entity
/// that belongs to the object around it.
struct EntityInference {
  private(set) var entities: [InferredEntity] = []
  /// The samples of the objects and of the objects inside of them, by entity and key.
  private(set) var links: OrderedDictionary<Link, [(owner: Int, child: Int)]> = [:]
  /// The entity of each group of items; nil for a group without items.
  private(set) var roots: [Int?] = []
  /// The position of each sample among those of its entity.
  private(set) var samplePositions: [Int] = []
  private(set) var layout: ObjectLayout
  private let locations: [ItemLocation]

  struct Link: Hashable {
    var entity: Int
    var key: ScalarString
  }

  private struct Place {
    var name: InferredEntity.Name
    var owner: Link?
    var isList: Bool
    var form: InferredEntity.Form?
    var children: [(owner: Int?, sample: InferredEntity.Sample)]
  }

  private var byName: [String: [Int]] = [:]
  private var sampleCount = 0

  /// Infers the entities of groups of items, one group for each response.
  ///
  /// - Complexity: linear in the size of the items.
  init(_ groups: [ItemLocation]) {
    locations = groups
    layout = ObjectLayout(of: groups.lazy.flatMap(\.items))
    var queue: [Place] = []
    for (response, group) in groups.enumerated() {
      guard !group.items.isEmpty else {
        roots.append(nil)
        continue
      }
      var children: [(owner: Int?, sample: InferredEntity.Sample)] = []
      for item in group.items {
        let object = layout.rewritten(item)
        children.append(
          (nil, .init(object: object, response: response, isRoot: true, isSingle: !group.isList)))
      }
      let name = InferredEntity.Name(
        key: group.name, source: group.nameSource,
        rank: group.name.count < 3 ? 0 : group.hasCertainName ? 2 : 1)
      let form: InferredEntity.Form? =
        group.path == nil ? nil : group.keyedBy != nil ? .dictionary : group.isList ? nil : .object
      let place = Place(
        name: name, owner: nil, isList: group.isList || group.hasCertainName, form: form, children: children)
      roots.append(add(place, &queue))
    }
    var next = 0
    while next < queue.count {
      _ = add(queue[next], &queue)
      next += 1
    }
    for index in entities.indices { chooseIdentifier(of: index) }
    mergeEntities()
    nameByTypes()
    samplePositions = Array(repeating: 0, count: sampleCount)
    for entity in entities {
      for (position, index) in entity.indices.enumerated() { samplePositions[index] = position }
    }
  }

  // MARK: Places

  /// Adds the objects of a place to their entity, and the objects inside of them to the queue.
  private mutating func add(_ place: Place, _ queue: inout [Place]) -> Int {
    let samples = place.children.map(\.sample)
    let identifiers = IdentifierChoice.candidates(in: samples, named: place.name.key, locations)
    let entity = entity(of: place, samples, identifiers)
    entities[entity].add(place.name)
    if let form = place.form { entities[entity].add(form) }
    entities[entity].add(samples, from: sampleCount, identifiers: identifiers)
    let indices = sampleCount..<sampleCount + samples.count
    sampleCount += samples.count
    for (index, child) in zip(indices, place.children) {
      if let owner = child.owner, let link = place.owner { links[link, default: []].append((owner, index)) }
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
      let response = child.sample.response
      for member in child.sample.object {
        let key = ScalarString(member.key)
        switch member.value {
        case .object(let object):
          found[key, default: ([], false, false)].objects.append(
            (index, .init(object: object, response: response)))
          found[key]?.isObject = true
        case .array(let elements) where elements.contains(where: { $0.kind == .object || $0.kind == .array }):
          found[key, default: ([], false, true)].isList = true
          for element in elements {
            if case .object(let object) = element {
              found[key]?.objects.append((index, .init(object: object, response: response)))
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
      } else if entities[entity].plainKeys[key] == nil,
        let reason = Self.reasonForPlain(group.objects.map(\.1.object))
      {
        entities[entity].plainKeys[key] = reason
      }
      guard entities[entity].plainKeys[key] == nil else { return nil }
      let name = InferredEntity.Name(
        key: layout.entityKey(of: key.string), source: "the key '\(key.string)'", rank: 1)
      return Place(
        name: name, owner: Link(entity: entity, key: key), isList: group.isList, children: group.objects)
    }
  }

  /// Returns the reason why objects are stored as JSON; nil if they are records.
  private static func reasonForPlain(_ objects: [JSONObject]) -> String? {
    if objects.allSatisfy({ $0.allSatisfy { $0.value.isEmpty } }) { return "only empty objects" }
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
    let name = KeyWords.entityName(place.name.key)
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
        guard entities[known].sharesIdentifier(candidates),
          entities[known].allows(place.form.map { [$0] } ?? [])
        else { continue }
        if entities[known].resembles(keys) { return known }
        if !candidates.isEmpty,
          let count = entities[known].agreement(with: samples, keys, identifiers: candidates)
        {
          entities[known].unions.append("\(place.name.source), by \(counted(count, "common key"))")
          return known
        }
      }
    }
    entities.append(InferredEntity(isRoot: place.owner == nil))
    let entity = entities.count - 1
    if mayShare { byName[name, default: []].append(entity) }
    return entity
  }

  /// The number of entities with the same name that objects are compared with.
  private static let compared = 8

  /// Chooses the identifier again, now that all objects of the entity are known.
  private mutating func chooseIdentifier(of index: Int) {
    let entity = entities[index]
    entities[index].choice = IdentifierChoice(entity.samples, named: entity.name.key, locations)
    entities[index].identifier = entities[index].choice?.identifier
  }

  /// Names entities as their objects do.
  private mutating func nameByTypes() {
    let keys = typeKeys
    for index in entities.indices {
      if let name = entities[index].nameOfType(keys) { entities[index].add(name) }
    }
  }

  /// The keys that contain names of entities, as they do in several of them.
  private var typeKeys: Set<String> {
    var counts: [String: Int] = [:]
    for entity in entities {
      for key in entity.keys where IdentifierChoice.isDiscriminator(key) {
        if let type = entity.constant(key), entity.isNamed(KeyWords.entityName(type)) {
          counts[key, default: 0] += 1
        }
      }
    }
    return Set(counts.filter { $0.value > 1 }.keys)
  }

  // MARK: Merging

  /// Unites entities whose objects are of the same kind.
  private mutating func mergeEntities() {
    var merging = EntityMerging(entities, typeKeys: typeKeys)
    merging.run()
    guard merging.hasMerged else { return }
    var united: [InferredEntity] = []
    var positions = Array(repeating: -1, count: entities.count)
    var changed: Set<Int> = []
    for index in entities.indices {
      let first = merging.first(of: index)
      if first == index {
        positions[index] = united.count
        united.append(entities[index])
        united[united.count - 1].destinations = [:]
      } else {
        positions[index] = positions[first]
        changed.insert(positions[first])
        united[positions[first]].add(entities[index])
        united[positions[first]].note(merging.reasons[index], of: entities[index])
      }
    }
    for index in entities.indices {
      for (key, destination) in entities[index].destinations.sorted(by: { $0.key < $1.key }) {
        let (owner, target) = (positions[index], positions[destination])
        let known = united[owner].destinations[key]
        if known == nil {
          united[owner].destinations[key] = target
        } else if known != target {
          united[owner].plainKeys[key] = "objects with different keys"
        }
      }
    }
    var merged: OrderedDictionary<Link, [(owner: Int, child: Int)]> = [:]
    for (link, pairs) in links {
      merged[Link(entity: positions[link.entity], key: link.key), default: []] += pairs
    }
    (entities, links) = (united, merged)
    roots = roots.map { $0.map { positions[$0] } }
    for index in changed.sorted() { chooseIdentifier(of: index) }
  }
}
