import JSONTree
import OrderedCollections
import RecordModel

/// Relationships are set, both sides at once. Rules: `population.relationships`, `relationships.*`.
///
/// What records say of themselves is gathered first and applied in one order: nulls, then lists, then to-ones, so that
/// a to-one stated by a record itself beats membership in another's list (rule `relationships.conflict`).
extension Population {
  mutating func setRelationships() throws(StoreError) {
    var statements = RelationshipStatements(schema, mayReplaceAnything: hasMarshalers)
    statements.toOnes.reserveCapacity(protos.count)
    // In the order of the response: where two contradict each other, the last one counts.
    for index in protosInOrder() where protos[index].record != nil && !protos[index].isTombstone {
      gather(index, into: &statements)
    }
    graph.links.reserveCapacity(statements.lists.reduce(0) { $0 + $1.members.count })
    try prepare(statements)
    for null in statements.nulls { try graph.setToOne(null.relationship, of: null.owner, to: nil) }
    var leaving = LeavingMembers()
    if statements.replaces { leaving = try removeOthers(statements) }
    for list in statements.lists { try addMembers(list, &statements) }
    for (end, target) in statements.toOnes.elements { try setToOne(end, target, &statements) }
    try remove(leaving, statements)
    for list in statements.lists { try order(list) }
  }

  /// The protos in the order in which their effective items were met.
  private func protosInOrder() -> [Int] {
    var protosByOrder = Array(repeating: -1, count: metItems + 1)
    for index in protos.indices { protosByOrder[protos[index].effective.order] = index }
    return protosByOrder.filter { $0 >= 0 }
  }

  /// What the effective dictionaries of a response say of relationships.
  struct RelationshipStatements {
    /// Whether some relationship of the model replaces: only then ``named`` and ``claimed`` are filled.
    let replaces: Bool
    var nulls: [RelationshipEnd] = []
    var lists: [MemberList] = []
    /// What records say of their to-ones: of two statements about one the last, in the place of the first.
    var toOnes = RelationshipEndTable<ToOneTarget>()
    /// Who has claimed a record through a to-one on its side, by that side.
    var claims = RelationshipEndTable<RecordID>()
    /// The members that lists name, by list.
    var named: [RelationshipEnd: Set<RecordID>] = [:]
    /// The to-ones of members that lists claim.
    var claimed: Set<RelationshipEnd> = []

    init(_ schema: Schema, mayReplaceAnything: Bool) {
      replaces =
        mayReplaceAnything || schema.relationships.contains { $0.isToMany && $0.assignment == .replace }
    }
  }

  struct MemberList {
    var relationship: RelationshipIndex
    var owner: RecordID
    var members: [RecordID]
    var entity: EntityIndex
    var node: NodePlace?
    /// Whether it is all there is. Rule: `relationships.replace`.
    var replaces: Bool
  }

  struct ToOneTarget {
    var record: RecordID
    var entity: EntityIndex
    var node: NodePlace?
  }

  /// Asks the store for all that setting needs, a relationship at a time and never a record at a time.
  private mutating func prepare(_ statements: RelationshipStatements) throws(StoreError) {
    var listsByRelationship = Array(repeating: [Int](), count: schema.relationships.count)
    for (position, list) in statements.lists.enumerated() {
      // In a new record's there is nothing that the store could know.
      if !graph.isNew(list.owner) { listsByRelationship[for: list.relationship].append(position) }
    }
    for (index, positions) in zip(schema.relationships.elementIndices, listsByRelationship)
    where !positions.isEmpty {
      let lists = positions.lazy.map { statements.lists[$0] }
      let relationship = schema.relationships[index]
      if statements.replaces, lists.contains(where: \.replaces) {
        let lists = lists.filter(\.replaces)
        try graph.prepareMembers(of: index, owners: Array(lists.map(\.owner)))
        var members: [RecordID] = []
        for list in lists { members += try graph.members(of: index, owner: list.owner) }
        try graph.load(members)
      }
      if !relationship.isInverseToOne {
        try graph.prepareMemberships(
          of: index, lists.flatMap { list in list.members.lazy.map { (list.owner, $0) } })
      }
    }
    // A one-to-one takes both ends from whoever had them.
    var former: [RecordID] = []
    for end in statements.nulls { noteFormer(end, nil, &former) }
    for (end, target) in statements.toOnes.elements { noteFormer(end, target.record, &former) }
    try graph.load(former)
  }

  private mutating func noteFormer(_ end: RelationshipEnd, _ target: RecordID?, _ former: inout [RecordID]) {
    guard schema.relationships[end.relationship].isInverseToOne,
      let slot = schema.relationships[end.relationship].slot,
      let inverse = schema.relationships[end.relationship].inverse,
      let inverseSlot = schema.relationships[inverse].slot
    else { return }
    if let place = graph.knownPlace(end.owner), let partner = graph.records[place].row.toOnes[slot] {
      former.append(partner)
    }
    if let target, let place = graph.knownPlace(target),
      let partner = graph.records[place].row.toOnes[inverseSlot]
    {
      former.append(partner)
    }
  }

  // MARK: Gathering

  private mutating func gather(_ index: Int, into statements: inout RelationshipStatements) {
    guard let owner = protos[index].record else { return }
    let entity = protos[index].entity
    let key = protos[index].parent.flatMap { _ in keyRelationship(of: entity) }
    if hasMarshalers, protos[index].effective.isFull,
      let marshaler = options.customisation.marshaler(of: entity)
    {
      marshalLinks(of: index, key: key, marshaler)
    }
    for children in protos[index].effective.children where children.relationship != key {
      let relationship = children.relationship
      let end = RelationshipEnd(relationship: relationship, owner: owner)
      if children.isNull {
        if children.replaces || schema.relationships[relationship].null == .clear {
          statements.nulls.append(end)
        }
      } else if schema.relationships[relationship].isToMany {
        let members = members(children, entity)
        if statements.replaces { note(members, of: end, in: &statements) }
        statements.lists.append(
          MemberList(
            relationship: relationship, owner: owner, members: members, entity: entity, node: children.node,
            replaces: children.replaces
              || schema.relationships[relationship].assignment == .replace && !children.isPartial))
      } else if children.links.first.map({ protos[$0.proto].isTombstone }) ?? false {
        // What is gone leaves the place empty, whoever had it.
        statements.nulls.append(end)
      } else if let link = children.links.first, let record = linkable(link, relationship, entity) {
        statements.toOnes.set(end, ToOneTarget(record: record, entity: entity, node: children.node))
      }
    }
    // Rule `relationships.key-is-parent`; the parent that was settled on counts, whatever the item says.
    if let key, let parent = protos[index].parent {
      let end = RelationshipEnd(relationship: key, owner: owner)
      let link = ProtoRecord.Link(proto: parent, node: place(of: protos[index].effective.item.node))
      if let target = linkable(link, key, entity) {
        statements.toOnes.set(end, ToOneTarget(record: target, entity: entity))
      }
    }
  }

  /// The records that a list may link to, each once, where it stands first.
  private mutating func members(_ children: ProtoRecord.Children, _ entity: EntityIndex) -> [RecordID] {
    var members: [RecordID] = []
    members.reserveCapacity(children.links.count)
    // Few are told apart faster one by one.
    let areFew = children.links.count <= 8
    for link in children.links {
      guard let record = linkable(link, children.relationship, entity) else { continue }
      if !areFew || !members.contains(record) { members.append(record) }
    }
    return areFew ? members : Array(OrderedSet(members))
  }

  /// Notes what only lists that replace ask for.
  private func note(
    _ members: [RecordID], of end: RelationshipEnd, in statements: inout RelationshipStatements
  ) {
    statements.named[end, default: []].formUnion(members)
    guard schema.relationships[end.relationship].isInverseToOne,
      let inverse = schema.relationships[end.relationship].inverse
    else { return }
    for member in members {
      statements.claimed.insert(RelationshipEnd(relationship: inverse, owner: member))
    }
  }

  private func keyRelationship(of entity: EntityIndex) -> RelationshipIndex? {
    if case .relationship(let relationship) = schema.entities[entity].key { relationship } else { nil }
  }

  /// The record of a child, if the relationship may lead to it; why not is reported.
  mutating func linkable(
    _ link: ProtoRecord.Link, _ index: RelationshipIndex, _ owner: EntityIndex
  ) -> RecordID? {
    let child = link.proto
    let known = protos[child].place
    if protos[child].isTombstone { return nil }
    guard let record = protos[child].record, known >= 0, !graph.records[known].isDeleted,
      schema.relationships[index].stubs == .create,
      graph.records[known].row.entity == schema.relationships[index].destination
        || schema.isKind(graph.records[known].row.entity, of: schema.relationships[index].destination)
    else { return linkableOnConditions(link, schema.relationships[index], owner) }
    return record
  }

  private mutating func linkableOnConditions(
    _ link: ProtoRecord.Link, _ relationship: SchemaRelationship, _ owner: EntityIndex
  ) -> RecordID? {
    let child = link.proto
    let place = node(at: link.node)
    guard let record = protos[child].record, let row = graph.knownRow(record) else {
      if relationship.stubs == .create, schema.entities[protos[child].entity].isAbstract {
        report(
          .noEntity, entity: owner, property: relationship.name, at: place,
          "no record with this key is known, and '\(schema.entities[protos[child].entity].name)' is abstract")
      } else {
        reportMissing(relationship, owner, place)
      }
      return nil
    }
    // A stub that another relationship made is no record that anybody has brought. Rule: `relationships.weak`.
    if relationship.stubs == .never, graph.storedRow(record) == nil, row.isStub {
      reportMissing(relationship, owner, place)
      return nil
    }
    guard schema.isKind(row.entity, of: relationship.destination) else {
      report(
        .entityMismatch, entity: owner, property: relationship.name, at: place,
        "the record is a '\(schema.entities[row.entity].name)', and the relationship leads to '\(schema.entities[relationship.destination].name)'"
      )
      return nil
    }
    return record
  }

  private mutating func reportMissing(
    _ relationship: SchemaRelationship, _ owner: EntityIndex, _ place: JSONNode?
  ) {
    report(
      .missingReference, entity: owner, property: relationship.name, at: place,
      "no record with this key is stored or brought by the response")
  }

  // MARK: Lists

  private mutating func addMembers(_ list: MemberList, _ statements: inout RelationshipStatements)
    throws(StoreError)
  {
    let inverse =
      schema.relationships[list.relationship].isInverseToOne
      ? schema.relationships[list.relationship].inverse : nil
    for member in list.members {
      if let inverse {
        let end = RelationshipEnd(relationship: inverse, owner: member)
        if let stated = statements.toOnes[end], stated.record != list.owner { continue }
        claim(end, by: list.owner, list.relationship, list.entity, list.node, &statements)
      }
      try graph.addMember(member, to: list.relationship, of: list.owner)
    }
  }

  /// Two owners of one record through a to-one: the last one counts, and that is reported.
  private mutating func claim(
    _ end: RelationshipEnd, by owner: RecordID, _ relationship: RelationshipIndex, _ entity: EntityIndex,
    _ node: NodePlace?,
    _ statements: inout RelationshipStatements
  ) {
    if let other = statements.claims.set(end, owner), other != owner {
      report(
        .inconsistentLinks, entity: entity, property: schema.relationships[relationship].name,
        at: self.node(at: node),
        "another record of the response claims the same record; the last one counts")
    }
  }

  /// Whether a record names the owner of a list itself.
  func states(_ member: RecordID, _ list: MemberList, _ statements: RelationshipStatements) -> Bool {
    guard let inverse = schema.relationships[list.relationship].inverse else { return false }
    let end = RelationshipEnd(relationship: inverse, owner: member)
    if schema.relationships[inverse].isToMany {
      return statements.named[end]?.contains(list.owner) ?? false
    }
    return statements.toOnes[end]?.record == list.owner
  }

  /// Whether the response gives a member another owner, by its own word or by another list.
  func hasNewOwner(_ member: RecordID, _ inverse: RelationshipIndex, _ statements: RelationshipStatements)
    -> Bool
  {
    let end = RelationshipEnd(relationship: inverse, owner: member)
    return statements.toOnes[end] != nil || statements.claimed.contains(end)
  }

  /// With `replace`, an ordered relationship takes the response's order. Rule: `relationships.ordered`.
  private mutating func order(_ list: MemberList) throws(StoreError) {
    guard schema.relationships[list.relationship].isOrdered, list.replaces else { return }
    let present = try graph.members(of: list.relationship, owner: list.owner)
    let isPresent = Set(present)
    let named = Set(list.members)
    try graph.setOrder(
      list.members.filter(isPresent.contains) + present.filter { !named.contains($0) },
      of: list.relationship, owner: list.owner)
  }

  // MARK: To-ones

  private mutating func setToOne(
    _ end: RelationshipEnd, _ target: ToOneTarget, _ statements: inout RelationshipStatements
  ) throws(StoreError) {
    if let inverse = schema.relationships[end.relationship].inverse, !schema.relationships[inverse].isToMany {
      // A one-to-one can be stated from both sides.
      let other = RelationshipEnd(relationship: inverse, owner: target.record)
      let relationship = end.relationship
      claim(end, by: target.record, relationship, target.entity, target.node, &statements)
      claim(other, by: end.owner, relationship, target.entity, target.node, &statements)
    }
    try graph.setToOne(end.relationship, of: end.owner, to: target.record)
  }
}
