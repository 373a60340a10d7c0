import JSONTree
import OrderedCollections
import RecordModel
import ScenarioFormat
import ScenarioReport

/// A model that is inferred from responses, with a comment on each guess.
struct InferredModel {
  let model: ManagedObjectModel
  /// The text of the model file.
  let text: String
  /// The entity of each group of items.
  let roots: [EntityName]
  /// The guesses that little supports.
  let weakGuesses: [WeakGuess]

  /// Infers the model of groups of items, one group for each response.
  ///
  /// - Throws: the errors of the model, if the items suggest an invalid one.
  init(_ groups: [ItemLocation]) throws(ModelError) {
    var builder = InferredModelBuilder(EntityInference(groups))
    builder.build()
    builder.setKeyPaths(groups)
    model = try ManagedObjectModel(entities: builder.entities, dateFormat: builder.dateFormat)
    text = ModelExport(model).text(comments: builder.comments)
    roots = builder.inference.roots.map { builder.names[$0] }
    weakGuesses = builder.weakGuesses
  }
}

/// Makes the declarations of inferred entities.
private struct InferredModelBuilder {
  let inference: EntityInference
  private(set) var entities: [EntityDescription] = []
  private(set) var comments = YAMLComments()
  private(set) var weakGuesses: [WeakGuess] = []
  private(set) var dateFormat: String?
  /// The name of each inferred entity.
  private(set) var names: [EntityName] = []
  /// The names of the properties of each entity.
  private var propertyNames: [UniqueNames] = []
  /// The values of each entity, by key.
  private var values: [[ScalarString: KeyValues]] = []
  /// The declared entity of each inferred one; nil for one that no response leads to.
  private var positions: [Int?] = []
  /// The relationships to add inverses for, in order.
  private var relations: [Relation] = []

  private struct Relation {
    var link: EntityInference.Link
    var destination: Int
    /// The position of the relationship among those of its entity.
    var index: Int
    var name: String
    var isToMany: Bool

    var ends: Ends { Ends(owner: link.entity, destination: destination) }
  }

  /// The entities that a relationship connects.
  private struct Ends: Hashable {
    var owner: Int
    var destination: Int
  }

  /// The identifiers of two linked records.
  private struct Pair: Hashable {
    var owner: String
    var child: String
  }

  init(_ inference: EntityInference) {
    self.inference = inference
    var used = UniqueNames()
    for entity in inference.entities {
      names.append(EntityName(used.add(KeyWords.entityName(entity.name))))
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
    for index in inference.entities.indices where reachable.contains(index) { declare(index) }
    addInverses()
    describeKeys()
  }

  private func reachable() -> Set<Int> {
    var reachable: Set<Int> = []
    var queue = inference.roots
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
        areIdentified: inference.entities[destination].identifier != nil)
  }

  private mutating func declare(_ index: Int) {
    guard let position = positions[index] else { return }
    let entity = inference.entities[index]
    let path = ["entities", names[index].rawValue]
    let groups = Self.groups(of: entity)
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
      let name = unusedName(group.name, of: index, for: group.keys)
      let from = group.keys == [name] ? [] : group.keys.map { MappingPath(keys: [$0]) }
      if let destination = entity.destinations[key], reason(against: destination, key, index) == nil {
        declare(name, from, link: .init(entity: index, key: key), to: destination)
        continue
      }
      let isIdentifier = entity.identifier.map(group.keys.contains) ?? false
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
  private static func groups(of entity: InferredEntity) -> [(name: String, keys: [String])] {
    let namesByKey = Dictionary(
      entity.keys.map { (ScalarString($0), KeyWords.propertyName($0)) },
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

  /// Returns a name that no other property of the entity has, and no other key of its objects.
  private mutating func unusedName(_ name: String, of index: Int, for keys: [String]) -> String {
    let all = inference.entities[index].keySet
    return propertyNames[index].add(name) { all.contains(ScalarString($0)) && !keys.contains($0) }
  }

  private mutating func declare(
    _ name: String, _ from: [MappingPath], link: EntityInference.Link, to destination: Int
  ) {
    guard let position = positions[link.entity] else { return }
    let isToMany = values[link.entity][link.key]?.hasList ?? false
    let isOwned = inference.entities[destination].identifier == nil
    entities[position].relationships.append(
      RelationshipDescription(
        PropertyName(name), to: names[destination], isToMany: isToMany,
        deleteRule: isOwned ? .cascade : .nullify, from: from,
        assignment: isOwned && isToMany ? .replace : .union))
    relations.append(
      Relation(
        link: link, destination: destination, index: entities[position].relationships.count - 1, name: name,
        isToMany: isToMany))
    let count = inference.links[link]?.count ?? 0
    let isOther = inference.entities[destination].otherNames.contains(link.key.string)
    comments[["entities", names[link.entity].rawValue, "relationships", name]].beside =
      "guessed: \(counted(count, "object"))"
      + (isOther ? ", with the same keys as '\(inference.entities[destination].name)'" : "")
      + (isOwned ? "; no key identifies them" : "")
  }

  // MARK: Inverses

  /// Pairs the relationships that lead back to each other in the data, and adds the inverses of the others.
  ///
  /// - Complexity: linear in the number of links.
  private mutating func addInverses() {
    let pairs = relations.map(pairs)
    let siblingCounts = Dictionary(grouping: relations, by: \.ends).mapValues(\.count)
    var byPair: [Ends: [Pair: [Int]]] = [:]
    for (index, relation) in relations.enumerated() {
      for pair in Set(pairs[index]) { byPair[relation.ends, default: [:]][pair, default: []].append(index) }
    }
    let children = pairs.map { Dictionary(grouping: $0, by: \.owner).mapValues { Set($0.map(\.child)) } }
    var paired: Set<Int> = []
    for (index, relation) in relations.enumerated() where paired.insert(index).inserted {
      let back = byPair[Ends(owner: relation.destination, destination: relation.link.entity)] ?? [:]
      var candidates: Set<Int> = []
      for pair in pairs[index] where candidates.count < Self.comparedInverses {
        let found = back[Pair(owner: pair.child, child: pair.owner)] ?? []
        candidates.formUnion(found.prefix(Self.comparedInverses).filter { !paired.contains($0) })
      }
      if let inverse = candidates.sorted().first(where: { Self.confirms(pairs[index], children[$0]) }) {
        paired.insert(inverse)
        let other = relations[inverse]
        setInverse(other.name, of: relation)
        setInverse(relation.name, of: other)
        note("each leads back to the other in the data", on: relation)
      } else {
        addInverse(of: relation, pairs[index], isOnly: siblingCounts[relation.ends] == 1)
      }
    }
  }

  /// The number of relationships that are compared with one to find its inverse.
  private static let comparedInverses = 8

  /// The identifiers of the linked records.
  private func pairs(of relation: Relation) -> [Pair] {
    let owners = inference.entities[relation.link.entity]
    let children = inference.entities[relation.destination]
    guard let ownerKey = owners.identifier, let childKey = children.identifier else { return [] }
    func identifier(_ index: Int, _ key: String, _ entity: InferredEntity) -> String? {
      entity.samples[inference.samplePositions[index]].object[key]?.identifier
    }
    return (inference.links[relation.link] ?? []).compactMap { link in
      guard let owner = identifier(link.owner, ownerKey, owners),
        let child = identifier(link.child, childKey, children)
      else { return nil }
      return Pair(owner: owner, child: child)
    }
  }

  /// Returns a Boolean value that indicates whether the links of one relationship lead back over those of another one.
  ///
  /// - Parameter back: the identifiers of the children of the other relationship, by owner.
  private static func confirms(_ pairs: [Pair], _ back: [String: Set<String>]) -> Bool {
    var confirmed = false
    for pair in pairs {
      guard let targets = back[pair.child] else { continue }
      if !targets.contains(pair.owner) { return false }
      confirmed = true
    }
    return confirmed
  }

  private mutating func setInverse(_ name: String, of relation: Relation) {
    guard let position = positions[relation.link.entity] else { return }
    entities[position].relationships[relation.index].inverse = PropertyName(name)
  }

  private mutating func note(_ text: String, on relation: Relation) {
    let path = ["entities", names[relation.link.entity].rawValue, "relationships", relation.name]
    comments[path].beside = (comments[path].beside.map { $0 + "; " } ?? "guessed: ") + text
  }

  /// Adds the inverse of a relationship to the destination, whose objects do not state it.
  ///
  /// - Parameter isOnly: a Boolean value that indicates whether no other relationship has the same ends.
  private mutating func addInverse(of relation: Relation, _ pairs: [Pair], isOnly: Bool) {
    guard let position = positions[relation.destination] else { return }
    let owner = names[relation.link.entity].rawValue
    let isOwned = inference.entities[relation.destination].identifier == nil
    var owners: [String: String] = [:]
    let isShared = pairs.contains { pair in
      owners.updateValue(pair.owner, forKey: pair.child).map { $0 != pair.owner } ?? false
    }
    let base = isOwned ? KeyWords.propertyName(owner) : KeyWords.pluralPropertyName(owner)
    let isPlain = isOnly || KeyWords.entityName(relation.name) == names[relation.destination].rawValue
    let suffix = relation.name.prefix(1).uppercased() + relation.name.dropFirst()
    let name = unusedName(isPlain ? base : base + "As" + suffix, of: relation.destination, for: [])
    entities[position].relationships.append(
      RelationshipDescription(
        PropertyName(name), to: names[relation.link.entity], isToMany: !isOwned,
        inverse: PropertyName(relation.name)))
    setInverse(name, of: relation)
    let reason =
      isOwned
      ? ""
      : relation.isToMany
        ? (isShared ? "; a record occurs in several" : "; a record may occur in several") : ""
    comments[["entities", names[relation.destination].rawValue, "relationships", name]].beside =
      "added as the inverse of '\(relation.name)'" + reason
    // A record without a key of its own is identified by the record that it belongs to.
    if isOwned, !relation.isToMany, !inference.entities[relation.destination].isRoot {
      entities[position].primaryKey = entities[position].primaryKey.isEmpty ? [PropertyName(name)] : []
    }
  }

  // MARK: Keys

  /// The number of guesses about the objects of an entity that are written.
  private static let shownUnions = 5

  private mutating func describeKeys() {
    for (index, entity) in inference.entities.enumerated() {
      guard let position = positions[index] else { continue }
      let path = ["entities", names[index].rawValue]
      let others = entity.otherNames.map { "'\($0)'" }.joined(separator: ", ")
      comments[path].above = [
        "guessed: \(counted(entity.samples.count, "object")); the name is from \(entity.nameSource)"
          + (others.isEmpty ? "" : "; also \(others), with the same keys")
      ]
      if !entity.unions.isEmpty || !others.isEmpty {
        weakGuesses.add(names[index].rawValue, "objects from several places are one entity")
      }
      comments[path].above += entity.unions.prefix(Self.shownUnions).map {
        "guessed: the same entity as the objects of \($0)"
      }
      if let key = entity.identifier,
        let attribute = entities[position].attributes.first(where: { attribute in
          attribute.name.rawValue == key || attribute.from.contains { $0.singleKey == key }
        })
      {
        entities[position].primaryKey = [attribute.name]
        let count = IdentifierChoice.distinctCount(of: key, in: entity.samples) ?? 0
        if count == 1 {
          weakGuesses.add(names[index].rawValue, "the primary key has a single value")
        } else if IdentifierChoice.isWeak(key) {
          weakGuesses.add(
            names[index].rawValue, "the primary key is '\(key)', because no identifier was found")
        }
        comments[path + ["primaryKey"]].above = [
          count == entity.samples.count
            ? "guessed: \(count) of \(count) values are unique"
            : "guessed: \(entity.samples.count) objects have \(counted(count, "value")), "
              + "and objects with the same value are alike"
        ]
      } else if let key = entities[position].primaryKey.first {
        comments[path + ["primaryKey"]].above = [
          "guessed: nothing in these objects identifies them, and each is in '\(key)'"
        ]
      } else {
        weakGuesses.add(names[index].rawValue, "no primary key, because no value identifies the objects")
        comments[path].above.append("guessed: no primary key, because no value identifies these objects")
      }
    }
  }

  /// Declares the location of the items that most responses of an entity have.
  mutating func setKeyPaths(_ groups: [ItemLocation]) {
    var counts: [Int: OrderedDictionary<[String], Int>] = [:]
    for (root, group) in zip(inference.roots, groups) {
      if let path = group.path { counts[root, default: [:]][path, default: 0] += 1 }
    }
    for (root, paths) in counts.sorted(by: { $0.key < $1.key }) {
      guard let position = positions[root], let most = paths.values.max(),
        let best = paths.first(where: { $0.value == most }), !best.key.isEmpty
      else { continue }
      entities[position].responseKeyPath = MappingPath(keys: best.key)
      let count = paths.values.reduce(0, +)
      comments[["entities", names[root].rawValue, "responseKeyPath"]].above = [
        "guessed: the items of \(best.value) of \(counted(count, "response"))"
      ]
    }
  }
}
