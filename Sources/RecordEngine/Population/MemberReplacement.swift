import RecordModel

/// The removal of members that a replacing list does not name, unless they name the owner themselves.
/// Rule: `relationships.replace`.
struct MemberReplacement {
  private let population: Population
  private let report: PopulationReport
  private let schema: Schema
  private let statements: RelationshipStatements
  /// The members to delete, because the relationship that they leave is their key. Each has the position of the list,
  /// in the order of the response.
  private var deleted: [(member: RecordID, list: Int)] = []
  /// For each inverse to-many with a minimum number of members, the owners of the lists with the positions of the
  /// lists.
  private var counted: [RelationshipEnd: [RecordID: Int]] = [:]

  /// The members that stay, with the reasons, to be reported together.
  private var staying: [Staying] = []

  private struct Staying {
    var code: DiagnosticCode
    var member: Row
    var list: RelationshipStatements.MemberList
    var reason: String
  }

  init(_ statements: RelationshipStatements, _ report: PopulationReport) {
    self.statements = statements
    population = report.population
    self.report = report
    schema = population.schema
  }

  /// Removes the members that can be removed regardless of the rest of the response. Collects the others for
  /// ``removeLeaving(from:)``.
  mutating func removeOthers(from populated: inout PopulatedGraph) throws(StoreError) {
    let brought = Set(populated.protos.lazy.compactMap(\.record))
    let gone = Set(populated.protos.lazy.filter(\.isTombstone).compactMap(\.record))
    for (position, list) in statements.lists.enumerated() where list.replaces {
      let inverse = schema.relationships[list.relationship].inverse.map { schema.relationships[$0] }
      // Tombstones are deleted later.
      let named = Set(list.members)
      let others = try populated.graph.members(of: list.relationship, owner: list.owner)
        .filter { !named.contains($0) && !gone.contains($0) }
      try populated.graph.load(others)
      for member in others where !statements.states(member, list) {
        guard let row = populated.graph.knownRow(member) else { continue }
        if let inverse, schema.entities[row.entity].key == .relationship(inverse.index),
          !brought.contains(member)
        {
          deleted.append((member, position))
        } else if let inverse, !inverse.isToMany, !inverse.isOptional,
          !statements.hasNewOwner(member, through: inverse.index)
        {
          keep(row, in: list, requiredFor: inverse)
        } else if let inverse, inverse.isToMany, inverse.leastCount > 0 {
          let end = RelationshipEnd(relationship: inverse.index, owner: member)
          counted[end, default: [:]][list.owner] = position
        } else {
          try populated.graph.removePresentMember(member, from: list.relationship, of: list.owner)
        }
      }
    }
  }

  /// Removes and deletes the collected members, after all other relationships of the response have been set.
  mutating func removeLeaving(from populated: inout PopulatedGraph) throws(StoreError) {
    let ends = counted.sorted { $0.key < $1.key }
    try populated.graph.prepare(ends.lazy.map(\.key))
    for (end, all) in ends {
      let inverse = schema.relationships[end.relationship]
      let owners = Set(try populated.graph.members(of: end.relationship, owner: end.owner))
      let lists = all.filter { owners.contains($0.key) }
      let row = populated.graph.knownRow(end.owner).flatMap { populated.graph.mayBeEmpty($0) ? nil : $0 }
      let isRequired = inverse.shortfall(of: owners.count - lists.count) > 0
      for (owner, position) in lists.sorted(by: { $0.key < $1.key }) {
        let list = statements.lists[position]
        if isRequired, let row {
          keep(row, in: list, requiredFor: inverse)
        } else {
          try populated.graph.removePresentMember(end.owner, from: list.relationship, of: owner)
        }
      }
    }
    try delete(from: &populated)
    try reportStaying(&populated.graph)
  }

  /// Deletes the members whose key is the relationship that they leave. They are judged together.
  private mutating func delete(from populated: inout PopulatedGraph) throws(StoreError) {
    guard !deleted.isEmpty else { return }
    let lists = Dictionary(deleted.map { ($0.member, $0.list) }, uniquingKeysWith: { first, _ in first })
    let brought = try populated.broughtRecords(population)
    for (row, hold) in try populated.graph.deleteUnlessHeld(deleted.map(\.member), sparing: brought) {
      guard let list = lists[row.id].map({ statements.lists[$0] }) else { continue }
      switch hold.reason {
      case .denied:
        keep(row, in: list, .deniedDeletion, "a delete rule denies its deletion")
      case .required:
        keep(row, in: list, .requiredOwner, "a remaining record requires it")
      }
    }
  }

  // MARK: Members that stay

  private mutating func keep(
    _ member: Row, in list: RelationshipStatements.MemberList, requiredFor inverse: SchemaRelationship
  ) {
    keep(member, in: list, .requiredOwner, "its '\(inverse.name)' is required")
  }

  private mutating func keep(
    _ member: Row, in list: RelationshipStatements.MemberList, _ code: DiagnosticCode, _ reason: String
  ) {
    staying.append(Staying(code: code, member: member, list: list, reason: reason))
  }

  private func reportStaying(_ graph: inout WorkingGraph) throws(StoreError) {
    for (staying, quotedTitle) in zip(staying, try graph.quotedTitles(of: staying.map(\.member))) {
      report.add(
        staying.code, entity: staying.list.entity,
        property: schema.relationships[staying.list.relationship].name,
        at: report.node(at: staying.list.position),
        "\(quotedTitle), which is missing in the response, was kept, because \(staying.reason)")
    }
  }
}
