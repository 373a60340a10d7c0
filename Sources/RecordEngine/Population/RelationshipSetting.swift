import OrderedCollections
import RecordModel

/// The phase that sets relationships, both sides at once. Rules: `population.relationships`, `relationships.*`.
///
/// The statements of records are applied in this order: nulls, lists, to-ones. A to-one that a record states itself
/// therefore takes precedence over membership in the list of another record (rule `relationships.conflict`).
struct RelationshipSetting: ~Copyable {
  private let report: PopulationReport
  private let schema: Schema
  private let statements: RelationshipStatements
  private var result: PopulatedGraph
  /// For each to-one of a member, the record that has claimed the member.
  private var claims = RelationshipEndTable<RecordID>()

  static func run(
    _ filled: consuming PopulatedGraph, _ report: PopulationReport
  ) throws(StoreError) -> PopulatedGraph {
    try RelationshipSetting(filled, report).result
  }

  private init(_ filled: consuming PopulatedGraph, _ report: PopulationReport) throws(StoreError) {
    self.report = report
    schema = report.population.schema
    let gathering = StatementGathering(filled, report)
    statements = gathering.statements
    result = gathering.populated
    try prepare()
    for null in statements.nulls { try result.graph.setToOne(null.relationship, of: null.owner, to: nil) }
    for (end, member) in statements.tombstones { try link(member, to: end) }
    var replacement = MemberReplacement(statements, report)
    if statements.replaces { try replacement.removeOthers(from: &result) }
    for list in statements.lists { try addMembers(list) }
    for (end, target) in statements.toOnes.elements { try setToOne(end, target) }
    try replacement.removeLeaving(from: &result)
    for list in statements.lists { try order(list) }
  }

  // MARK: Preparing

  /// Reads all records that the following steps need, with one query for each relationship.
  private mutating func prepare() throws(StoreError) {
    result.graph.links.reserveCapacity(statements.lists.reduce(0) { $0 + $1.members.count })
    var listsByRelationship = Array(repeating: [Int](), count: schema.relationships.count)
    for (position, list) in statements.lists.enumerated() {
      // The store has no members of new records.
      if !result.graph.isNew(list.owner) { listsByRelationship[for: list.relationship].append(position) }
    }
    for index in schema.relationships.elementIndices where !listsByRelationship[for: index].isEmpty {
      try prepare(listsByRelationship[for: index].map { statements.lists[$0] }, of: index)
    }
    let tombstones = Dictionary(grouping: statements.tombstones, by: \.end.relationship)
    for (relationship, links) in tombstones.sorted(by: { $0.key < $1.key })
    where schema.relationships[relationship].isToMany && !schema.relationships[relationship].isInverseToOne {
      try result.graph.prepareMemberships(of: relationship, links.lazy.map { ($0.end.owner, $0.member) })
    }
    // Linking a one-to-one relationship also unlinks the former partners of both ends.
    var former: [RecordID] = []
    for end in statements.nulls { noteFormer(end, nil, &former) }
    for (end, member) in statements.tombstones { noteFormer(end, member, &former) }
    for (end, target) in statements.toOnes.elements { noteFormer(end, target.record, &former) }
    try result.graph.load(former)
  }

  private mutating func prepare(
    _ lists: [RelationshipStatements.MemberList], of relationship: RelationshipIndex
  ) throws(StoreError) {
    if lists.contains(where: \.replaces) {
      let owners = lists.filter(\.replaces).map(\.owner)
      try result.graph.prepareMembers(of: relationship, owners: owners)
      var members: [RecordID] = []
      for owner in owners { members += try result.graph.members(of: relationship, owner: owner) }
      try result.graph.load(members)
    }
    if !schema.relationships[relationship].isInverseToOne {
      try result.graph.prepareMemberships(
        of: relationship, lists.lazy.flatMap { list in list.members.lazy.map { (list.owner, $0) } })
    }
  }

  private func noteFormer(_ end: RelationshipEnd, _ target: RecordID?, _ former: inout [RecordID]) {
    guard let slot = schema.relationships[end.relationship].slot,
      let inverse = schema.relationships[end.relationship].inverse,
      let inverseSlot = schema.relationships[inverse].slot
    else { return }
    for (record, slot) in [(end.owner, slot), (target, inverseSlot)] {
      if let recordIndex = record.flatMap({ result.graph.knownIndex(of: $0) }),
        let partner = result.graph.records[recordIndex].row.toOnes[slot]
      {
        former.append(partner)
      }
    }
  }

  // MARK: Lists

  private mutating func addMembers(_ list: RelationshipStatements.MemberList) throws(StoreError) {
    let inverse =
      schema.relationships[list.relationship].isInverseToOne
      ? schema.relationships[list.relationship].inverse : nil
    for member in list.members {
      if let inverse {
        let end = RelationshipEnd(relationship: inverse, owner: member)
        if let stated = statements.toOnes[end], stated.record != list.owner { continue }
        claim(end, by: list.owner, list.relationship, list.entity, list.position)
      }
      try result.graph.addMember(member, to: list.relationship, of: list.owner)
    }
  }

  /// Records the owner of a to-one. If two owners claim the same record, the last one counts, and a diagnostic reports
  /// it.
  private mutating func claim(
    _ end: RelationshipEnd, by owner: RecordID, _ relationship: RelationshipIndex, _ entity: EntityIndex,
    _ position: PopulationReport.Position?
  ) {
    if let other = claims.set(end, owner), other != owner {
      report.add(
        .inconsistentLinks, entity: entity, property: schema.relationships[relationship].name,
        at: report.node(at: position),
        "another record of the response links to the same record; the last link is used")
    }
  }

  /// Applies the order of the response to an ordered relationship with `replace`. Rule: `relationships.ordered`.
  private mutating func order(_ list: RelationshipStatements.MemberList) throws(StoreError) {
    guard list.replaces, schema.relationships[list.relationship].isOrdered else { return }
    let present = try result.graph.members(of: list.relationship, owner: list.owner)
    let isPresent = Set(present)
    let named = Set(list.members)
    try result.graph.setOrder(
      list.members.filter(isPresent.contains) + present.filter { !named.contains($0) },
      of: list.relationship, owner: list.owner)
  }

  // MARK: Tombstones

  private mutating func link(_ member: RecordID, to end: RelationshipEnd) throws(StoreError) {
    if schema.relationships[end.relationship].isToMany {
      try result.graph.addMember(member, to: end.relationship, of: end.owner)
    } else {
      try result.graph.setToOne(end.relationship, of: end.owner, to: member)
    }
  }

  // MARK: To-ones

  private mutating func setToOne(
    _ end: RelationshipEnd, _ target: RelationshipStatements.ToOneTarget
  ) throws(StoreError) {
    let relationship = end.relationship
    if let inverse = schema.relationships[relationship].inverse, !schema.relationships[inverse].isToMany {
      // Both sides can state a one-to-one relationship.
      let other = RelationshipEnd(relationship: inverse, owner: target.record)
      claim(end, by: target.record, relationship, target.entity, target.position)
      claim(other, by: end.owner, relationship, target.entity, target.position)
    }
    try result.graph.setToOne(relationship, of: end.owner, to: target.record)
  }
}
