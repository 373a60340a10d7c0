import OrderedCollections
import RecordModel

// MARK: - Reading members

extension WorkingGraph {
  /// Returns the current members of a to-many relationship: in their order if it is ordered, otherwise oldest first.
  package mutating func members(of relationship: RelationshipIndex, owner: RecordID) throws(StoreError)
    -> [RecordID]
  {
    track(relationship)
    let end = RelationshipEnd(relationship: relationship, owner: owner)
    let change = memberChanges[end]
    if let order = change?.order { return hasDeletions ? order.filter { !isDeleted($0) } : Array(order) }
    var members: [RecordID] = []
    if let known = knownMembers[end] {
      members = known
    } else if !isNew(owner) {
      members = try reader.members(of: relationship, owners: [owner])[0]
    }
    if let change {
      members.removeAll { change.removed.contains($0) }
      members.append(contentsOf: change.added)
    }
    // A deletion does not update relationships without inverse, nor those whose members a `deny` rule protects.
    if hasDeletions { members.removeAll(where: isDeleted) }
    if change == nil { return members }
    return schema.relationships[relationship].isOrdered ? members : members.sorted()
  }

  /// Reads the members of several owners with one query. Later calls for single owners then need no query.
  package mutating func prepareMembers(of relationship: RelationshipIndex, owners: [RecordID])
    throws(StoreError)
  {
    let missing = OrderedSet(owners).filter {
      !isNew($0) && knownMembers[RelationshipEnd(relationship: relationship, owner: $0)] == nil
    }
    guard !missing.isEmpty else { return }
    for (owner, members) in zip(missing, try reader.members(of: relationship, owners: Array(missing))) {
      knownMembers[RelationshipEnd(relationship: relationship, owner: owner)] = members
    }
  }

  /// Returns a Boolean value that indicates whether the members can be determined without a query.
  func isPrepared(_ relationship: RelationshipIndex, owner: RecordID) -> Bool {
    isNew(owner) || knownMembers[RelationshipEnd(relationship: relationship, owner: owner)] != nil
  }

  package mutating func hasMemberChange(of relationship: RelationshipIndex, owner: RecordID) -> Bool {
    memberChange(of: relationship, owner: owner) != nil
  }

  /// Returns the changes of the members of a relationship; nil if neither the members nor their order have changed.
  mutating func memberChange(of relationship: RelationshipIndex, owner: RecordID) -> MemberChange? {
    track(relationship)
    guard var change = memberChanges[RelationshipEnd(relationship: relationship, owner: owner)] else {
      return nil
    }
    // A deletion does not update relationships without inverse.
    if hasDeletions { change.added = MemberList(change.added.filter { !isDeleted($0) }) }
    return change.isEmpty ? nil : change
  }

  /// Returns the owners for which the members of a relationship or their order have changed, oldest first.
  mutating func ownersWithMemberChanges(of relationship: RelationshipIndex) -> [RecordID] {
    track(relationship)
    return memberChanges.elements.lazy
      .filter { $0.key.relationship == relationship && !$0.value.isEmpty }
      .map(\.key.owner).sorted()
  }

  /// Returns a Boolean value that indicates whether links of the given relationships may differ from the store.
  func hasChangedLinks(under relationships: Set<RelationshipIndex>) -> Bool {
    changedLinks.contains { relationships.contains(links.links[$0].relationship) }
  }

  /// Reads several memberships of a relationship whose members are links with one query. Later calls of
  /// ``isMember(_:of:owner:)`` then need no query.
  package mutating func prepareMemberships(
    of relationship: RelationshipIndex, _ pairs: some Sequence<(owner: RecordID, member: RecordID)>
  ) throws(StoreError) {
    let value = schema.relationships[relationship]
    var missing: [Link] = []
    // The store has no links of new records.
    for (owner, member) in pairs where !isNew(owner) && !isNew(member) {
      let link = Link(value, owner: owner, member: member)
      if links.position(of: link) == nil { missing.append(link) }
    }
    guard !missing.isEmpty else { return }
    for (link, isThere) in zip(missing, try reader.exist(missing)) {
      // The pairs can name the same link twice.
      if links.position(of: link) == nil {
        _ = links.append(link, LinkStates.State(isStored: isThere, isThere: isThere))
      }
    }
  }

  package mutating func isMember(
    _ member: RecordID, of relationship: RelationshipIndex, owner: RecordID
  ) throws(StoreError) -> Bool {
    if let slot = schema.relationships[relationship].inverse.flatMap({ schema.relationships[$0].slot }) {
      return try index(of: member).map { records[$0].row.toOnes[slot] } == owner
    }
    let position = try position(of: link(relationship, owner: owner, member: member))
    return links.states[position].isThere
  }

  private func link(_ relationship: RelationshipIndex, owner: RecordID, member: RecordID) -> Link {
    Link(relationship, linkRelationships[for: relationship], owner: owner, member: member)
  }

  /// Returns the position of a link in ``links``. Reads the link if it is not known.
  private mutating func position(of link: Link) throws(StoreError) -> Int {
    if let known = links.position(of: link) { return known }
    var isThere = false
    // The store has no links of new records.
    if !isNew(link.owner), !isNew(link.member) { isThere = try reader.exist([link])[0] }
    return links.append(link, LinkStates.State(isStored: isThere, isThere: isThere))
  }

  /// Returns the position of a link that is known to exist. Needs no query.
  private mutating func position(ofPresent link: Link) -> Int {
    links.position(of: link) ?? links.append(link, LinkStates.State(isStored: true, isThere: true))
  }
}

// MARK: - Linking

extension WorkingGraph {
  /// Sets a to-one relationship and its inverse. The target must exist.
  package mutating func setToOne(
    _ relationship: RelationshipIndex, of owner: RecordID, to target: RecordID?
  ) throws(StoreError) {
    guard let slot = schema.relationships[relationship].slot, let index = try index(of: owner) else { return }
    let former = records[index].row.toOnes[slot]
    if former == target { return }
    guard let inverse = schema.relationships[relationship].inverse,
      let inverseSlot = schema.relationships[inverse].slot
    else {
      return setSlot(slot, relationship, of: owner, index, to: target)
    }
    // Free both former partners before the new pair is linked: any two of the four may be the same record.
    if let former, let partner = try self.index(of: former) {
      setSlot(inverseSlot, inverse, of: former, partner, to: nil)
    }
    var partner: WorkingRecordIndex?
    if let target { partner = try self.index(of: target) }
    if let partner, let rival = records[partner].row.toOnes[inverseSlot],
      let other = try self.index(of: rival)
    {
      setSlot(slot, relationship, of: rival, other, to: nil)
    }
    setSlot(slot, relationship, of: owner, index, to: target)
    if let target, let partner { setSlot(inverseSlot, inverse, of: target, partner, to: owner) }
  }

  /// Sets one side of a to-one relationship. The members of a to-many inverse are derived from it.
  private mutating func setSlot(
    _ slot: SlotIndex, _ relationship: RelationshipIndex, of owner: RecordID, _ index: WorkingRecordIndex,
    to target: RecordID?
  ) {
    let former = records[index].row.toOnes[slot]
    setSlot(slot, at: index, to: target)
    guard let inverse = schema.relationships[relationship].inverse, isTracked[for: inverse] else { return }
    if let former { noteRemoval(of: owner, from: inverse, owner: former) }
    if let target { noteAddition(of: owner, to: inverse, owner: target) }
  }

  /// Adds a member to a to-many relationship. An existing member keeps its position. Both records must exist.
  package mutating func addMember(
    _ member: RecordID, to relationship: RelationshipIndex, of owner: RecordID
  ) throws(StoreError) {
    if schema.relationships[relationship].isInverseToOne,
      let inverse = schema.relationships[relationship].inverse
    {
      try setToOne(inverse, of: member, to: owner)
    } else {
      let position = try position(of: link(relationship, owner: owner, member: member))
      guard !links.states[position].isThere else { return }
      try setLink(position, relationship, owner: owner, member: member, isThere: true)
    }
  }

  package mutating func removeMember(
    _ member: RecordID, from relationship: RelationshipIndex, of owner: RecordID
  ) throws(StoreError) {
    guard try isMember(member, of: relationship, owner: owner) else { return }
    try removePresentMember(member, from: relationship, of: owner)
  }

  /// Removes a member that is known to be one. Needs no query for the membership.
  package mutating func removePresentMember(
    _ member: RecordID, from relationship: RelationshipIndex, of owner: RecordID
  ) throws(StoreError) {
    let value = schema.relationships[relationship]
    if value.isInverseToOne, let inverse = value.inverse {
      try setToOne(inverse, of: member, to: nil)
    } else {
      let position = position(ofPresent: link(relationship, owner: owner, member: member))
      try setLink(position, relationship, owner: owner, member: member, isThere: false)
    }
  }

  /// Sets whether the link at a position exists. If the relationship is its own inverse, also sets the link in the
  /// opposite direction.
  private mutating func setLink(
    _ position: Int, _ relationship: RelationshipIndex, owner: RecordID, member: RecordID, isThere: Bool
  ) throws(StoreError) {
    setLink(position, isThere)
    noteMember(member, relationship, owner, isThere)
    guard let inverse = schema.relationships[relationship].inverse,
      !(inverse == relationship && owner == member)
    else { return }
    if inverse == relationship {
      let twin = link(relationship, owner: member, member: owner)
      setLink(isThere ? try self.position(of: twin) : self.position(ofPresent: twin), isThere)
    }
    noteMember(owner, inverse, member, isThere)
  }

  private mutating func setLink(_ position: Int, _ isThere: Bool) {
    if !links.states[position].isNoted { changedLinks.append(position) }
    links.set(position, isThere: isThere)
  }

  /// Sets the order of an ordered to-many relationship. `order` must contain exactly its members.
  package mutating func setOrder(
    _ order: [RecordID], of relationship: RelationshipIndex, owner: RecordID
  ) throws(StoreError) {
    guard try members(of: relationship, owner: owner) != order else { return }
    memberChanges[RelationshipEnd(relationship: relationship, owner: owner), default: MemberChange()].order =
      MemberList(order)
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
}

// MARK: - Members of tracked relationships

extension WorkingGraph {
  /// Determines the member changes of a relationship, and keeps them up to date from now on.
  private mutating func track(_ relationship: RelationshipIndex) {
    guard !isTracked[for: relationship] else { return }
    isTracked[for: relationship] = true
    let value = schema.relationships[relationship]
    if let name = value.linkRelationship {
      let isReversed = name != relationship
      for position in changedLinks where links.links[position].relationship == name {
        let (link, state) = (links.links[position], links.states[position])
        guard state.isThere != state.isStored else { continue }
        noteMember(
          isReversed ? link.owner : link.member, relationship, isReversed ? link.member : link.owner,
          state.isThere)
      }
    } else if let inverse = value.inverse, let slot = schema.relationships[inverse].slot {
      let tree = schema.entities[schema.relationships[inverse].entity].tree
      for index in changed where records[index].row.id.tree == tree {
        let (row, former) = (records[index].row, records[index].stored?.toOnes[slot])
        guard former != row.toOnes[slot] else { continue }
        if let former { noteRemoval(of: row.id, from: relationship, owner: former) }
        if let owner = row.toOnes[slot] { noteAddition(of: row.id, to: relationship, owner: owner) }
      }
    }
  }

  private mutating func noteMember(
    _ member: RecordID, _ relationship: RelationshipIndex, _ owner: RecordID, _ isAddition: Bool
  ) {
    if isAddition {
      noteAddition(of: member, to: relationship, owner: owner)
    } else {
      noteRemoval(of: member, from: relationship, owner: owner)
    }
  }

  private mutating func noteAddition(of member: RecordID, to relationship: RelationshipIndex, owner: RecordID)
  {
    changeMembers(of: relationship, owner: owner) { change in
      // A member that is removed and added again does not count as added.
      if !change.removed.remove(member) { change.added.append(member) }
      change.order?.append(member)
    }
  }

  private mutating func noteRemoval(
    of member: RecordID, from relationship: RelationshipIndex, owner: RecordID
  ) {
    changeMembers(of: relationship, owner: owner) { change in
      if !change.added.remove(member) { change.removed.append(member) }
      change.order?.remove(member)
    }
  }

  private mutating func changeMembers(
    of relationship: RelationshipIndex, owner: RecordID, _ body: (inout MemberChange) -> Void
  ) {
    guard isTracked[for: relationship] else { return }
    body(
      &memberChanges[RelationshipEnd(relationship: relationship, owner: owner), default: MemberChange()])
  }
}
