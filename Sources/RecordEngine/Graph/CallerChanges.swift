import OrderedCollections
import RecordModel

/// The properties that the caller has set in a context and not saved, each with its latest value. Responses do not
/// change these properties. Rule: `context.conflict`.
struct CallerChanges: Sendable {
  /// The records that the caller has inserted, with their default values.
  var inserted: OrderedDictionary<RecordID, Row> = [:]
  /// The records that the caller has deleted. Their delete rules are applied after all other changes: see
  /// ``WorkingGraph/merge(_:)-(CallerChanges)``.
  var deleted: OrderedSet<RecordID> = []
  private(set) var values: OrderedDictionary<RecordAttribute, AttributeValue?> = [:]
  private(set) var toOnes: OrderedDictionary<RelationshipEnd, ToOneChange> = [:]
  private(set) var links: OrderedDictionary<Link, Bool> = [:]
  /// The changes of the order of members. Records that are no longer members are ignored.
  private(set) var orders: OrderedDictionary<RelationshipEnd, MemberOrder> = [:]

  var isEmpty: Bool {
    inserted.isEmpty && deleted.isEmpty && values.isEmpty && toOnes.isEmpty && links.isEmpty
      && orders.isEmpty
  }
}

/// An attribute of a record.
struct RecordAttribute: Hashable, Sendable {
  var record: RecordID
  var column: ColumnIndex
}

// MARK: - Setting

extension CallerChanges {
  mutating func setValue(_ value: AttributeValue?, column: ColumnIndex, of id: RecordID) {
    values.updateValue(value, forKey: RecordAttribute(record: id, column: column))
  }

  mutating func setToOne(_ relationship: SchemaRelationship, of owner: RecordID, to target: RecordID?) {
    let end = RelationshipEnd(relationship: relationship.index, owner: owner)
    set(end, .target(target), former: relationship.inverseEnd(from: toOnes[end]?.partner))
    guard let other = relationship.inverseEnd(from: target) else { return }
    let former = toOnes[other]?.partner.map { RelationshipEnd(relationship: relationship.index, owner: $0) }
    set(other, .target(owner), former: former)
  }

  mutating func addMember(_ member: RecordID, to relationship: SchemaRelationship, of owner: RecordID) {
    if let end = relationship.inverseEnd(from: member) {
      toOnes[end] = .target(owner)
    } else {
      setLinks(relationship, owner, member, exist: true)
    }
  }

  mutating func removeMember(
    _ member: RecordID, from relationship: SchemaRelationship, of owner: RecordID, isMember: Bool
  ) {
    removePlace(of: member, in: RelationshipEnd(relationship: relationship.index, owner: owner))
    if let inverse = relationship.inverse {
      removePlace(of: owner, in: RelationshipEnd(relationship: inverse, owner: member))
    }
    guard let end = relationship.inverseEnd(from: member) else {
      return setLinks(relationship, owner, member, exist: false)
    }
    remove(owner, from: end, isThere: isMember)
  }

  /// Records that an end no longer leads to a record.
  ///
  /// - Parameter isThere: a Boolean value that indicates whether the end has led to that record until now.
  private mutating func remove(_ target: RecordID, from end: RelationshipEnd, isThere: Bool) {
    switch toOnes[end] {
    case .target: if isThere { toOnes[end] = .target(nil) }
    case .without: if isThere { toOnes[end] = .without(target) }
    case nil: toOnes[end] = .without(target)
    }
  }

  /// Sets an end. In a one-to-one relationship, also empties the end of the former partner.
  private mutating func set(_ end: RelationshipEnd, _ change: ToOneChange, former: RelationshipEnd?) {
    if let former, former.owner != change.partner, toOnes[former]?.partner == end.owner {
      toOnes[former] = .target(nil)
    }
    toOnes[end] = change
  }

  mutating func setOrder(_ members: some Sequence<RecordID>, of end: RelationshipEnd) {
    orders[end] = MemberOrder(order: MemberList(members))
  }

  mutating func placeLast(_ member: RecordID, in end: RelationshipEnd) {
    orders[end, default: MemberOrder()].placeLast(member)
  }

  private mutating func removePlace(of member: RecordID, in end: RelationshipEnd) {
    guard let index = orders.index(forKey: end) else { return }
    orders.values[index].remove(member)
    guard orders.values[index].isEmpty else { return }
    // The order of the ends has no meaning. Swapping with the last one makes the removal take constant time.
    orders.swapAt(index, orders.count - 1)
    orders.removeLast()
  }

  private mutating func setLinks(
    _ relationship: SchemaRelationship, _ owner: RecordID, _ member: RecordID, exist: Bool
  ) {
    for link in Link.both(relationship, owner: owner, member: member) { links[link] = exist }
  }
}

extension Link {
  /// Returns the links of a membership. A relationship that is its own inverse has one link for each direction.
  static func both(
    _ relationship: SchemaRelationship, owner: RecordID, member: RecordID
  ) -> [Link] {
    var links = [Link(relationship, owner: owner, member: member)]
    if relationship.inverse == relationship.index, owner != member {
      links.append(Link(relationship, owner: member, member: owner))
    }
    return links
  }
}

// MARK: - Queries

extension CallerChanges {
  func sets(column: ColumnIndex, of id: RecordID) -> Bool {
    !values.isEmpty && values[RecordAttribute(record: id, column: column)] != nil
  }

  func sets(_ link: Link) -> Bool { links[link] != nil }

  /// Returns a Boolean value that indicates whether the caller has set an end or removed the given target from it, or
  /// has set the end of the new partner in a one-to-one relationship.
  func sets(_ end: RelationshipEnd, to target: RecordID?, _ relationship: SchemaRelationship) -> Bool {
    if toOnes.isEmpty { return false }
    if sets(end) { return true }
    if case .without(target) = toOnes[end] { return true }
    return relationship.inverseEnd(from: target).map { sets($0) } ?? false
  }

  /// Returns a Boolean value that indicates whether the caller has set the target of an end. Removing a target does not
  /// count.
  func sets(_ end: RelationshipEnd) -> Bool {
    if case .target = toOnes[end] { true } else { false }
  }
}

// MARK: - Modifying

extension CallerChanges {
  /// Adds the changes of a child context, which are newer.
  ///
  /// - Parameter before: a closure that returns the row of a record without the changes of the child.
  mutating func merge(_ later: CallerChanges, _ schema: Schema, before: (RecordID) -> Row?) {
    inserted.merge(later.inserted) { _, later in later }
    deleted.formUnion(later.deleted)
    values.merge(later.values) { _, later in later }
    for (end, change) in later.toOnes {
      let relationship = schema.relationships[end.relationship]
      switch change {
      case .target: set(end, change, former: schema.inverse(of: end, from: toOnes[end]?.partner))
      case .without(let target):
        let present = relationship.slot.flatMap { before(end.owner)?.toOnes[$0] }
        remove(target, from: end, isThere: present == target)
      }
    }
    links.merge(later.links) { _, later in later }
    for (end, order) in later.orders { orders[end, default: MemberOrder()].merge(order) }
  }

  /// The changes as if the caller had deleted no record.
  var withoutDeletions: CallerChanges {
    var changes = self
    changes.deleted = []
    return changes
  }

  /// Returns only the changes of key attributes.
  ///
  /// A parent that identifies a record is left out, because delete rules would follow the link to it.
  ///
  /// - Parameter schema: the schema with the keys.
  func ofKeys(_ schema: Schema) -> CallerChanges {
    var columns: [TreeIndex: Set<ColumnIndex>] = [:]
    for entity in schema.entities {
      guard case .attributes(let positions) = entity.key else { continue }
      columns[entity.tree, default: []].formUnion(positions.lazy.map { entity.attributes[$0].column })
    }
    var changes = CallerChanges()
    changes.values = values.filter { columns[$0.key.record.tree, default: []].contains($0.key.column) }
    return changes
  }

  /// Returns the changes without the to-one changes that lead to or from a record that no longer exists.
  /// Rule: `context.conflict.deleted`.
  func leading(to isThere: (RecordID) -> Bool) -> CallerChanges {
    let known = toOnes.filter { end, change in isThere(end.owner) && change.partner.map(isThere) ?? true }
    if known.count == toOnes.count { return self }
    var changes = self
    changes.toOnes = known
    return changes
  }

  /// Discards the changes of a record's properties, including both sides of its relationships and its position among
  /// other members.
  mutating func forgetProperties(of id: RecordID, _ schema: Schema) {
    forgetProperties(
      of: { $0 == id },
      leadingTo: { member, relationship in
        member == id && schema.relationships[relationship].inverse != nil
      })
    for index in orders.values.indices { orders.values[index].remove(id) }
    orders.removeAll { $0.value.isEmpty }
  }

  /// Discards the changes of records that a response has deleted.
  mutating func forgetDeleted(_ ids: OrderedSet<RecordID>) {
    if ids.isEmpty || isEmpty { return }
    forgetProperties(of: ids.contains, leadingTo: { member, _ in ids.contains(member) })
    for index in orders.values.indices { orders.values[index].remove(ids) }
    orders.removeAll { $0.value.isEmpty }
    inserted = inserted.filter { !ids.contains($0.key) }
    deleted.subtract(ids)
  }

  private mutating func forgetProperties(
    of isOwner: (RecordID) -> Bool, leadingTo isMember: (RecordID, RelationshipIndex) -> Bool
  ) {
    values = values.filter { !isOwner($0.key.record) }
    toOnes = toOnes.filter { end, change in
      !isOwner(end.owner) && !(change.partner.map { isMember($0, end.relationship) } ?? false)
    }
    links = links.filter { link, _ in !isOwner(link.owner) && !isMember(link.member, link.relationship) }
    orders = orders.filter { !isOwner($0.key.owner) }
  }

  /// Discards the changes of properties that newer changes set.
  ///
  /// Members that the newer changes add come after those whose order the caller has set.
  ///
  /// - Complexity: linear in the number of changes of both.
  mutating func forget(whatIsSetBy changes: ResponseChanges, _ schema: Schema) {
    if isEmpty { return }
    let attributes = Set(
      changes.updated.lazy.flatMap { update in
        update.values.map { RecordAttribute(record: update.id, column: $0.column) }
      })
    values = values.filter { !attributes.contains($0.key) }
    var ends: Set<RelationshipEnd> = []
    for (end, target) in changes.toOnes {
      ends.insert(end)
      if let partner = schema.inverse(of: end, from: target) { ends.insert(partner) }
    }
    for end in ends {
      // The former partner of a one-to-one relationship has no other partner.
      guard let former = schema.inverse(of: end, from: toOnes[end]?.partner) else { continue }
      if toOnes[former]?.partner == end.owner { toOnes[former] = .target(nil) }
    }
    toOnes = toOnes.filter { !ends.contains($0.key) }
    let isSet = Set(changes.links.lazy.map(\.link))
    links = links.filter { !isSet.contains($0.key) }
    let ordered = Set(changes.orderings.lazy.filter { $0.order != nil }.map(\.end))
    orders = orders.filter { !ordered.contains($0.key) }
    for ordering in changes.orderings {
      guard let index = orders.index(forKey: ordering.end) else { continue }
      for member in ordering.added { orders.values[index].placeLast(member) }
    }
  }

  /// Replaces records by other records. None of them was inserted by the caller.
  mutating func replace(_ successors: [RecordID: RecordID]) {
    guard !successors.isEmpty else { return }
    func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
    deleted = OrderedSet(deleted.map(now))
    values = OrderedDictionary(
      values.map { (RecordAttribute(record: now($0.key.record), column: $0.key.column), $0.value) },
      uniquingKeysWith: { _, last in last })
    toOnes = OrderedDictionary(
      toOnes.map { ($0.key.replacing(successors), $0.value.replacing(successors)) },
      uniquingKeysWith: { _, last in last })
    links = OrderedDictionary(
      links.map { ($0.key.replacing(successors), $0.value) }, uniquingKeysWith: { _, last in last })
    orders = OrderedDictionary(
      orders.map { ($0.key.replacing(successors), $0.value.replacing(successors)) },
      uniquingKeysWith: { _, last in last })
  }
}

extension Schema {
  /// Returns the opposite end of a one-to-one relationship; nil for other relationships and if there is no target.
  func inverse(of end: RelationshipEnd, from target: RecordID?) -> RelationshipEnd? {
    relationships[end.relationship].inverseEnd(from: target)
  }
}

extension SchemaRelationship {
  /// Returns the end of the inverse to-one relationship at a target; nil if the inverse is not a to-one, or without a
  /// target.
  func inverseEnd(from target: RecordID?) -> RelationshipEnd? {
    guard isInverseToOne, let inverse, let target else { return nil }
    return RelationshipEnd(relationship: inverse, owner: target)
  }
}
