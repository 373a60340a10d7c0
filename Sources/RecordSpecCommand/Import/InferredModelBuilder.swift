import JSONTree
import OrderedCollections
import RecordModel
import ScenarioFormat
import ScenarioReport

/// Makes the declarations of inferred entities.
struct InferredModelBuilder {
  let inference: EntityInference
  var entities: [EntityDescription] = []
  var comments = YAMLComments()
  var weakGuesses: [WeakGuess] = []
  var dateFormat: String?
  /// The name of each inferred entity.
  var names: [EntityName] = []
  /// The names of the properties of each entity.
  var propertyNames: [UniqueNames] = []
  /// The attribute of each key of an entity.
  var attributeNames: [EntityInference.Link: PropertyName] = [:]
  /// The values of each entity, by key.
  var values: [[ScalarString: KeyValues]] = []
  /// The declared entity of each inferred one; nil for one that no response leads to.
  var positions: [Int?] = []
  /// The search for keys of records of other entities.
  var references: InferredReferences?
  /// The relationships of each entity without a key of its own to the records that it belongs to.
  var owningInverses: [Int: [PropertyName]] = [:]
  /// The relationships to add inverses for, in order.
  var relations: [Relation] = []

  struct Relation {
    var link: EntityInference.Link
    var destination: Int
    /// The position of the relationship among those of its entity.
    var index: Int
    var name: String
    var isToMany: Bool

    var ends: Ends { Ends(owner: link.entity, destination: destination) }
  }

  /// The entities that a relationship connects.
  struct Ends: Hashable {
    var owner: Int
    var destination: Int
  }

  /// The identifiers of two linked records.
  struct Pair: Hashable {
    var owner: String
    var child: String
  }

  init(_ inference: EntityInference) {
    self.inference = inference
    names = Self.names(of: inference)
    for entity in inference.entities {
      propertyNames.append(UniqueNames())
      var found: [ScalarString: KeyValues] = [:]
      for sample in entity.samples {
        for member in sample.object {
          found[ScalarString(member.key), default: KeyValues()].add(member.value)
        }
      }
      values.append(found)
    }
  }

  /// Returns the names of the entities. If a name is taken, that of the entity around the objects precedes it:
  /// `OrderItem`. Names of types and of records with a key come first.
  private static func names(of inference: EntityInference) -> [EntityName] {
    var owners: [Int: Int] = [:]
    for (index, entity) in inference.entities.enumerated() {
      for destination in entity.destinations.values where destination != index && owners[destination] == nil {
        owners[destination] = index
      }
    }
    var used = UniqueNames()
    var names = Array(repeating: EntityName(""), count: inference.entities.count)
    let ranks = inference.entities.map { ($0.name.rank, $0.choice == nil ? 0 : 1) }
    let order = names.indices.sorted { ranks[$0] == ranks[$1] ? $0 < $1 : ranks[$0] > ranks[$1] }
    for index in order {
      let name = KeyWords.entityName(inference.entities[index].name.key)
      let owner = owners[index].map { owner in
        names[owner].rawValue.isEmpty
          ? KeyWords.entityName(inference.entities[owner].name.key) : names[owner].rawValue
      }
      names[index] = EntityName(used.add(used.contains(name) ? (owner ?? "") + name : name))
    }
    return names
  }

  mutating func build() {
    comments.above = [
      "Inferred from recorded responses. Check the lines with a comment, then remove the comment."
    ]
    let reachable = reachable()
    positions = Array(repeating: nil, count: inference.entities.count)
    for index in inference.entities.indices where reachable.contains(index) {
      positions[index] = entities.count
      entities.append(EntityDescription(names[index]))
    }
    references = InferredReferences(inference, names, reachable: reachable)
    for index in inference.entities.indices where reachable.contains(index) { declare(index) }
    for relation in relations {
      guard let position = positions[relation.link.entity],
        let key = inference.layout.keyedBy(relation.link.key.string)
      else { continue }
      entities[position].relationships[relation.index].keyedBy =
        attributeNames[.init(entity: relation.destination, key: ScalarString(key))]
    }
    addInverses()
    describeKeys()
  }

  private func reachable() -> Set<Int> {
    var reachable: Set<Int> = []
    var queue = inference.roots.compactMap(\.self)
    while let index = queue.popLast() {
      guard reachable.insert(index).inserted else { continue }
      let entity = inference.entities[index]
      for (key, destination) in entity.destinations where entity.plainKeys[key] == nil {
        if reason(against: destination, key, index) == nil { queue.append(destination) }
      }
    }
    return reachable
  }

  // MARK: Properties

  /// Returns the reason why the values of a key are neither records nor references to them; nil if they are.
  private func reason(against destination: Int, _ key: ScalarString, _ index: Int) -> String? {
    inference.entities[index].plainKeys[key]
      ?? values[index][key]?.reasonAgainstRecords(
        areIdentified: inference.entities[destination].choice.map { $0.discriminator == nil } ?? false)
  }

  private mutating func declare(_ index: Int) {
    guard let position = positions[index] else { return }
    let entity = inference.entities[index]
    let path = ["entities", names[index].rawValue]
    let groups = groups(of: entity)
    var guesses = Array(repeating: AttributeGuess(), count: groups.count)
    let groupIndices = Dictionary(
      groups.enumerated().flatMap { index, group in group.keys.map { (ScalarString($0), index) } },
      uniquingKeysWith: { first, _ in first })
    for sample in entity.samples {
      for member in sample.object {
        if let group = groupIndices[ScalarString(member.key)] { guesses[group].add(member.value) }
      }
    }
    for (group, guess) in zip(groups, guesses) {
      let key = ScalarString(group.keys[0])
      let reference = reference(to: group, of: index)
      let name = unusedName(reference?.name ?? group.name, of: index, for: group.keys)
      let paths = group.keys.map { inference.layout.path(of: $0) }
      let from = paths == [[name]] ? [] : paths.map { MappingPath(keys: $0) }
      if let pattern = inference.layout.ignored[key], !entities[position].ignores.contains(pattern) {
        entities[position].ignores.append(pattern)
      }
      if let destination = entity.destinations[key], reason(against: destination, key, index) == nil {
        declare(name, from, link: .init(entity: index, key: key), to: destination)
        continue
      }
      if let reference {
        declare(name, from, link: .init(entity: index, key: key), to: reference.destination)
        continue
      }
      for key in group.keys {
        attributeNames[.init(entity: index, key: ScalarString(key))] = PropertyName(name)
      }
      let isIdentifier = group.keys.contains {
        $0 == entity.choice?.identifier || $0 == entity.choice?.discriminator
      }
      let (type, format, reason) = guess.type(of: group.keys[0], isIdentifier: isIdentifier)
      if format == DateFormat.iso8601.pattern { dateFormat = format }
      if let weakness = guess.weakness { weakGuesses.add("\(names[index]).\(name)", weakness) }
      entities[position].attributes.append(
        AttributeDescription(
          PropertyName(name), type, from: from, format: format == DateFormat.iso8601.pattern ? nil : format))
      let more =
        entity.destinations[key].flatMap { self.reason(against: $0, key, index) } ?? entity.plainKeys[key]
      comments[path + ["attributes", name]].beside = "guessed: " + (more.map { "\($0); " } ?? "") + reason
    }
  }

  /// Returns the keys of each property. Keys with the same name in camel case that never occur together are one property:
  /// `user_name`, `userName`.
  private func groups(of entity: InferredEntity) -> [(name: String, keys: [String])] {
    let namesByKey = Dictionary(
      entity.keys.map { (ScalarString($0), KeyWords.propertyName(inference.layout.name(of: $0))) },
      uniquingKeysWith: { first, _ in first })
    var divided: Set<String> = Set(
      entity.destinations.keys.compactMap { namesByKey[$0] })
    if Set(namesByKey.values).count < namesByKey.count {
      for sample in entity.samples {
        var found: Set<String> = []
        for key in sample.object.keys {
          if let name = namesByKey[ScalarString(key)], !found.insert(name).inserted { divided.insert(name) }
        }
      }
    }
    var groups: [(name: String, keys: [String])] = []
    var indices: [String: Int] = [:]
    for key in entity.keys {
      let name = namesByKey[ScalarString(key)] ?? key
      if let index = indices[name], !divided.contains(name) {
        groups[index].keys.append(key)
      } else {
        indices[name] = groups.count
        groups.append((name, [key]))
      }
    }
    return groups
  }

  /// Returns the entity that the values of a property are keys of, and the name of the relationship; nil for values.
  private func reference(to group: (name: String, keys: [String]), of index: Int) -> (
    destination: Int, name: String
  )? {
    let entity = inference.entities[index]
    guard group.keys.count == 1, entity.destinations[ScalarString(group.keys[0])] == nil,
      let found = references?.reference(
        group.keys[0], named: inference.layout.name(of: group.keys[0]), of: index),
      // The record itself may be beside its key.
      !entity.keys.contains(where: {
        $0 != group.keys[0] && KeyWords.propertyName(inference.layout.name(of: $0)) == found.name
      })
    else { return nil }
    return found
  }

  /// Returns a name that no other property of the entity has, and no other key of its objects.
  mutating func unusedName(_ name: String, of index: Int, for keys: [String]) -> String {
    let all = inference.entities[index].keySet
    return propertyNames[index].add(name) { all.contains(ScalarString($0)) && !keys.contains($0) }
  }

  private mutating func declare(
    _ name: String, _ from: [MappingPath], link: EntityInference.Link, to destination: Int
  ) {
    guard let position = positions[link.entity] else { return }
    let isToMany = values[link.entity][link.key]?.hasList ?? false
    let isOwned = inference.entities[destination].choice == nil
    entities[position].relationships.append(
      RelationshipDescription(
        PropertyName(name), to: names[destination], isToMany: isToMany,
        deleteRule: isOwned ? .cascade : .nullify, from: from,
        usesOwnName: !inference.layout.incomplete.contains(link.key),
        assignment: isOwned && isToMany ? .replace : .union))
    relations.append(
      Relation(
        link: link, destination: destination, index: entities[position].relationships.count - 1, name: name,
        isToMany: isToMany))
    let count = inference.links[link]?.count ?? 0
    let found = count > 0 ? counted(count, "object") : "the values are keys of '\(names[destination])'"
    let key = inference.layout.entityKey(of: link.key.string)
    let isOther =
      inference.entities[destination].otherNames.contains(key)
      && KeyWords.entityName(key) != names[destination].rawValue
    comments[["entities", names[link.entity].rawValue, "relationships", name]].beside =
      "guessed: \(found)"
      + (isOther ? ", with the same keys as '\(inference.entities[destination].name.key)'" : "")
      + (isOwned ? "; no key identifies them" : "")
  }
}
