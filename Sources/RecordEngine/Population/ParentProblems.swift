import OrderedCollections
import RecordModel

/// The invalid parents that items name. Rules: `identity.relationship-key.root`, `relationships.key-is-parent`.
///
/// Items that name the same parent are its only child, or equal children of it. Whether a parent is valid is known only
/// after all items have been read. If it is not, each of its items is a record without identity. All items are then
/// read again with this knowledge.
struct ParentProblems {
  enum Problem {
    /// The parent is deleted, or is neither stored nor created by the response.
    case missing
    /// The parent is a record of an entity that is not a valid destination of the relationship.
    case otherEntity
  }

  /// The parent of an item and the relationship that names it. It is the same each time the items are read.
  private struct NamedParent: Hashable {
    /// The identities from the parent up to the first record without a parent.
    var path: [ProtoIdentity] = []
    var relationship: RelationshipIndex

    init(_ parent: ProtoIndex, _ relationship: RelationshipIndex, _ protos: [ProtoRecord]) {
      self.relationship = relationship
      var next: ProtoIndex? = parent
      while let current = next {
        let proto = protos[current]
        path.append(proto.identity?.asStep ?? .positionKey(of: proto.effective.item))
        next = proto.parent
      }
    }
  }

  private var problems: [NamedParent: Problem] = [:]

  func problem(
    of parent: ProtoIndex, through relationship: RelationshipIndex, among protos: [ProtoRecord]
  ) -> Problem? {
    problems.isEmpty ? nil : problems[NamedParent(parent, relationship, protos)]
  }

  /// Finds the invalid parents.
  ///
  /// - Returns: a Boolean value that indicates whether a parent was found that was not known to be invalid.
  mutating func find(among met: VisitedItems, _ population: Population) throws(StoreError) -> Bool {
    let search = Search(protos: met.protos, others: met.others, schema: population.schema)
    let doubtful = search.doubtfulParents()
    guard !doubtful.isEmpty else { return false }
    let stored = try search.storedEntities(of: doubtful.map(\.proto), population)
    let known = problems.count
    for parent in doubtful {
      guard let problem = search.problem(of: parent, stored: stored[parent.proto]) else { continue }
      problems[NamedParent(parent.proto, parent.relationship, met.protos)] = problem
    }
    return problems.count > known
  }

  /// A parent, with its entity after duplicates are settled.
  private struct Parent: Hashable {
    var proto: ProtoIndex
    var entity: EntityIndex
    var relationship: RelationshipIndex
  }

  private struct Search {
    let protos: [ProtoRecord]
    let others: [[Appearance]]
    let schema: Schema

    /// Returns the parents whose validity the response alone does not determine.
    func doubtfulParents() -> OrderedSet<Parent> {
      var settled: [ProtoIndex: EntityIndex] = [:]
      var doubtful: OrderedSet<Parent> = []
      for child in protos.elementIndices where !protos[child].isTombstone {
        guard let index = protos[child].parent, protos[child].identity != nil,
          case .relationship(let key) = schema.entities[protos[child].entity].key
        else { continue }
        let entity = settled[index] ?? protos[index].settledEntity(with: others[for: index], schema)
        if !others[for: index].isEmpty { settled[index] = entity }
        let parent = Parent(proto: index, entity: entity, relationship: key)
        if !isCertain(parent) { doubtful.append(parent) }
      }
      return doubtful
    }

    /// Returns a Boolean value that indicates whether the response alone creates the parent, as a valid destination of
    /// the relationship.
    private func isCertain(_ parent: Parent) -> Bool {
      !protos[parent.proto].isTombstone && canBeMade(parent)
        && schema.isKind(parent.entity, of: schema.relationships[parent.relationship].destination)
    }

    private func canBeMade(_ parent: Parent) -> Bool {
      protos[parent.proto].mayBeCreated && !schema.entities[parent.entity].isAbstract
    }

    func problem(of parent: Parent, stored: EntityIndex?) -> Problem? {
      let proto = protos[parent.proto]
      if proto.isTombstone { return .missing }
      var entity = parent.entity
      if let stored {
        let isKept = schema.entities[entity].isAbstract || !proto.mayBeCreated
        if isKept || schema.isKind(stored, of: entity) { entity = stored }
      } else if !canBeMade(parent) {
        // A parent that is itself identified by a parent is looked up later.
        if case .key? = proto.identity { return .missing }
        return nil
      }
      let destination = schema.relationships[parent.relationship].destination
      return schema.isKind(entity, of: destination) ? nil : .otherEntity
    }

    func storedEntities(
      of parents: [ProtoIndex], _ population: Population
    ) throws(StoreError) -> [ProtoIndex: EntityIndex] {
      var groups: OrderedDictionary<EntityIndex, [(proto: ProtoIndex, key: RecordKey)]> = [:]
      for parent in OrderedSet(parents) {
        guard case .key(let scope, let key)? = protos[parent].identity else { continue }
        groups[scope, default: []].append((parent, key))
      }
      var entities: [ProtoIndex: EntityIndex] = [:]
      for (scope, parents) in groups {
        let rows = try population.storedRows(scope: scope, keys: parents.map(\.key))
        for (parent, row) in zip(parents, rows) { entities[parent.proto] = row?.entity }
      }
      return entities
    }
  }
}

extension ProtoIdentity {
  /// The identity without the index of the parent's proto, which changes each time the items are read.
  fileprivate var asStep: ProtoIdentity {
    let none = ProtoIndex(0)
    return switch self {
    case .key: self
    case .onlyChild(_, let relationship): .onlyChild(parent: none, relationship: relationship)
    case .child(_, let relationship, let content):
      .child(parent: none, relationship: relationship, content: content)
    }
  }

  /// Returns a substitute identity for a record without identity: the position of its item.
  fileprivate static func positionKey(of item: Item) -> ProtoIdentity {
    .key(scope: EntityIndex(-1), .single(.integer(Int64(item.node.index))))
  }
}
