import OrderedCollections
import RecordModel

/// The phase that ties children identified by their parents to the stored children of these, from the root down.
/// Rules: `population.associate`, `identity.relationship-key.*`.
struct ChildTying: ~Copyable {
  private let population: Population
  private let report: PopulationReport
  private let schema: Schema
  private var result: PopulatedGraph

  static func run(
    _ known: consuming PopulatedGraph, _ report: PopulationReport
  ) throws(StoreError) -> PopulatedGraph {
    try ChildTying(known, report).result
  }

  private init(_ known: consuming PopulatedGraph, _ report: PopulationReport) throws(StoreError) {
    population = report.population
    self.report = report
    schema = population.schema
    result = known
    guard result.summary.hasParents else { return }
    for level in childrenByDepth() {
      let parents = level.compactMap { result.protos[$0].parent.flatMap { result.protos[$0].record } }
      try result.graph.load(parents)
      try tieOnlyChildren(level)
      try tieListedChildren(level)
    }
  }

  /// Returns the protos with a parent, grouped by depth: a parent must be tied before its children.
  /// Rule: `identity.relationship-key.nested`.
  private func childrenByDepth() -> [[ProtoIndex]] {
    var levels: [[ProtoIndex]] = []
    for index in result.protos.elementIndices
    where result.protos[index].parent != nil && result.protos[index].isReachable {
      var level = -1
      var current = index
      while let parent = result.protos[current].parent {
        level += 1
        current = parent
      }
      while levels.count <= level { levels.append([]) }
      levels[level].append(index)
    }
    return levels
  }

  // MARK: Only children

  private mutating func tieOnlyChildren(_ level: [ProtoIndex]) throws(StoreError) {
    var found: [(proto: ProtoIndex, child: RecordID)] = []
    for index in level {
      guard case .onlyChild(let parent, let relationship)? = result.protos[index].identity,
        let slot = schema.relationships[relationship].inverse.flatMap({ schema.relationships[$0].slot }),
        let owner = result.protos[parent].record, let recordIndex = result.graph.knownIndex(of: owner),
        let child = result.graph.records[recordIndex].row.toOnes[slot]
      else { continue }
      found.append((index, child))
    }
    try result.graph.load(found.map(\.child))
    var changing: [PopulatedGraph.FoundRecord] = []
    for (proto, child) in found {
      guard let row = result.graph.knownRow(child) else { continue }
      let answer = answer(for: proto, among: [child].compactMap { stored($0) })
      if case .new? = answer { continue }
      if answer != nil { report.provenance?.noteChosenChild(proto) }
      result.tie(proto, to: child)
      changing.append((row, proto))
    }
    try result.adaptEntities(changing, report)
  }

  /// Reports an item that is tied to no child.
  private func reportUnmatched(_ proto: ProtoRecord, because reason: String) {
    let consequence =
      if proto.isTombstone {
        "no record was deleted"
      } else if proto.mayBeCreated {
        "a new record was inserted"
      } else {
        "no record was linked"
      }
    report.add(
      .unmatchedChild, entity: proto.entity, at: proto.effective.item.node, "\(reason), so \(consequence)")
  }

  // MARK: Several children

  /// Ties each item to the oldest stored child that it leaves unchanged.
  private mutating func tieListedChildren(_ level: [ProtoIndex]) throws(StoreError) {
    var items: OrderedDictionary<RelationshipEnd, [ProtoIndex]> = [:]
    for index in level {
      guard case .child(let parent, let relationship, _)? = result.protos[index].identity,
        let owner = result.protos[parent].record, let inverse = schema.relationships[relationship].inverse
      else { continue }
      items[RelationshipEnd(relationship: inverse, owner: owner), default: []].append(index)
    }
    guard !items.isEmpty else { return }
    // The hook affects the values that items set.
    result.prepopulate(items.values.joined().filter { result.protos[$0].mayBeCreated }, population)
    let owners = Dictionary(grouping: items.keys, by: \.relationship).sorted { $0.key < $1.key }
    for (relationship, owners) in owners {
      let members = try result.graph.reader.members(of: relationship, owners: owners.map(\.owner))
      try result.graph.load(members.joined())
      for (owner, children) in zip(owners, members) where !children.isEmpty {
        try match(inOrderOfChoice(items[owner] ?? []), with: children, of: relationship)
      }
    }
  }

  /// Returns the items in the order in which they choose a child. Items that can create records come first, because the
  /// same response must find the same children again. Tombstones come last, so that they take no child that another
  /// item mentions.
  private func inOrderOfChoice(_ items: [ProtoIndex]) -> [ProtoIndex] {
    func rank(_ proto: ProtoRecord) -> (Int, Int) {
      let isLater = proto.isTombstone ? 2 : proto.mayBeCreated ? 0 : 1
      return (isLater, proto.effective.order)
    }
    return items.sorted { rank(result.protos[$0]) < rank(result.protos[$1]) }
  }

  /// Ties items to the stored children of their parent.
  ///
  /// The same response finds the same children again because two orders agree. Items are processed in the order in
  /// which new records are created for them, and children from oldest to youngest. A child that an item has created is
  /// therefore younger than all children that the items before it take.
  private mutating func match(
    _ items: [ProtoIndex], with children: [RecordID], of relationship: RelationshipIndex
  ) throws(StoreError) {
    let children = children.sorted()
    var stored = StoredChildren(
      children.compactMap { result.graph.knownRow($0) },
      free: population.hasMarshalers ? children.compactMap { self.stored($0) } : [])
    var changing: [PopulatedGraph.FoundRecord] = []
    var complete: Set<ProtoIndex> = []
    if let parent = items.first.flatMap({ result.protos[$0].parent }) {
      complete = itemsInCompleteList(parent, relationship)
    }
    for index in items {
      if let answer = answer(for: index, among: stored.free) {
        guard case .child(let child) = answer, let row = stored.claim(child.recordID) else { continue }
        report.provenance?.noteChosenChild(index)
        result.tie(index, to: row.id)
        changing.append((row, index))
        continue
      }
      let proto = result.protos[index]
      let outcome = ItemOutcome(of: proto, result.graph, population)
      // A tombstone without any values does not indicate which child is gone.
      let saysWhich = !proto.isTombstone || !outcome.columns.isEmpty
      if saysWhich, let row = stored.claim(leftAsItIsBy: outcome, of: proto.entity, schema) {
        result.tie(index, to: row.id)
        if proto.isTombstone { tieOthers(like: proto, outcome, from: &stored) }
      } else if !complete.contains(index) {
        let reason =
          if !saysWhich {
            "the item has no valid attribute that identifies the deleted child"
          } else if stored.containsMatch(for: outcome, of: proto.entity, schema) {
            "other items have taken all children of the parent that match the item"
          } else {
            "no child of the parent matches the item"
          }
        reportUnmatched(proto, because: reason)
      }
    }
    try result.adaptEntities(changing, report)
  }

  /// Returns the items in the list of a parent that replaces its stored children. New children are expected in it.
  private func itemsInCompleteList(_ parent: ProtoIndex, _ relationship: RelationshipIndex) -> Set<ProtoIndex>
  {
    guard schema.relationships[relationship].assignment == .replace,
      let children = result.protos[parent].effective.children.first(where: { $0.relationship == relationship }
      ),
      !children.isPartial
    else { return [] }
    return Set(children.protos.filter { result.protos[$0].mayBeCreated && !result.protos[$0].isTombstone })
  }

  /// Ties a tombstone to all other children that it may mean, too. Otherwise the same response would delete another one
  /// the next time. Rule: `orphans.tombstone.child`.
  private mutating func tieOthers(
    like tombstone: ProtoRecord, _ outcome: ItemOutcome, from stored: inout StoredChildren
  ) {
    while let row = stored.claim(leftAsItIsBy: outcome, of: tombstone.entity, schema) {
      result.protos.append(tombstone)
      result.tie(ProtoIndex(result.protos.count - 1), to: row.id)
    }
  }

  // MARK: Marshalers

  /// Returns the stored child that a marshaler chooses for an item; nil if the standard rules apply.
  /// Rule: `customize.relationship-key`.
  private func answer(
    for index: ProtoIndex, among children: @autoclosure () -> [PopulatedRecord]
  ) -> ChildDecision? {
    let proto = result.protos[index]
    guard let marshaler = population.marshaler(of: proto.entity),
      let parent = proto.parent.flatMap({ result.protos[$0].record }).flatMap({ stored($0) })
    else { return nil }
    let answer = marshaler.child(proto.dictionary(schema), of: parent, among: children())
    if case .standard = answer { return nil }
    return answer
  }

  /// Returns a record as it is in the store.
  private func stored(_ id: RecordID) -> PopulatedRecord? {
    result.graph.storedRow(id).map { PopulatedRecord($0, dictionary: nil, isNew: false, schema: schema) }
  }
}
