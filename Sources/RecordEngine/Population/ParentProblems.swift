import OrderedCollections
import RecordModel

/// The parents that items name and that are none. Rules: `identity.relationship-key.root`, `relationships.key-is-parent`.
///
/// Items that name one parent are its one child, or equal children. Whether there is that parent is known only once all
/// items have been met. Where there is none, each of its items is a record of its own: all items are met again, which
/// knows of it from the beginning.
struct ParentProblems {
  enum Problem {
    /// It is gone, or is neither stored nor can be made.
    case missing
    /// It is a record of an entity that the relationship does not lead to.
    case otherEntity
  }

  /// The parent of an item, the same each time the items are met, and the relationship that names it.
  private struct NamedParent: Hashable {
    /// From the parent up to the first record that has no parent.
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

  /// Finds the parents with a problem.
  ///
  /// - Returns: whether some of them were not known.
  mutating func find(among met: MetItems, _ population: Population) throws(StoreError) -> Bool {
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

  /// A parent as it will be once duplicates are settled.
  private struct Parent: Hashable {
    var proto: ProtoIndex
    var state: SettledState
    var relationship: RelationshipIndex
  }

  private struct Search {
    let protos: [ProtoRecord]
    let others: [[Appearance]]
    let schema: Schema

    /// The parents that the response alone does not make.
    func doubtfulParents() -> OrderedSet<Parent> {
      var settled: [ProtoIndex: SettledState] = [:]
      var doubtful: OrderedSet<Parent> = []
      for child in protos.elementIndices where !protos[child].isTombstone {
        guard let index = protos[child].parent, protos[child].identity != nil,
          case .relationship(let key) = schema.entities[protos[child].entity].key
        else { continue }
        let state = settled[index] ?? protos[index].settledState(with: others[for: index], schema)
        if !others[for: index].isEmpty { settled[index] = state }
        let parent = Parent(proto: index, state: state, relationship: key)
        if !isCertain(parent) { doubtful.append(parent) }
      }
      return doubtful
    }

    /// Whether the response alone makes a parent that the relationship may lead to.
    private func isCertain(_ parent: Parent) -> Bool {
      !protos[parent.proto].isTombstone && canBeMade(parent)
        && schema.isKind(parent.state.entity, of: schema.relationships[parent.relationship].destination)
    }

    private func canBeMade(_ parent: Parent) -> Bool {
      if schema.relationships[parent.relationship].stubs == .never, !parent.state.isFull { return false }
      return protos[parent.proto].mayBeCreated && !schema.entities[parent.state.entity].isAbstract
    }

    func problem(of parent: Parent, stored: EntityIndex?) -> Problem? {
      let proto = protos[parent.proto]
      if proto.isTombstone { return .missing }
      var entity = parent.state.entity
      if let stored {
        let isKept = schema.entities[entity].isAbstract || !proto.mayBeCreated
        if isKept || schema.isKind(stored, of: entity) { entity = stored }
      } else if !canBeMade(parent) {
        // One that is keyed by a parent itself is looked for later.
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
  /// The identity without the proto of the parent, which is another one each time the items are met.
  fileprivate var asStep: ProtoIdentity {
    let none = ProtoIndex(0)
    return switch self {
    case .key: self
    case .onlyChild(_, let relationship): .onlyChild(parent: none, relationship: relationship)
    case .child(_, let relationship, let content):
      .child(parent: none, relationship: relationship, content: content)
    }
  }

  /// Stands for a record of its own, which is known by the place of its item.
  fileprivate static func positionKey(of item: Item) -> ProtoIdentity {
    .key(scope: EntityIndex(-1), .single(.integer(Int64(item.node.index))))
  }
}
