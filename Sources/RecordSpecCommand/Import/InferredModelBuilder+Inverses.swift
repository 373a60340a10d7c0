import JSONTree
import OrderedCollections
import RecordModel
import ScenarioFormat
import ScenarioReport

/// The inverses of relationships.
extension InferredModelBuilder {
  /// Pairs the relationships that lead back to each other in the data, and adds the inverses of the others.
  ///
  /// - Complexity: linear in the number of links.
  mutating func addInverses() {
    let pairs = relations.map(pairs)
    let siblingCounts = Dictionary(grouping: relations, by: \.ends).mapValues(\.count)
    var byPair: [Ends: [Pair: [Int]]] = [:]
    let byEnds = Dictionary(grouping: relations.indices) { relations[$0].ends }
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
      let inverses = byEnds[Ends(owner: relation.destination, destination: relation.link.entity)] ?? []
      if let inverse = candidates.sorted().first(where: { Self.confirms(pairs[index], children[$0]) }) {
        paired.insert(inverse)
        pair(relation, relations[inverse], because: "each leads back to the other in the data")
      } else if siblingCounts[relation.ends] == 1, inverses.count == 1, !paired.contains(inverses[0]),
        arePlausibleInverses(relation, relations[inverses[0]]),
        !Self.contradicts(pairs[index], children[inverses[0]])
      {
        paired.insert(inverses[0])
        pair(relation, relations[inverses[0]], because: "no other relationship leads back")
      } else {
        addInverse(of: relation, pairs[index], isOnly: siblingCounts[relation.ends] == 1)
      }
    }
  }

  private mutating func pair(_ relation: Relation, _ other: Relation, because reason: String) {
    setInverse(other.name, of: relation)
    setInverse(relation.name, of: other)
    note(reason, on: relation)
  }

  /// Returns a Boolean value that indicates whether two relationships are probably inverses of each other: a list of
  /// records, and a record that is named like the entity around the list.
  private func arePlausibleInverses(_ relation: Relation, _ other: Relation) -> Bool {
    guard relation.isToMany != other.isToMany, relation.link != other.link else { return false }
    let one = relation.isToMany ? other : relation
    return KeyWords.entityName(one.name) == names[one.destination].rawValue
  }

  /// The number of relationships that are compared with one to find its inverse.
  private static let comparedInverses = 8

  /// The identifiers of the linked records.
  private func pairs(of relation: Relation) -> [Pair] {
    let owners = inference.entities[relation.link.entity]
    let children = inference.entities[relation.destination]
    guard let ownerKey = owners.choice, let childKey = children.choice else { return [] }
    func identifier(_ index: Int, _ key: IdentifierChoice, _ entity: InferredEntity) -> String? {
      let object = entity.samples[inference.samplePositions[index]].object
      let type = key.discriminator.flatMap { object[$0]?.identifier }.map { $0 + " " } ?? ""
      return object[key.identifier]?.identifier.map { type + $0 }
    }
    guard let links = inference.links[relation.link] else {
      return pairs(ofKeys: relation.link, owners, ownerKey)
    }
    return links.compactMap { link in
      guard let owner = identifier(link.owner, ownerKey, owners),
        let child = identifier(link.child, childKey, children)
      else { return nil }
      return Pair(owner: owner, child: child)
    }
  }

  /// The identifiers of records and of those whose keys they contain.
  private func pairs(
    ofKeys link: EntityInference.Link, _ entity: InferredEntity, _ choice: IdentifierChoice
  ) -> [Pair] {
    guard choice.discriminator == nil else { return [] }
    return entity.samples.flatMap { sample -> [Pair] in
      guard let owner = sample.object[choice.identifier]?.identifier,
        let value = sample.object[link.key.string]
      else { return [] }
      return value.elementsOrSelf.compactMap(\.identifier).map { Pair(owner: owner, child: $0) }
    }
  }

  /// Returns a Boolean value that indicates whether a link of one relationship leads to a record that does not lead back
  /// over another one.
  private static func contradicts(_ pairs: [Pair], _ back: [String: Set<String>]) -> Bool {
    pairs.contains { pair in back[pair.child].map { !$0.contains(pair.owner) } ?? false }
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
    let isOwned = inference.entities[relation.destination].choice == nil
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
    // A record without a key of its own is identified by the record that it belongs to, and by its content if that one
    // has several.
    if isOwned, !inference.entities[relation.destination].isRoot {
      owningInverses[relation.destination, default: []].append(PropertyName(name))
    }
  }
}
