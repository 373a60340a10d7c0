import OrderedCollections
import RecordModel

/// The parents that items name and that are none. Rules: `identity.relationship-key.root`, `relationships.key-is-parent`.
///
/// Items that name one parent are its one child, or equal children. Whether there is that parent is known only once all
/// items have been met. Where there is none, each of its items is a record of its own: all items are met again, which
/// knows of it from the beginning.
extension Population {
  /// The parent of an item, the same each time the items are met, and the relationship that names it.
  struct NamedParent: Hashable {
    /// From the parent up to the first record that has no parent.
    var path: [ProtoIdentity]
    var relationship: RelationshipIndex
  }

  enum ParentProblem {
    /// It is gone, or is neither stored nor can be made.
    case missing
    /// It is a record of an entity that the relationship does not lead to.
    case otherEntity
  }

  /// Meets all items, each of them as the child of the parent that it has.
  mutating func meet(_ items: Items) throws(StoreError) {
    let noticed = diagnostics.count
    meetRoots(items)
    while hasParents, try findProblematicParents() {
      forgetItems(noticed)
      meetRoots(items)
    }
  }

  func problem(of parent: Int, through relationship: RelationshipIndex) -> ParentProblem? {
    if problematicParents.isEmpty { return nil }
    return problematicParents[NamedParent(path: path(to: parent), relationship: relationship)]
  }

  private func path(to proto: Int) -> [ProtoIdentity] {
    var path: [ProtoIdentity] = []
    var next: Int? = proto
    while let current = next {
      switch protos[current].identity {
      case .key(let scope, let key): path.append(.key(scope: scope, key))
      case .onlyChild(_, let relationship): path.append(.onlyChild(parent: 0, relationship: relationship))
      case .child(_, let relationship, let content):
        path.append(.child(parent: 0, relationship: relationship, content: content))
      case nil:
        // A record of its own, known by the place of its item.
        let place = Int64(protos[current].effective.item.node.index)
        path.append(.key(scope: EntityIndex(-1), .single(.integer(place))))
      }
      next = protos[current].parent
    }
    return path
  }

  /// Whether there are parents with a problem that was not known.
  private mutating func findProblematicParents() throws(StoreError) -> Bool {
    var settled: [Int: Settled] = [:]
    var doubtful: OrderedSet<ParentEnd> = []
    for index in protos.indices where protos[index].identity != nil && !protos[index].isTombstone {
      guard let parent = protos[index].parent,
        case .relationship(let key) = schema.entities[protos[index].entity].key
      else { continue }
      var state = Settled(entity: protos[parent].entity, isFull: protos[parent].effective.isFull)
      if !protos[parent].others.isEmpty {
        state = settled[parent] ?? settledState(of: parent)
        settled[parent] = state
      }
      let end = ParentEnd(parent: parent, state: state, relationship: key)
      if !isCertain(end) { doubtful.append(end) }
    }
    guard !doubtful.isEmpty else { return false }
    let stored = try storedEntities(of: doubtful.map(\.parent))
    let known = problematicParents.count
    for end in doubtful {
      guard let problem = problem(end, stored: stored[end.parent]) else { continue }
      problematicParents[NamedParent(path: path(to: end.parent), relationship: end.relationship)] = problem
    }
    return problematicParents.count > known
  }

  private struct ParentEnd: Hashable {
    var parent: Int
    var state: Settled
    var relationship: RelationshipIndex
  }

  /// Whether the response alone makes a parent that the relationship may lead to.
  private func isCertain(_ end: ParentEnd) -> Bool {
    !protos[end.parent].isTombstone && canBeMade(end)
      && schema.isKind(end.state.entity, of: schema.relationships[end.relationship].destination)
  }

  private func canBeMade(_ end: ParentEnd) -> Bool {
    if schema.relationships[end.relationship].stubs == .never, !end.state.isFull { return false }
    return protos[end.parent].mayBeCreated && !schema.entities[end.state.entity].isAbstract
  }

  private func problem(_ end: ParentEnd, stored: EntityIndex?) -> ParentProblem? {
    if protos[end.parent].isTombstone { return .missing }
    var entity = end.state.entity
    if let stored {
      let isKept = schema.entities[entity].isAbstract || !protos[end.parent].mayBeCreated
      if isKept || schema.isKind(stored, of: entity) { entity = stored }
    } else if !canBeMade(end) {
      // One that is keyed by a parent itself is looked for later.
      if case .key? = protos[end.parent].identity { return .missing }
      return nil
    }
    return schema.isKind(entity, of: schema.relationships[end.relationship].destination) ? nil : .otherEntity
  }

  /// The entities of stored records, by proto.
  private mutating func storedEntities(of parents: [Int]) throws(StoreError) -> [Int: EntityIndex] {
    var groups: OrderedDictionary<EntityIndex, [(proto: Int, key: RecordKey)]> = [:]
    for parent in OrderedSet(parents) {
      guard case .key(let scope, let key)? = protos[parent].identity else { continue }
      groups[scope, default: []].append((parent, key))
    }
    var entities: [Int: EntityIndex] = [:]
    for (scope, parents) in groups {
      let rows = try storedRows(scope, parents.map(\.key))
      for (parent, row) in zip(parents, rows) { entities[parent.proto] = row?.entity }
    }
    return entities
  }

  /// Forgets all items that have been met, and what was noticed of them.
  private mutating func forgetItems(_ noticed: Int) {
    protos = []
    identities = ProtoIdentities()
    repeatedItems = RepeatedItems()
    metItems = 0
    roots = []
    leftOut = []
    otherNodes = []
    hasParents = false
    places = places.filter { $0.key < noticed }
    diagnostics.removeSubrange(noticed...)
  }
}
