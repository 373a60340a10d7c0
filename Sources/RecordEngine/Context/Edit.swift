import RecordModel

/// One change that is not saved yet. It says what was meant, so that it can be made again on newer data.
enum Edit: Sendable {
  /// A new record, without its to-ones.
  case insert(Row)
  case setValue(RecordID, column: Int, AttributeValue?)
  /// A stub of which more than the key is known now.
  case fill(RecordID)
  case changeEntity(RecordID, to: Int)
  case setToOne(RecordID, relationship: Int, RecordID?)
  case addMember(RecordID, relationship: Int, RecordID)
  case removeMember(RecordID, relationship: Int, RecordID)
  /// The order that members are to have; others stand behind them.
  case order(RecordID, relationship: Int, [RecordID])
  /// Its delete rules are judged when it is made again, over all that is deleted by then.
  case delete(RecordID)
}

/// An edit, and who made it: what a hand has changed stays when a response says otherwise (rule `context.conflict`).
struct UnsavedEdit: Sendable {
  var edit: Edit
  var isByHand: Bool
}

extension Edit {
  /// The records that it is about and that are not made by it.
  var records: [RecordID] {
    switch self {
    case .insert: []
    case .setValue(let id, _, _), .fill(let id), .changeEntity(let id, _), .delete(let id): [id]
    case .setToOne(let id, _, let target): [id] + (target.map { [$0] } ?? [])
    case .addMember(let id, _, let member), .removeMember(let id, _, let member): [id, member]
    case .order(let id, _, let members): [id] + members
    }
  }

  /// The edit with records that have become others.
  func replacing(_ successors: [RecordID: RecordID]) -> Edit {
    func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
    return switch self {
    case .insert: self
    case .setValue(let id, let column, let value): .setValue(now(id), column: column, value)
    case .fill(let id): .fill(now(id))
    case .changeEntity(let id, let entity): .changeEntity(now(id), to: entity)
    case .setToOne(let id, let relationship, let target):
      .setToOne(now(id), relationship: relationship, target.map(now))
    case .addMember(let id, let relationship, let member):
      .addMember(now(id), relationship: relationship, now(member))
    case .removeMember(let id, let relationship, let member):
      .removeMember(now(id), relationship: relationship, now(member))
    case .order(let id, let relationship, let members):
      .order(now(id), relationship: relationship, members.map(now))
    case .delete(let id): .delete(now(id))
    }
  }

  /// The relationship that it changes, as one record has it.
  var relationshipEnd: RelationshipEnd? {
    switch self {
    case .insert, .setValue, .fill, .changeEntity, .delete: nil
    case .setToOne(let id, let relationship, _), .addMember(let id, let relationship, _),
      .removeMember(let id, let relationship, _), .order(let id, let relationship, _):
      RelationshipEnd(relationship: relationship, owner: id)
    }
  }
}

extension [UnsavedEdit] {
  /// The edits without what a later one sets again, so that typing in a field or toggling a link does not pile them up.
  ///
  /// A link is set again only where nothing but the last time counts: an ordered list remembers when a member came, and
  /// a one-to-one from whom its ends were taken.
  func withoutOverwritten(_ schema: Schema) -> [UnsavedEdit] {
    var values: Set<ValuePlace> = []
    var toOnes: Set<RelationshipEnd> = []
    var added: Set<Member> = []
    func isLast(_ edit: Edit) -> Bool {
      switch edit {
      case .insert, .fill, .changeEntity, .order, .delete: return true
      case .setValue(let id, let column, _):
        return values.insert(ValuePlace(record: id, column: column)).inserted
      case .setToOne(let id, let relationship, _):
        let value = schema.relationships[relationship]
        if value.inverse.map({ schema.relationships[$0].isOrdered || value.isInverseToOne }) ?? false {
          return true
        }
        return toOnes.insert(RelationshipEnd(relationship: relationship, owner: id)).inserted
      case .addMember(let id, let relationship, let member):
        guard !isOrdered(relationship) else { return true }
        return added.insert(Member(relationship: relationship, owner: id, member: member)).inserted
      case .removeMember(let id, let relationship, let member):
        guard !isOrdered(relationship) else { return true }
        return !added.contains(Member(relationship: relationship, owner: id, member: member))
      }
    }
    func isOrdered(_ relationship: Int) -> Bool {
      let value = schema.relationships[relationship]
      return value.isOrdered || value.inverse.map { schema.relationships[$0].isOrdered } ?? false
    }
    return reversed().filter { isLast($0.edit) }.reversed()
  }
}

private struct Member: Hashable {
  var relationship: Int
  var owner: RecordID
  var member: RecordID
}

extension ChangeSet {
  /// What makes these changes again on other data, value by value and link by link.
  func edits(_ schema: Schema) -> [Edit] {
    var edits: [Edit] = []
    for row in inserted {
      var bare = row
      bare.toOnes = Array(repeating: nil, count: row.toOnes.count)
      edits.append(.insert(bare))
    }
    for update in updated { edits += attributeEdits(update, schema) }
    edits += unlinked.map { .removeMember($0.owner, relationship: $0.relationship, $0.member) }
    // Before the to-ones that say the same, because these come in no order of arrival.
    for ordering in orderings {
      edits += ordering.added.map {
        .addMember(ordering.owner, relationship: ordering.relationship, $0)
      }
    }
    for row in inserted { edits += toOneEdits(from: nil, to: row, schema) }
    for update in updated { edits += toOneEdits(from: update.before, to: update.after, schema) }
    edits += linked.map { .addMember($0.owner, relationship: $0.relationship, $0.member) }
    for ordering in orderings {
      guard let order = ordering.order else { continue }
      edits.append(.order(ordering.owner, relationship: ordering.relationship, order))
    }
    return edits + deleted.map { .delete($0.id) }
  }

  private func attributeEdits(_ update: Update, _ schema: Schema) -> [Edit] {
    let (before, after) = (update.before, update.after)
    var edits: [Edit] = []
    if before.entity != after.entity { edits.append(.changeEntity(after.id, to: after.entity)) }
    for attribute in schema.entities[after.entity].attributes {
      let column = attribute.column
      guard before.values[column] != after.values[column] else { continue }
      edits.append(.setValue(after.id, column: column, after.values[column]))
    }
    if before.isStub, !after.isStub { edits.append(.fill(after.id)) }
    return edits
  }

  private func toOneEdits(from before: Row?, to after: Row, _ schema: Schema) -> [Edit] {
    schema.trees[after.id.tree].toOnes.enumerated().compactMap { slot, relationship in
      guard before?.toOnes[slot] != after.toOnes[slot] else { return nil }
      return .setToOne(after.id, relationship: relationship, after.toOnes[slot])
    }
  }
}
