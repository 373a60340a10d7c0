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
    let checklists = schema.entities.map { Checklist($0, schema) }
    for row in changes.inserted where !row.isStub && !checklists[row.entity].holds(for: row) {
      check(row, &problems)
    }
    for update in changes.updated where !update.after.isStub {
      if !checklists[update.after.entity].holds(for: update.after) { check(update.after, &problems) }
    }
    for end in try countedEnds(changes) where !excused.contains(end) {
      if let row = knownRow(end.owner), !row.isStub { try check(end, row, &problems) }
    }
    return problems + denials.map(problem)
  }

  /// Rule: `save.delete-rules`.
  private func problem(_ denial: Denial) -> ValidationProblem {
    let entity = schema.entities[denial.owner.entity]
    let relationship = schema.relationships[denial.relationship]
    var record = "a '\(entity.name)'"
    if case .attributes(let positions) = entity.key, let key = denial.owner.key(in: schema) {
      let texts = zip(positions, key.values).map {
        $1.literal(type: entity.attributes[$0].type).compactText()
      }
      record = "the '\(entity.name)' with the key \(texts.joined(separator: ", "))"
    }
    let members = denial.count == 1 ? "a record" : "\(denial.count) records"
    return ValidationProblem(
      entity: entity.name, property: relationship.name, record: denial.owner.id,
      message: "\(record) cannot be deleted while '\(relationship.name)' leads to \(members)")
  }

  /// The to-many relationships whose count may be wrong, with their owners and members read in one go for each.
  private mutating func countedEnds(_ changes: ChangeSet) throws(StoreError) -> OrderedSet<RelationshipEnd> {
    var ends: OrderedSet<RelationshipEnd> = []
    let counted = schema.entities.map { $0.relationships.filter(isCounted) }
    func note(_ row: Row) {
      for relationship in counted[row.entity] {
        ends.append(RelationshipEnd(relationship: relationship, owner: row.id))
      }
    }
    for row in changes.inserted { note(row) }
    for update in changes.updated where update.before.isStub && !update.after.isStub { note(update.after) }
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

  /// What the rows of an entity are asked first, as nearly all of them are right.
  private struct Checklist {
    var requiredColumns: [Int]
    var numberColumns: [Int]
    var requiredSlots: [Int]

    init(_ entity: SchemaEntity, _ schema: Schema) {
      requiredColumns = entity.attributes.filter { !$0.isOptional }.map(\.column)
      numberColumns = entity.attributes.filter(\.type.hasNumbersThatAreNotFinite).map(\.column)
      requiredSlots = entity.relationships.compactMap { index in
        schema.relationships[index].isOptional ? nil : schema.relationships[index].slot
      }
    }

    /// Whether there is nothing for `check` to tell.
    func holds(for row: Row) -> Bool {
      for column in requiredColumns where row.values[column] == nil { return false }
      for column in numberColumns {
        if let value = row.values[column], !value.isFinite { return false }
      }
      for slot in requiredSlots where row.toOnes[slot] == nil { return false }
      return true
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
    for attribute in entity.attributes where !(row.values[attribute.column]?.isFinite ?? true) {
      problems.append(
        ValidationProblem(
          entity: entity.name, property: attribute.name, record: row.id,
          message: "'\(attribute.name)' is no finite number"))
    }
    for index in entity.relationships {
      let relationship = schema.relationships[index]
      guard let slot = relationship.slot, !relationship.isOptional, row.toOnes[slot] == nil,
        !excused.contains(RelationshipEnd(relationship: index, owner: row.id))
      else { continue }
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
