import Foundation
import OrderedCollections
import RecordModel

/// One way in which a record is not what the model wants. Rule: `save.validation`.
struct ValidationProblem: Hashable, Sendable {
  var entity: EntityName
  var property: PropertyName
  var record: RecordID
  /// One sentence: `'title' is required`.
  var message: String
}

extension WorkingGraph {
  /// Everything that keeps the changes from being saved, in the order of the records.
  mutating func validate(_ changes: ChangeSet) throws(StoreError) -> [ValidationProblem] {
    var problems: [ValidationProblem] = []
    for row in changes.inserted + changes.updated.map(\.after) {
      checkNumbers(row, &problems)
      if !row.isStub { check(row, &problems) }
    }
    for end in try countedEnds(changes) {
      if let row = knownRow(end.owner), !row.isStub { try check(end, row, &problems) }
    }
    return problems
  }

  /// The to-many relationships whose count may be wrong, with their owners and members read in one go for each.
  private mutating func countedEnds(_ changes: ChangeSet) throws(StoreError) -> OrderedSet<RelationshipEnd> {
    var ends: OrderedSet<RelationshipEnd> = []
    let filled = changes.updated.filter { $0.before.isStub && !$0.after.isStub }.map(\.after)
    for row in changes.inserted + filled {
      for relationship in schema.entities[row.entity].relationships where isCounted(relationship) {
        ends.append(RelationshipEnd(relationship: relationship, owner: row.id))
      }
    }
    for relationship in schema.relationships.indices where isCounted(relationship) {
      for owner in ownersWithMemberChanges(of: relationship) {
        ends.append(RelationshipEnd(relationship: relationship, owner: owner))
      }
    }
    try load(ends.map(\.owner))
    for (relationship, ends) in Dictionary(grouping: ends, by: \.relationship).sorted(by: { $0.key < $1.key })
    {
      try prepareMembers(of: relationship, owners: ends.map(\.owner))
    }
    return ends
  }

  private func isCounted(_ relationship: Int) -> Bool {
    let value = schema.relationships[relationship]
    return value.isToMany && (!value.isOptional || value.minCount > 0 || value.maxCount > 0)
  }

  /// What is no number has no place in a file, nor in JSON.
  private func checkNumbers(_ row: Row, _ problems: inout [ValidationProblem]) {
    let entity = schema.entities[row.entity]
    for attribute in entity.attributes {
      let isNumber: Bool
      switch row.values[attribute.column] {
      case .double(let value): isNumber = value.isFinite
      case .date(let value): isNumber = value.timeIntervalSinceReferenceDate.isFinite
      case .decimal(let value): isNumber = value.isFinite
      default: continue
      }
      guard !isNumber else { continue }
      problems.append(
        ValidationProblem(
          entity: entity.name, property: attribute.name, record: row.id,
          message: "'\(attribute.name)' is infinite or not a number"))
    }
  }

  private func check(_ row: Row, _ problems: inout [ValidationProblem]) {
    let entity = schema.entities[row.entity]
    // A record without key is reported where its item is read, and is no failure. Rule: `identity.missing`.
    var keys: [Int] = []
    if case .attributes(let positions) = entity.key { keys = positions }
    for (position, attribute) in entity.attributes.enumerated()
    where !attribute.isOptional && row.values[attribute.column] == nil && !keys.contains(position) {
      problems.append(
        ValidationProblem(
          entity: entity.name, property: attribute.name, record: row.id,
          message: "'\(attribute.name)' is required"))
    }
    for index in entity.relationships {
      let relationship = schema.relationships[index]
      guard let slot = relationship.slot, !relationship.isOptional, row.toOnes[slot] == nil else { continue }
      problems.append(
        ValidationProblem(
          entity: entity.name, property: relationship.name, record: row.id,
          message: "'\(relationship.name)' is required"))
    }
  }

  /// A minimum on an optional relationship binds only when it is not empty. Rule: `model.optional-count`.
  private mutating func check(
    _ end: RelationshipEnd, _ row: Row, _ problems: inout [ValidationProblem]
  ) throws(StoreError) {
    let relationship = schema.relationships[end.relationship]
    let count = try members(of: end.relationship, owner: end.owner).count
    var message: String?
    if count == 0 {
      message = relationship.isOptional ? nil : "'\(relationship.name)' is required"
    } else if count < relationship.minCount {
      message =
        "'\(relationship.name)' has \(count) members, and at least \(relationship.minCount) are required"
    } else if relationship.maxCount > 0, count > relationship.maxCount {
      message =
        "'\(relationship.name)' has \(count) members, and at most \(relationship.maxCount) are allowed"
    }
    guard let message else { return }
    problems.append(
      ValidationProblem(
        entity: schema.entities[row.entity].name, property: relationship.name, record: row.id,
        message: message))
  }
}
