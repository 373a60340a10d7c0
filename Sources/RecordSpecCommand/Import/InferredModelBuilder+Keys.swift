import JSONTree
import OrderedCollections
import RecordModel
import ScenarioFormat
import ScenarioReport

/// The keys of entities, and the locations of their items.
extension InferredModelBuilder {
  /// The number of guesses about the objects of an entity that are written.
  private static let shownUnions = 5

  mutating func describeKeys() {
    for (index, entity) in inference.entities.enumerated() {
      guard let position = positions[index] else { continue }
      let path = ["entities", names[index].rawValue]
      let others = entity.otherNames.filter {
        KeyWords.entityName($0) != KeyWords.entityName(entity.name.key)
      }
      .map { "'\($0)'" }.joined(separator: ", ")
      comments[path].above = [
        "guessed: \(counted(entity.samples.count, "object")); the name is from \(entity.name.source)"
          + (others.isEmpty ? "" : "; also \(others), with the same keys")
      ]
      if !entity.unions.isEmpty || !others.isEmpty {
        weakGuesses.add(names[index].rawValue, "objects from several places are one entity")
      }
      comments[path].above += (entity.unions + entity.equalities).prefix(Self.shownUnions).map {
        "guessed: the same entity as the objects of \($0)"
      }
      describeKey(of: entity, index, position, path)
    }
  }

  private mutating func describeKey(
    of entity: InferredEntity, _ index: Int, _ position: Int, _ path: [String]
  ) {
    func attribute(_ key: String) -> PropertyName? {
      attributeNames[.init(entity: index, key: ScalarString(key))]
    }
    if let choice = entity.choice, let identifier = attribute(choice.identifier) {
      let type = choice.discriminator.flatMap(attribute)
      entities[position].primaryKey = (type.map { [$0] } ?? []) + [identifier]
      if choice.count == 1, !choice.isInAddress {
        weakGuesses.add(names[index].rawValue, "the primary key has a single value")
      } else if IdentifierChoice.isWeak(choice.identifier), !choice.isInAddress {
        weakGuesses.add(
          names[index].rawValue, "the primary key is '\(choice.identifier)', because no identifier was found")
      }
      let reason =
        type.map {
          "records of several types have the same '\(identifier)', so that '\($0)' is part of the key"
        }
        ?? (choice.count == entity.samples.count
          ? "\(choice.count) of \(choice.count) values are unique"
          : "\(entity.samples.count) objects have \(counted(choice.count, "value")), "
            + "and objects with the same value are one record")
      comments[path + ["primaryKey"]].above = ["guessed: " + reason]
    } else if let owners = owningInverses[index], owners.count == 1 {
      entities[position].primaryKey = owners
      comments[path + ["primaryKey"]].above = [
        "guessed: nothing in these objects identifies them, and each is in '\(owners[0])'"
      ]
    } else {
      weakGuesses.add(names[index].rawValue, "no primary key, because no value identifies the objects")
      comments[path].above.append("guessed: no primary key, because no value identifies these objects")
    }
  }

  /// Declares the location of the items that most responses of an entity have.
  mutating func setKeyPaths(_ groups: [ItemLocation]) {
    // Several responses of one address count once, and so do the items of one list.
    var counts: [Int: OrderedDictionary<[String], Int>] = [:]
    var known: Set<[String]> = []
    var otherLists: [Int: OrderedSet<String>] = [:]
    for case (let root?, let group) in zip(inference.roots, groups) {
      if let path = group.path {
        let isNew = known.insert(
          (group.isList ? group.segments : group.segments.dropLast()) + [MappingPath(keys: path).description]
        ).inserted
        counts[root, default: [:]][path, default: 0] += isNew ? 1 : 0
      }
      otherLists[root, default: []].formUnion(group.otherLists)
      if let key = group.keyedBy, let position = positions[root] {
        entities[position].responseKeyedBy = attributeNames[.init(entity: root, key: ScalarString(key))]
        comments[["entities", names[root].rawValue, "responseKeyedBy"]].above = [
          "guessed: the items are in a dictionary"
        ]
      }
    }
    for (root, lists) in otherLists.sorted(by: { $0.key < $1.key }) where !lists.isEmpty {
      weakGuesses.add(names[root].rawValue, "other lists in the same response are not read")
      comments[["entities", names[root].rawValue]].above.append(
        "guessed: not read, because they are beside the items: "
          + shortenedList(lists.map { "'\($0)'" }, limit: Self.shownUnions))
    }
    for (root, paths) in counts.sorted(by: { $0.key < $1.key }) {
      guard let position = positions[root], let most = paths.values.max(),
        let best = paths.first(where: { $0.value == most }), !best.key.isEmpty
      else { continue }
      entities[position].responseKeyPath = MappingPath(keys: best.key)
      let count = paths.values.reduce(0, +)
      comments[["entities", names[root].rawValue, "responseKeyPath"]].above = [
        "guessed: the items of \(best.value) of \(count) \(count == 1 ? "kind" : "kinds") of address"
      ]
    }
  }
}
