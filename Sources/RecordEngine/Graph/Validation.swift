import OrderedCollections
import RecordModel

/// A violation of the model by a record. Rule: `save.validation`.
struct ValidationProblem: Hashable, Sendable {
  var entity: EntityName
  var property: PropertyName
  var record: RecordID
  /// The message as one clause, such as `'title' of 'Post/1' is required`.
  var message: String
}

extension WorkingGraph {
  /// Returns all violations that prevent a save of the changes, in the order of the records.
  mutating func validate(_ changes: ChangeSet) throws(StoreError) -> [ValidationProblem] {
    var violations: [Violation] = []
    var checklists = Checklists(schema)
    let excused = try endsOfNoActionRules(changes.deleted)
    for row in changes.inserted where !checklists.hold(for: row) && !mayBeEmpty(row) {
      check(row, excused, &violations)
    }
    for update in changes.updated
    where !checklists.hold(for: update.after) && !mayBeEmpty(update.after) {
      check(update.after, before: update.before, excused, &violations)
    }
    var ends = countedEnds(changes, &checklists)
    for (relationship, members) in relationshipsRequiring(changes.deleted) {
      let owners = OrderedSet(try reader.owners(of: relationship, members: members).joined())
      if relationship.isToMany {
        ends.append(contentsOf: owners.map { RelationshipEnd(relationship: relationship.index, owner: $0) })
      } else {
        try load(owners)
        // Changed records have been checked above.
        for index in owners.compactMap(knownIndex(of:))
        where !records[index].isChanged && !mayBeEmpty(records[index].row) {
          violations.append(Violation(records[index].row, relationship.name, "is required"))
        }
      }
    }
    try prepare(ends)
    for end in ends where !excused.contains(end) {
      // A record that has changed its entity may no longer have the relationship.
      let entity = schema.relationships[end.relationship].entity
      guard let row = knownRow(end.owner), schema.isKind(row.entity, of: entity), !mayBeEmpty(row) else {
        continue
      }
      try check(end, row, &violations)
    }
    let titles = try titles(of: violations.map(\.row))
    let denials = try denials(changes.deleted)
    let owners = try quotedTitles(of: denials.map(\.owner))
    return zip(violations, titles).map(problem) + zip(denials, owners).map(problem)
  }

  /// A violation before its message is written. The titles of all records are read together.
  private struct Violation {
    var row: Row
    var property: PropertyName
    /// The predicate of the message, such as `is required`.
    var predicate: String

    init(_ row: Row, _ property: PropertyName, _ predicate: String) {
      (self.row, self.property, self.predicate) = (row, property, predicate)
    }
  }

  /// Returns a violation with its message: `'title' of 'Post/1' is required`. A record without a title is not named.
  private func problem(_ violation: Violation, of title: String?) -> ValidationProblem {
    let (row, property) = (violation.row, violation.property)
    let owner = title.map { " of '\($0)'" } ?? ""
    return ValidationProblem(
      entity: schema.entities[row.entity].name, property: property, record: row.id,
      message: "'\(property)'\(owner) \(violation.predicate)")
  }

  /// The violation of a `deny` rule by a deletion.
  private struct Denial {
    /// The deleted record, as it is stored.
    var owner: Row
    var relationship: RelationshipIndex
    var count: Int
  }

  /// Returns the violation of a `deny` rule. Rule: `save.delete-rules`.
  private func problem(_ denial: Denial, by quotedTitle: String) -> ValidationProblem {
    let relationship = schema.relationships[denial.relationship]
    let members = denial.count == 1 ? "a record" : "\(denial.count) records"
    return ValidationProblem(
      entity: schema.entities[denial.owner.entity].name, property: relationship.name, record: denial.owner.id,
      message: "\(quotedTitle) cannot be deleted while '\(relationship.name)' contains \(members)")
  }

  /// Returns the violated `deny` rules of deleted records: those whose members have neither been deleted nor moved to other
  /// records.
  private mutating func denials(_ deleted: [Row]) throws(StoreError) -> [Denial] {
    var denials: [Denial] = []
    for (relationship, owners) in relationships(of: deleted, with: .deny) {
      let inverseSlot = relationship.inverse.flatMap { schema.relationships[$0].slot }
      try prepareMembers(of: relationship.index, owners: relationship.isToMany ? owners.map(\.id) : [])
      for owner in owners {
        var count = 0
        if relationship.isToMany {
          count = try members(of: relationship.index, owner: owner.id).count
        } else if let slot = relationship.slot, let index = indices[owner.id],
          let member = records[index].row.toOnes[slot], let row = try row(member)
        {
          count = inverseSlot.map { row.toOnes[$0] == owner.id } ?? true ? 1 : 0
        }
        if count > 0 { denials.append(Denial(owner: owner, relationship: relationship.index, count: count)) }
      }
    }
    return denials
  }

  /// Returns the relationships that deletions with `noAction` rules have emptied. They may be empty although they are
  /// required.
  private func endsOfNoActionRules(_ deleted: [Row]) throws(StoreError) -> Set<RelationshipEnd> {
    var ends: Set<RelationshipEnd> = []
    for (relationship, owners) in relationships(of: deleted, with: .noAction) {
      guard let inverse = relationship.inverse else { continue }
      let members =
        if let slot = relationship.slot {
          owners.compactMap { $0.toOnes[slot] }
        } else {
          Array(try reader.members(of: relationship.index, owners: owners.map(\.id)).joined())
        }
      ends.formUnion(members.lazy.map { RelationshipEnd(relationship: inverse, owner: $0) })
    }
    return ends
  }

  /// Returns the relationships of records that have a delete rule, each with the records.
  private func relationships(
    of rows: [Row], with rule: DeleteRule
  ) -> [(relationship: SchemaRelationship, owners: [Row])] {
    if rows.isEmpty { return [] }
    return schema.relationships.filter { $0.deleteRule == rule }.compactMap { relationship in
      let owners = rows.filter { schema.isKind($0.entity, of: relationship.entity) }
      return owners.isEmpty ? nil : (relationship, owners)
    }
  }

  /// Returns a Boolean value that indicates whether a record may lack all properties except its key. This holds for
  /// stubs: a later save finds a stub by its key and fills it.
  func mayBeEmpty(_ row: Row) -> Bool {
    guard row.isStub else { return false }
    let entity = schema.entities[row.entity]
    switch entity.key {
    case .none: return false
    case .attributes(let positions):
      return positions.allSatisfy { row.values[entity.attributes[$0].column] != nil }
    case .relationship(let relationship):
      // A stub that has lost its parent must not prevent the deletion of the parent.
      return schema.relationships[relationship].slot.map { row.toOnes[$0] != nil } ?? false || !isNew(row.id)
    }
  }

  /// Returns the to-many relationships whose member counts may have become invalid through changes of owners or
  /// members.
  private mutating func countedEnds(
    _ changes: ChangeSet, _ checklists: inout Checklists
  ) -> OrderedSet<RelationshipEnd> {
    var ends: OrderedSet<RelationshipEnd> = []
    func note(_ row: Row) {
      for relationship in checklists.counted(in: row.entity) {
        ends.append(RelationshipEnd(relationship: relationship, owner: row.id))
      }
    }
    for row in changes.inserted { note(row) }
    for update in changes.updated
    where update.before.isStub && !update.after.isStub || update.before.entity != update.after.entity {
      note(update.after)
    }
    for relationship in schema.relationships.elementIndices where schema.countsMembers(of: relationship) {
      for owner in ownersWithMemberChanges(of: relationship) {
        ends.append(RelationshipEnd(relationship: relationship, owner: owner))
      }
    }
    return ends
  }

  /// Reads the owners of ends, and their members with one query for each relationship.
  mutating func prepare(_ ends: some Sequence<RelationshipEnd>) throws(StoreError) {
    try load(ends.lazy.map(\.owner))
    for (relationship, ends) in Dictionary(grouping: ends, by: \.relationship).sorted(by: { $0.key < $1.key })
    {
      try prepareMembers(of: relationship, owners: ends.map(\.owner))
    }
  }

  /// A fast check that nearly all rows of an entity pass.
  private struct Checklist {
    var requiredColumns: [ColumnIndex]
    var numberColumns: [ColumnIndex]
    var requiredSlots: [SlotIndex]
    /// The to-many relationships whose members are counted.
    var counted: [RelationshipIndex]

    init(_ entity: SchemaEntity, _ schema: Schema) {
      requiredColumns = entity.attributes.filter { !$0.isOptional }.map(\.column)
      numberColumns = entity.attributes.filter(\.type.hasNumbersThatAreNotFinite).map(\.column)
      requiredSlots = entity.relationships.compactMap { index in
        schema.relationships[index].isOptional ? nil : schema.relationships[index].slot
      }
      counted = entity.relationships.filter { schema.countsMembers(of: $0) }
    }

    /// Returns false if `check` may find a problem in a row.
    func holds(for row: Row) -> Bool {
      for column in requiredColumns where row.values[column] == nil { return false }
      for column in numberColumns {
        if let value = row.values[column], !value.isFinite { return false }
      }
      for slot in requiredSlots where row.toOnes[slot] == nil { return false }
      return true
    }
  }

  /// The checklists of the entities of a change set. A model can have many more entities.
  private struct Checklists {
    private let schema: Schema
    private var made: [Checklist?]

    init(_ schema: Schema) {
      self.schema = schema
      made = Array(repeating: nil, count: schema.entities.count)
    }

    private mutating func make(_ entity: EntityIndex) {
      if case nil = made[for: entity] { made[for: entity] = Checklist(schema.entities[entity], schema) }
    }

    /// Returns false if `check` may find a problem in a row.
    mutating func hold(for row: Row) -> Bool {
      make(row.entity)
      return made[for: row.entity]?.holds(for: row) ?? false
    }

    mutating func counted(in entity: EntityIndex) -> [RelationshipIndex] {
      make(entity)
      return made[for: entity]?.counted ?? []
    }
  }

  /// Checks the values and the to-one relationships of a record.
  ///
  /// - Parameters:
  ///   - before: the stored row of the record; nil if it is new.
  ///   - excused: the relationships that may be empty although they are required.
  private func check(
    _ row: Row, before: Row? = nil, _ excused: Set<RelationshipEnd>, _ violations: inout [Violation]
  ) {
    // Stubs, and records of another entity, need not have met these requirements.
    let validBefore = before.flatMap { $0.isStub || $0.entity != row.entity ? nil : $0 }
    let entity = schema.entities[row.entity]
    // A missing key is reported when the item is read, and is not a violation. Rule: `identity.missing`.
    var keys: [AttributeIndex] = []
    if case .attributes(let positions) = entity.key { keys = positions }
    for (position, attribute) in entity.attributes.indexed
    where !attribute.isOptional && row.values[attribute.column] == nil && !keys.contains(position) {
      violations.append(Violation(row, attribute.name, "is required"))
    }
    for attribute in entity.attributes where !(row.values[attribute.column]?.isFinite ?? true) {
      violations.append(Violation(row, attribute.name, "is not a finite number"))
    }
    for index in entity.relationships {
      let relationship = schema.relationships[index]
      guard let slot = relationship.slot, !relationship.isOptional, row.toOnes[slot] == nil,
        !excused.contains(RelationshipEnd(relationship: index, owner: row.id))
      else { continue }
      // A deletion with a `noAction` rule has emptied the relationship in an earlier save.
      if let validBefore, validBefore.toOnes[slot] == nil { continue }
      violations.append(Violation(row, relationship.name, "is required"))
    }
  }

  /// Checks the number of members. The minimum of an optional relationship applies only if the relationship is not
  /// empty. Rule: `model.optional-count`.
  private mutating func check(
    _ end: RelationshipEnd, _ row: Row, _ violations: inout [Violation]
  ) throws(StoreError) {
    let relationship = schema.relationships[end.relationship]
    let count = try members(of: end.relationship, owner: end.owner).count
    let noun = count == 1 ? "member" : "members"
    var predicate: String?
    if count == 0 {
      predicate = relationship.isOptional ? nil : "is required"
    } else if count < relationship.minCount {
      predicate = "has \(count) \(noun), and at least \(relationship.minCount) are required"
    } else if relationship.maxCount > 0, count > relationship.maxCount {
      predicate =
        "has \(count) \(noun), and at most \(relationship.maxCount) \(relationship.maxCount == 1 ? "is" : "are") allowed"
    }
    if let predicate { violations.append(Violation(row, relationship.name, predicate)) }
  }
}

extension Schema {
  /// Returns a Boolean value that indicates whether the model limits the number of members of a to-many relationship.
  fileprivate func countsMembers(of relationship: RelationshipIndex) -> Bool {
    relationships[relationship].isToMany
      && (!relationships[relationship].isOptional || relationships[relationship].minCount > 0
        || relationships[relationship].maxCount > 0)
  }
}
