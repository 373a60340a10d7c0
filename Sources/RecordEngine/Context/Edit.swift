import RecordModel

/// One change made by hand in a context. It says what was meant, so that it can be made again on newer data.
enum Edit {
  case insert(RecordID, entity: Int)
  case setValue(RecordID, column: Int, AttributeValue?)
  case setToOne(RecordID, relationship: Int, RecordID?)
  case addMember(RecordID, relationship: Int, RecordID)
  case removeMember(RecordID, relationship: Int, RecordID)
  /// The order that members are to have; others stand behind them.
  case order(RecordID, relationship: Int, [RecordID])

  /// The records that it is about.
  var records: [RecordID] {
    switch self {
    case .insert: []
    case .setValue(let id, _, _): [id]
    case .setToOne(let id, _, let target): [id] + (target.map { [$0] } ?? [])
    case .addMember(let id, _, let member), .removeMember(let id, _, let member): [id, member]
    case .order(let id, _, let members): [id] + members
    }
  }
}

extension Edit {
  /// The relationship that it changes, as one record has it.
  var relationshipEnd: RelationshipEnd? {
    switch self {
    case .insert, .setValue: nil
    case .setToOne(let id, let relationship, _), .addMember(let id, let relationship, _),
      .removeMember(let id, let relationship, _), .order(let id, let relationship, _):
      RelationshipEnd(relationship: relationship, owner: id)
    }
  }
}

/// One attribute of one record.
private struct ValuePlace: Hashable {
  var record: RecordID
  var column: Int
}

extension [Edit] {
  /// The edits without values that a later one sets again, so that typing in a field does not pile them up.
  func withoutOverwrittenValues() -> [Edit] {
    var later: Set<ValuePlace> = []
    let kept = reversed().filter { edit in
      guard case .setValue(let id, let column, _) = edit else { return true }
      return later.insert(ValuePlace(record: id, column: column)).inserted
    }
    return kept.reversed()
  }
}

extension WorkingGraph {
  /// Makes a change. What it is about may have been deleted since: then there is nothing to change.
  mutating func apply(_ edit: Edit) throws(StoreError) {
    switch edit {
    case .insert(let id, let entity): insert(id, of: entity)
    case .setValue(let id, let column, let value):
      guard try row(id) != nil else { return }
      update(id) {
        $0.values[column] = value
        $0.isStub = false
      }
    case .setToOne(let id, let relationship, let target):
      guard try has(relationship, id) else { return }
      let isThere =
        try target.map { target throws(StoreError) in try mayLead(relationship, to: target) } ?? true
      try setToOne(relationship, of: id, to: isThere ? target : nil)
    case .addMember(let id, let relationship, let member):
      guard try has(relationship, id), try mayLead(relationship, to: member) else { return }
      try addMember(member, to: relationship, of: id)
    case .removeMember(let id, let relationship, let member):
      guard try has(relationship, id) else { return }
      try removeMember(member, from: relationship, of: id)
    case .order(let id, let relationship, let order):
      guard try has(relationship, id) else { return }
      let present = try members(of: relationship, owner: id)
      let isPresent = Set(present)
      let isOrdered = Set(order)
      try setOrder(
        order.filter(isPresent.contains) + present.filter { !isOrdered.contains($0) }, of: relationship,
        owner: id)
    }
  }

  /// Whether the record is there, and of an entity that the relationship leads to.
  private mutating func mayLead(_ relationship: Int, to id: RecordID) throws(StoreError) -> Bool {
    guard let row = try row(id) else { return false }
    return schema.isKind(row.entity, of: schema.relationships[relationship].destination)
  }

  /// Whether the record is there, and its entity still has the relationship.
  private mutating func has(_ relationship: Int, _ id: RecordID) throws(StoreError) -> Bool {
    guard let row = try row(id) else { return false }
    return schema.isKind(row.entity, of: schema.relationships[relationship].entity)
  }
}
