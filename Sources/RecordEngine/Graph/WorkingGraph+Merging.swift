import OrderedCollections
import RecordModel

extension WorkingGraph {
  /// Merges the changes of responses into the current records. Afterwards, each property that the changes name has
  /// their value.
  ///
  /// Changes of records that no longer exist are ignored. To-one relationships are first emptied and then set, so the
  /// order of the changes does not matter. The orders of members are applied last.
  mutating func merge(_ changes: ResponseChanges) throws(StoreError) {
    try load(changes.restored.keys.sorted())
    var formerEntities = try mergeInserted(changes)
    for end in changes.excused { excuse(end) }
    try prepare(changes)
    var columns = EntityColumns(schema: schema)
    for update in changes.updated {
      if update.entity != nil { formerEntities[update.id] = knownRow(update.id)?.entity }
      try merge(update, &columns)
    }
    try leaveOthersRelationships(formerEntities)
    try removeWithoutRules(changes.deleted)
    for (end, target) in changes.toOnes where target == nil { try mergeToOne(end, nil) }
    for (end, target) in changes.toOnes where target != nil { try mergeToOne(end, target) }
    for (link, isThere) in changes.links { try merge(link, isThere) }
    for ordering in changes.orderings { try merge(ordering) }
  }

  /// Merges the changes of the caller into the current records, as ``merge(_:)-(ResponseChanges)`` does. The graph must
  /// already contain the records that the caller has inserted.
  ///
  /// The records that the caller has deleted are deleted last, with their delete rules. A `deny` rule is therefore
  /// judged after all deletions, and after members have been moved to other records (rule `save.delete-rules`).
  mutating func merge(_ caller: CallerChanges) throws(StoreError) {
    if caller.isEmpty { return }
    try prepare(caller)
    var columns = EntityColumns(schema: schema)
    for (attribute, value) in caller.values {
      guard let row = try row(attribute.record), columns[row.entity].contains(attribute.column) else {
        continue
      }
      update(attribute.record) {
        $0.values[attribute.column] = value
        $0.isStub = false
      }
    }
    for (end, change) in caller.toOnes {
      switch change {
      case .target(nil): try mergeToOne(end, nil)
      case .target: break
      case .without(let target): try empty(end, leadingTo: target)
      }
    }
    for case (let end, .target(let target?)) in caller.toOnes { try mergeToOne(end, target) }
    for (link, isThere) in caller.links { try merge(link, isThere) }
    for (end, order) in caller.orders {
      try merge(
        ChangeSet.Ordering(
          relationship: end.relationship, owner: end.owner, added: Array(order.placed),
          order: order.order.map(Array.init)))
    }
    if !caller.deleted.isEmpty { try delete(Array(caller.deleted)) }
  }

  /// Returns the changes of a response, with to-one relationships emptied if the caller has deleted their targets in a
  /// parent context. The former targets of these relationships are not restored.
  mutating func emptying(_ response: ResponseChanges) throws(StoreError) -> ResponseChanges {
    var response = response
    let isNew = Set(response.inserted.map(\.id))
    let targets = response.toOnes.compactMap(\.target).filter { !isNew.contains($0) }
    try load(targets)
    for index in response.toOnes.indices {
      guard let target = response.toOnes[index].target, !isNew.contains(target), !isKnown(target) else {
        continue
      }
      response.toOnes[index].target = nil
    }
    return response
  }

  /// Inserts records, or restores those that have been deleted here or that a parent context shows again. The relationships
  /// of a restored record are empty, because the changes state all of them.
  ///
  /// A record that is shown again leaves a relationship without inverse only if responses have changed that link.
  ///
  /// - Returns: the former entities of the records that are shown again.
  private mutating func mergeInserted(
    _ changes: ResponseChanges
  ) throws(StoreError) -> [RecordID: EntityIndex] {
    let shown = changes.inserted.compactMap { knownRow($0.id) }
    try prepareRelated(shown)
    for row in shown { try remove(row.id) }
    let entities = Dictionary(shown.lazy.map { ($0.id, $0.entity) }) { first, _ in first }
    var formerlyDeleted: [Row] = []
    for row in changes.inserted {
      if let former = restore(row) {
        if entities[row.id] == nil { formerlyDeleted.append(former) }
      } else {
        insert(row)
      }
    }
    try leaveOwners(formerlyDeleted)
    try leave(shown.flatMap { row in (changes.restored[row.id] ?? []).sorted().map { ($0, row.id) } })
    return entities
  }

  private mutating func merge(
    _ update: ResponseChanges.Update, _ columns: inout EntityColumns
  ) throws(StoreError) {
    if let entity = update.entity { try changeEntity(of: update.id, to: entity) }
    guard let row = knownRow(update.id) else { return }
    let isThere = columns[row.entity]
    self.update(update.id) { row in
      for (column, value) in update.values where isThere.contains(column) { row.values[column] = value }
      if let isStub = update.isStub { row.isStub = isStub }
    }
  }

  /// The columns of entities, computed on first access.
  private struct EntityColumns {
    let schema: Schema
    private var columns: [EntityIndex: Set<ColumnIndex>] = [:]

    init(schema: Schema) { self.schema = schema }

    subscript(entity: EntityIndex) -> Set<ColumnIndex> {
      mutating get {
        if let known = columns[entity] { return known }
        let found = Set(schema.entities[entity].attributes.map(\.column))
        columns[entity] = found
        return found
      }
    }
  }

  // MARK: Relationships

  private mutating func mergeToOne(_ end: RelationshipEnd, _ target: RecordID?) throws(StoreError) {
    guard try has(end.relationship, end.owner) else { return }
    if let target, try !mayLead(end.relationship, to: target) { return }
    try setToOne(end.relationship, of: end.owner, to: target)
  }

  /// Removes each member from its relationship. Ignores pairs that are not linked.
  private mutating func leave(_ ends: [(end: RelationshipEnd, member: RecordID)]) throws(StoreError) {
    var links: [Link] = []
    try load(ends.lazy.map(\.end.owner))
    for (end, member) in ends {
      let relationship = schema.relationships[end.relationship]
      if relationship.isToMany {
        links.append(Link(relationship, owner: end.owner, member: member))
      } else {
        try empty(end, leadingTo: member)
      }
    }
    try prepare(links)
    for link in links { try merge(link, false) }
  }

  /// Empties a to-one relationship if it leads to the given record.
  private mutating func empty(_ end: RelationshipEnd, leadingTo target: RecordID) throws(StoreError) {
    guard let slot = schema.relationships[end.relationship].slot,
      try row(end.owner)?.toOnes[slot] == target
    else { return }
    try mergeToOne(end, nil)
  }

  private mutating func merge(_ link: Link, _ isThere: Bool) throws(StoreError) {
    guard try has(link.relationship, link.owner) else { return }
    if isThere {
      guard try mayLead(link.relationship, to: link.member) else { return }
      try addMember(link.member, to: link.relationship, of: link.owner)
    } else {
      try removeMember(link.member, from: link.relationship, of: link.owner)
    }
  }

  // MARK: Orders

  private mutating func merge(_ ordering: ChangeSet.Ordering) throws(StoreError) {
    guard try has(ordering.relationship, ordering.owner) else { return }
    if let order = ordering.order {
      let present = try members(of: ordering.relationship, owner: ordering.owner)
      let (isPresent, isOrdered) = (Set(present), Set(order))
      try setOrder(
        order.filter(isPresent.contains) + present.filter { !isOrdered.contains($0) },
        of: ordering.relationship, owner: ordering.owner)
    } else {
      try placeLast(ordering.added, in: ordering.relationship, of: ordering.owner)
    }
  }

  /// Moves members to the end, in the given order. Ignores records that are not members.
  mutating func placeLast(
    _ placed: [RecordID], in relationship: RelationshipIndex, of owner: RecordID
  ) throws(StoreError) {
    let end = RelationshipEnd(relationship: relationship, owner: owner)
    if memberChanges[end]?.order != nil {
      for member in placed { memberChanges[end]?.order?.moveLast(member) }
      return
    }
    let areAdded = memberChanges[end].map { placed.allSatisfy($0.added.contains) } ?? false
    if areAdded {
      for member in placed { memberChanges[end]?.added.moveLast(member) }
      return
    }
    let present = try members(of: relationship, owner: owner)
    let (isPresent, isPlaced) = (Set(present), Set(placed))
    try setOrder(
      present.filter { !isPlaced.contains($0) } + placed.filter(isPresent.contains), of: relationship,
      owner: owner)
  }

  // MARK: Deletions

  /// Deletes records without applying their delete rules, because the rules have been applied before.
  /// Rule: `save.child.deletion`.
  private mutating func removeWithoutRules(_ ids: OrderedSet<RecordID>) throws(StoreError) {
    guard !ids.isEmpty else { return }
    let rows = ids.compactMap { knownRow($0) }
    try prepareRelated(rows)
    for row in rows {
      for relationship in schema.entities[row.entity].relationships.map({ schema.relationships[$0] })
      where relationship.deleteRule == .noAction {
        guard let inverse = relationship.inverse else { continue }
        for member in try related(relationship.index, of: row) {
          excuse(RelationshipEnd(relationship: inverse, owner: member))
        }
      }
    }
    for row in rows { try remove(row.id) }
  }

  // MARK: Reading

  private mutating func prepare(_ changes: ResponseChanges) throws(StoreError) {
    try load(changes.updated.map(\.id) + changes.orderings.map(\.owner) + changes.deleted)
    try prepare(changes.toOnes)
    try prepare(changes.links.lazy.map(\.link))
    try prepare(changes.orderings.lazy.filter { $0.order != nil }.map(\.end))
  }

  private mutating func prepare(_ caller: CallerChanges) throws(StoreError) {
    try load(caller.values.keys.map(\.record) + caller.orders.keys.map(\.owner) + caller.deleted)
    try prepare(caller.toOnes.map { (end: $0.key, target: $0.value.partner) })
    try prepare(caller.links.keys)
    try prepare(caller.orders.lazy.filter { $0.value.order != nil }.map(\.key))
  }

  // Each of these functions reads all records that the changes need, with one query for each relationship.

  private mutating func prepare(_ toOnes: [(end: RelationshipEnd, target: RecordID?)]) throws(StoreError) {
    try load(toOnes.flatMap { [$0.end.owner] + ($0.target.map { [$0] } ?? []) })
    var partners: [RecordID] = []
    for (end, target) in toOnes {
      // Linking a one-to-one relationship also unlinks the former partners of both ends.
      let relationship = schema.relationships[end.relationship]
      guard relationship.isInverseToOne, let slot = relationship.slot,
        let inverseSlot = relationship.inverse.flatMap({ schema.relationships[$0].slot })
      else { continue }
      partners += [
        knownRow(end.owner)?.toOnes[slot], target.flatMap { knownRow($0)?.toOnes[inverseSlot] },
      ].compactMap(\.self)
    }
    try load(partners)
  }

  private mutating func prepare(_ links: some Sequence<Link>) throws(StoreError) {
    var ids: [RecordID] = []
    var byRelationship: [RelationshipIndex: [Link]] = [:]
    for link in links {
      ids += [link.owner, link.member]
      byRelationship[link.relationship, default: []].append(link)
    }
    try load(ids)
    for (relationship, links) in byRelationship.sorted(by: { $0.key < $1.key }) {
      try prepareMemberships(of: relationship, links.map { ($0.owner, $0.member) })
    }
  }

  /// Returns a Boolean value that indicates whether a record exists and its entity is a valid destination of a
  /// relationship.
  private mutating func mayLead(_ relationship: RelationshipIndex, to id: RecordID) throws(StoreError) -> Bool
  {
    guard let row = try row(id) else { return false }
    return schema.isKind(row.entity, of: schema.relationships[relationship].destination)
  }

  /// Returns a Boolean value that indicates whether a record exists and its entity has a relationship.
  private mutating func has(_ relationship: RelationshipIndex, _ id: RecordID) throws(StoreError) -> Bool {
    guard let row = try row(id) else { return false }
    return schema.isKind(row.entity, of: schema.relationships[relationship].entity)
  }
}
