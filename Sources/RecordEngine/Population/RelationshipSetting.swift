import OrderedCollections
import RecordModel

/// Sets relationships, both sides at once. Rules: `population.relationships`, `relationships.*`.
///
/// What records say of themselves is applied in one order: nulls, then lists, then to-ones, so that a to-one stated by a
/// record itself beats membership in another's list (rule `relationships.conflict`).
struct RelationshipSetting: ~Copyable {
  private let report: PopulationReport
  private let schema: Schema
  private let statements: RelationshipStatements
  private var result: PopulatedGraph
  /// Who has claimed a record through a to-one on its side, by that side.
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
    var replacement = MemberReplacement(statements, report)
    if statements.replaces { try replacement.removeOthers(from: &result) }
    for list in statements.lists { try addMembers(list) }
    for (end, target) in statements.toOnes.elements { try setToOne(end, target) }
    try replacement.removeLeaving(from: &result)
    for list in statements.lists { try order(list) }
  }

  // MARK: Preparing

  /// Asks the store for all that setting needs, a relationship at a time and never a record at a time.
  private mutating func prepare() throws(StoreError) {
    result.graph.links.reserveCapacity(statements.lists.reduce(0) { $0 + $1.members.count })
    var listsByRelationship = Array(repeating: [Int](), count: schema.relationships.count)
    for (position, list) in statements.lists.enumerated() {
      // In a new record's there is nothing that the store could know.
      if !result.graph.isNew(list.owner) { listsByRelationship[for: list.relationship].append(position) }
    }
    for index in schema.relationships.elementIndices where !listsByRelationship[for: index].isEmpty {
      try prepare(listsByRelationship[for: index].map { statements.lists[$0] }, of: index)
    }
    // A one-to-one takes both ends from whoever had them.
    var former: [RecordID] = []
    for end in statements.nulls { noteFormer(end, nil, &former) }
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
    guard schema.relationships[end.relationship].isInverseToOne,
      let slot = schema.relationships[end.relationship].slot,
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

  /// Two owners of one record through a to-one: the last one counts, and that is reported.
  private mutating func claim(
    _ end: RelationshipEnd, by owner: RecordID, _ relationship: RelationshipIndex, _ entity: EntityIndex,
    _ position: PopulationReport.Position?
  ) {
    if let other = claims.set(end, owner), other != owner {
      report.add(
        .inconsistentLinks, entity: entity, property: schema.relationships[relationship].name,
        at: report.node(at: position),
        "another record of the response claims the same record; the last one counts")
    }
  }

  /// With `replace`, an ordered relationship takes the response's order. Rule: `relationships.ordered`.
  private mutating func order(_ list: RelationshipStatements.MemberList) throws(StoreError) {
    guard list.replaces, schema.relationships[list.relationship].isOrdered else { return }
    let present = try result.graph.members(of: list.relationship, owner: list.owner)
    let isPresent = Set(present)
    let named = Set(list.members)
    try result.graph.setOrder(
      list.members.filter(isPresent.contains) + present.filter { !named.contains($0) },
      of: list.relationship, owner: list.owner)
  }

  // MARK: To-ones

  private mutating func setToOne(
    _ end: RelationshipEnd, _ target: RelationshipStatements.ToOneTarget
  ) throws(StoreError) {
    let relationship = end.relationship
    if let inverse = schema.relationships[relationship].inverse, !schema.relationships[inverse].isToMany {
      // A one-to-one can be stated from both sides.
      let other = RelationshipEnd(relationship: inverse, owner: target.record)
      claim(end, by: target.record, relationship, target.entity, target.position)
      claim(other, by: end.owner, relationship, target.entity, target.position)
    }
    try result.graph.setToOne(relationship, of: end.owner, to: target.record)
  }
}
