import OrderedCollections
import RecordModel

extension WorkingGraph {
  /// Makes changes in order, deletions last, and asks the store for what they need in one go.
  ///
  /// Deletions come last so that a `deny` rule is judged over all that is deleted, and finds members gone that were
  /// moved elsewhere, before or after (rule `save.delete-rules`). For all other rules the order makes no difference: a
  /// deleted record is not to be linked or changed any more.
  mutating func apply(_ edits: [Edit]) throws(StoreError) {
    for case .insert(let row) in edits { insert(row) }
    try prepare(edits)
    var deleted: OrderedSet<RecordID> = []
    for edit in edits {
      switch edit {
      case .insert: break
      case .delete(let id): deleted.append(id)
      default: try apply(edit)
      }
    }
    if !deleted.isEmpty { try delete(Array(deleted)) }
  }

  /// Makes a change. What it is about may have been deleted since: then there is nothing to change.
  mutating func apply(_ edit: Edit) throws(StoreError) {
    switch edit {
    case .insert(let row): insert(row)
    case .setValue(let id, let column, let value):
      guard try row(id) != nil else { return }
      update(id) {
        $0.values[column] = value
        $0.isStub = false
      }
    case .fill(let id):
      guard try row(id) != nil else { return }
      update(id) { $0.isStub = false }
    case .changeEntity(let id, let entity): try changeEntity(of: id, to: entity)
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
    case .delete(let id): try delete([id])
    }
  }

  /// Asks for all that edits need, a relationship at a time and never an edit at a time.
  private mutating func prepare(_ edits: [Edit]) throws(StoreError) {
    try load(edits.lazy.flatMap(\.records))
    var memberships: [Int: [(owner: RecordID, member: RecordID)]] = [:]
    var ordered: [Int: [RecordID]] = [:]
    var partners: [RecordID] = []
    for edit in edits {
      switch edit {
      case .insert, .setValue, .fill, .changeEntity, .delete: break
      case .addMember(let id, let relationship, let member),
        .removeMember(let id, let relationship, let member):
        memberships[relationship, default: []].append((id, member))
      case .order(let id, let relationship, _): ordered[relationship, default: []].append(id)
      case .setToOne(let id, let relationship, let target):
        // A one-to-one takes both ends from whoever had them.
        let value = schema.relationships[relationship]
        guard value.isInverseToOne, let slot = value.slot,
          let inverseSlot = value.inverse.flatMap({ schema.relationships[$0].slot })
        else { continue }
        partners += [knownRow(id)?.toOnes[slot], target.flatMap { knownRow($0)?.toOnes[inverseSlot] }]
          .compactMap(\.self)
      }
    }
    try load(partners)
    for (relationship, pairs) in memberships.sorted(by: { $0.key < $1.key }) {
      try prepareMemberships(of: relationship, pairs)
    }
    for (relationship, owners) in ordered.sorted(by: { $0.key < $1.key }) {
      try prepareMembers(of: relationship, owners: owners)
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
