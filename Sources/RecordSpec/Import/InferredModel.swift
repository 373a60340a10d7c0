import JSONTree
import RecordModel

/// A model that is inferred from responses, with a comment on each guess.
struct InferredModel {
  let model: ManagedObjectModel
  /// The text of the model file.
  let text: String
  /// The entity of each group of items.
  let roots: [EntityName]

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
  }
}

/// Makes the declarations of inferred entities.
private struct InferredModelBuilder {
  let inference: EntityInference
  private(set) var entities: [EntityDescription] = []
  private(set) var comments = YAMLComments()
  private(set) var dateFormat: String?
  /// The name of each inferred entity.
  private(set) var names: [EntityName] = []
  /// The names that the properties of each entity have, and the keys of its objects.
  private var taken: [Set<String>] = []
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
  }

  init(_ inference: EntityInference) {
    self.inference = inference
    var used: Set<String> = []
    for entity in inference.entities {
      let name = Self.unique(KeyWords.entityName(entity.name), among: used)
      used.insert(name)
      names.append(EntityName(name))
      taken.append(Set(entity.keys))
    }
  }

  private static func unique(_ name: String, among taken: Set<String>) -> String {
    var number = 2
    var unique = name
    while taken.contains(unique) {
      unique = name + String(number)
      number += 1
    }
    return unique
  }

  mutating func build() {
    comments.above = [
      "Inferred from recorded responses by 'recordspec import'. Check the lines with a comment, then remove the comment."
    ]
    let reachable = reachable()
    positions = Array(repeating: nil, count: inference.entities.count)
    for index in inference.entities.indices where reachable.contains(index) {
      positions[index] = entities.count
      entities.append(EntityDescription(names[index]))
      taken[index] = []
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

  /// The values of a key that are neither records nor references to them.
  private func reason(against destination: Int, _ key: ScalarString, _ index: Int) -> String? {
    let entity = inference.entities[index]
    if let reason = entity.plainKeys[key] { return reason }
    let hasIdentifier = inference.entities[destination].identifier != nil
    var hasList = false
    var hasOne = false
    func isReference(_ value: JSONValue) -> Bool {
      switch value {
      case .string(let text): hasIdentifier && !text.isEmpty
      case .number(let number): hasIdentifier && number.int64Value != nil
      default: false
      }
    }
    for sample in entity.samples {
      switch sample.object[key.string] {
      case .array(let elements)?:
        hasList = true
        for element in elements where element.kind != .object && !isReference(element) {
          return "a list of objects and other values"
        }
      case .object?: hasOne = true
      case .null?, nil: break
      case let value?:
        hasOne = true
        if !isReference(value) { return "sometimes an object and sometimes another value" }
      }
    }
    return hasList && hasOne ? "sometimes an object and sometimes a list" : nil
  }

  private mutating func declare(_ index: Int) {
    guard let position = positions[index] else { return }
    let entity = inference.entities[index]
    let path = ["entities", names[index].rawValue]
    // Keys with the same name in camel case that never occur together are one property: `user_name`, `userName`.
    var groups: [(name: String, keys: [String])] = []
    var groupIndices: [String: Int] = [:]
    for key in entity.keys {
      let name = KeyWords.propertyName(key)
      if let group = groupIndices[name], !occurTogether(groups[group].keys + [key], in: entity),
        groups[group].keys.allSatisfy({ entity.destinations[ScalarString($0)] == nil }),
        entity.destinations[ScalarString(key)] == nil
      {
        groups[group].keys.append(key)
      } else {
        groupIndices[name] = groups.count
        groups.append((name, [key]))
      }
    }
    for group in groups {
      let key = ScalarString(group.keys[0])
      let name = unusedName(group.name, of: index, for: group.keys)
      taken[index].insert(name)
      let from = group.keys == [name] ? [] : group.keys.map { MappingPath(keys: [$0]) }
      if let destination = entity.destinations[key], reason(against: destination, key, index) == nil {
        declare(name, from, link: .init(entity: index, key: key), to: destination)
        continue
      }
      var guess = AttributeGuess()
      for sample in entity.samples {
        for key in group.keys { if let value = sample.object[key] { guess.add(value) } }
      }
      let isIdentifier = entity.identifier.map(group.keys.contains) ?? false
      let (type, format, reason) = guess.type(of: group.keys[0], isIdentifier: isIdentifier)
      if format == DateFormat.iso8601.pattern { dateFormat = format }
      entities[position].attributes.append(
        AttributeDescription(
          PropertyName(name), type, from: from, format: format == DateFormat.iso8601.pattern ? nil : format))
      let more =
        entity.destinations[key].flatMap { self.reason(against: $0, key, index) } ?? entity.plainKeys[key]
      comments[path + ["attributes", name]].beside = "guessed: " + (more.map { "\($0); " } ?? "") + reason
    }
  }

  private func occurTogether(_ keys: [String], in entity: InferredEntity) -> Bool {
    entity.samples.contains { sample in keys.count { sample.object[$0] != nil } > 1 }
  }

  /// Returns a name that no other property of the entity has, and no other key of its objects.
  private func unusedName(_ name: String, of index: Int, for keys: [String]) -> String {
    let all = inference.entities[index].keySet
    var number = 1
    var unused = name
    while taken[index].contains(unused) || all.contains(ScalarString(unused)) && !keys.contains(unused) {
      number += 1
      unused = name + String(number)
    }
    return unused
  }

  private mutating func declare(
    _ name: String, _ from: [MappingPath], link: EntityInference.Link, to destination: Int
  ) {
    guard let position = positions[link.entity] else { return }
    let samples = inference.entities[link.entity].samples
    let isToMany = samples.contains { if case .array? = $0.object[link.key.string] { true } else { false } }
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

  private mutating func addInverses() {
    var paired: Set<Int> = []
    let pairs = relations.map(pairs)
    for (index, relation) in relations.enumerated() where !paired.contains(index) {
      paired.insert(index)
      let statedInverse = relations.indices.first { other in
        !paired.contains(other) && relations[other].link.entity == relation.destination
          && relations[other].destination == relation.link.entity
          && confirms(pairs[index], pairs[other])
      }
      if let statedInverse {
        paired.insert(statedInverse)
        let other = relations[statedInverse]
        setInverse(other.name, of: relation)
        setInverse(relation.name, of: other)
        note("each leads back to the other in the data", on: relation)
      } else {
        addInverse(of: relation, pairs[index])
      }
    }
  }

  /// The identifiers of the linked records.
  private func pairs(of relation: Relation) -> [(owner: String, child: String)] {
    let owners = inference.entities[relation.link.entity]
    let children = inference.entities[relation.destination]
    guard let ownerKey = owners.identifier, let childKey = children.identifier else { return [] }
    let ownerPositions = Dictionary(
      owners.sampleIndices.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let childPositions = Dictionary(
      children.sampleIndices.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return (inference.links[relation.link] ?? []).compactMap { link in
      guard let owner = ownerPositions[link.owner], let child = childPositions[link.child],
        let ownerID = IdentifierChoice.value(of: ownerKey, in: owners.samples[owner].object),
        let childID = IdentifierChoice.value(of: childKey, in: children.samples[child].object)
      else { return nil }
      return (ownerID, childID)
    }
  }

  /// Returns a Boolean value that indicates whether the links of one relationship lead back over those of another one.
  private func confirms(_ pairs: [(owner: String, child: String)], _ others: [(owner: String, child: String)])
    -> Bool
  {
    let back = Dictionary(grouping: others, by: \.owner).mapValues { Set($0.map(\.child)) }
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
  private mutating func addInverse(of relation: Relation, _ pairs: [(owner: String, child: String)]) {
    guard let position = positions[relation.destination] else { return }
    let owner = names[relation.link.entity].rawValue
    let isOwned = inference.entities[relation.destination].identifier == nil
    var owners: [String: String] = [:]
    let isShared = pairs.contains { pair in
      owners.updateValue(pair.owner, forKey: pair.child).map { $0 != pair.owner } ?? false
    }
    let base = isOwned ? KeyWords.propertyName(owner) : KeyWords.pluralPropertyName(owner)
    let siblings = relations.count {
      $0.link.entity == relation.link.entity && $0.destination == relation.destination
    }
    let isPlain =
      siblings == 1 || KeyWords.entityName(relation.name) == names[relation.destination].rawValue
    let suffix = relation.name.prefix(1).uppercased() + relation.name.dropFirst()
    let name = unusedName(isPlain ? base : base + "As" + suffix, of: relation.destination, for: [])
    taken[relation.destination].insert(name)
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

  private mutating func describeKeys() {
    for (index, entity) in inference.entities.enumerated() {
      guard let position = positions[index] else { continue }
      let path = ["entities", names[index].rawValue]
      let others = entity.otherNames.map { "'\($0)'" }.joined(separator: ", ")
      comments[path].above = [
        "guessed: \(counted(entity.samples.count, "object")); the name is from \(entity.nameSource)"
          + (others.isEmpty ? "" : "; also \(others), with the same keys")
      ]
      if let key = entity.identifier,
        let attribute = entities[position].attributes.first(where: { attribute in
          attribute.name.rawValue == key || attribute.from.contains { $0.singleKey == key }
        })
      {
        entities[position].primaryKey = [attribute.name]
        let count = IdentifierChoice.distinctCount(of: key, in: entity.samples) ?? 0
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
        comments[path].above.append("guessed: no primary key, because no value identifies these objects")
      }
    }
  }

  /// Declares the location of the items that most responses of an entity have.
  mutating func setKeyPaths(_ groups: [ItemLocation]) {
    var counts: [Int: [(path: [String], count: Int)]] = [:]
    for (root, group) in zip(inference.roots, groups) {
      guard let path = group.path else { continue }
      var known = counts[root] ?? []
      if let index = known.firstIndex(where: { $0.path == path }) {
        known[index].count += 1
      } else {
        known.append((path, 1))
      }
      counts[root] = known
    }
    for (root, paths) in counts.sorted(by: { $0.key < $1.key }) {
      guard let position = positions[root], let most = paths.map(\.count).max(),
        let best = paths.first(where: { $0.count == most }), !best.path.isEmpty
      else { continue }
      entities[position].responseKeyPath = MappingPath(keys: best.path)
      let count = paths.reduce(0) { $0 + $1.count }
      comments[["entities", names[root].rawValue, "responseKeyPath"]].above = [
        "guessed: the items of \(best.count) of \(counted(count, "response"))"
      ]
    }
  }
}
