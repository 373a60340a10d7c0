import OrderedCollections
import RecordModel

@testable import RecordEngine

/// A slow and obvious implementation of the delete rules. It determines the records that cannot be deleted, and starts
/// again after each record that stays.
struct ObviousDeletion {
  private var graph: WorkingGraph
  private let schema: Schema
  private let spared: Set<RecordID>
  private var held: [RecordID: WorkingGraph.Hold] = [:]

  init(_ graph: WorkingGraph, sparing spared: Set<RecordID>) {
    self.graph = graph
    self.spared = spared
    schema = graph.schema
  }

  /// Returns the records that stay with the reasons, and the deleted records.
  mutating func outcome(
    of ids: [RecordID]
  ) throws -> (kept: [(id: RecordID, hold: WorkingGraph.Hold)], deleted: Set<RecordID>) {
    var kept: [(id: RecordID, hold: WorkingGraph.Hold)] = []
    var rest = ids
    while true {
      let doomed = try records(takenBy: rest)
      held = [:]
      try holdDenied(among: doomed)
      try holdWhatIsTooFew(among: doomed)
      if held.isEmpty { return (kept, Set(doomed)) }
      kept += rest.compactMap { id in held[id].map { (id, $0) } }
      rest.removeAll { held[$0] != nil }
    }
  }

  /// Returns the records and all records that their cascades delete.
  private mutating func records(takenBy ids: [RecordID]) throws -> OrderedSet<RecordID> {
    var doomed = OrderedSet(ids)
    var next = 0
    while next < doomed.count {
      for (relationship, member) in try related(doomed[next])
      where relationship.deleteRule == .cascade && !spared.contains(member) {
        doomed.append(member)
      }
      next += 1
    }
    return doomed
  }

  private mutating func related(_ id: RecordID) throws -> [(SchemaRelationship, RecordID)] {
    guard let row = try graph.row(id) else { return [] }
    return try schema.entities[row.entity].relationships.flatMap { relationship in
      try graph.related(relationship, of: row).map { (schema.relationships[relationship], $0) }
    }
  }

  private func inverse(_ relationship: SchemaRelationship) -> SchemaRelationship? {
    relationship.inverse.map { schema.relationships[$0] }
  }

  /// Returns the reason why a record cannot be deleted while a related record stays.
  private func obstacle(_ relationship: SchemaRelationship) -> WorkingGraph.Hold? {
    switch relationship.deleteRule {
    case .deny: return WorkingGraph.Hold(reason: .denied, relationship: relationship.index)
    case .nullify, .cascade:
      guard let inverse = inverse(relationship), !inverse.isToMany, !inverse.isOptional else { return nil }
      return WorkingGraph.Hold(reason: .required, relationship: relationship.index)
    case .noAction: return nil
    }
  }

  /// Returns the owners that require a record through relationships without an inverse.
  private mutating func requiringOwners(_ id: RecordID) throws -> [(SchemaRelationship, RecordID)] {
    try schema.relationships.filter { $0.inverse == nil && $0.leastCount > 0 }.flatMap { relationship in
      try graph.owners(of: relationship.index, members: [id])[0].map { (relationship, $0) }
    }
  }

  // MARK: Records that stay

  private mutating func holdDenied(among doomed: OrderedSet<RecordID>) throws {
    var outside: [(RecordID, WorkingGraph.Hold)] = []
    for id in doomed {
      for (relationship, member) in try related(id) where !doomed.contains(member) {
        if let obstacle = obstacle(relationship) { outside.append((id, obstacle)) }
      }
    }
    for id in doomed {
      for (relationship, owner) in try requiringOwners(id)
      where !relationship.isToMany && !doomed.contains(owner) {
        guard let row = try graph.row(owner), !graph.mayBeEmpty(row) else { continue }
        outside.append((id, WorkingGraph.Hold(reason: .required, relationship: relationship.index)))
      }
    }
    var pending: [RecordID] = []
    for (id, hold) in outside where held[id] == nil {
      held[id] = hold
      pending.append(id)
    }
    try spread(pending, among: doomed)
  }

  /// Holds the records that cannot be deleted while the given records stay.
  private mutating func spread(_ ids: [RecordID], among doomed: OrderedSet<RecordID>) throws {
    var pending = ids
    while let stays = pending.popLast(), let reason = held[stays] {
      for id in doomed {
        for (relationship, member) in try related(id) where member == stays && held[id] == nil {
          let hold = relationship.deleteRule == .cascade ? reason : obstacle(relationship)
          guard let hold else { continue }
          held[id] = hold
          pending.append(id)
        }
      }
      for id in doomed where held[id] == nil {
        for (relationship, owner) in try requiringOwners(id)
        where owner == stays && !relationship.isToMany && held[id] == nil {
          held[id] = WorkingGraph.Hold(reason: .required, relationship: relationship.index)
          pending.append(id)
        }
      }
    }
  }

  /// Holds the oldest members of to-many relationships that would have too few members.
  private mutating func holdWhatIsTooFew(among doomed: OrderedSet<RecordID>) throws {
    var losses: [RelationshipEnd: [RecordID: WorkingGraph.Hold]] = [:]
    for id in doomed {
      for (relationship, owner) in try related(id)
      where !doomed.contains(owner) && obstacle(relationship) == nil && relationship.deleteRule != .noAction {
        guard let inverse = inverse(relationship), inverse.isToMany else { continue }
        losses[RelationshipEnd(relationship: inverse.index, owner: owner), default: [:]][id] =
          WorkingGraph.Hold(reason: .required, relationship: relationship.index)
      }
      for (relationship, owner) in try requiringOwners(id)
      where relationship.isToMany && !doomed.contains(owner) {
        losses[RelationshipEnd(relationship: relationship.index, owner: owner), default: [:]][id] =
          WorkingGraph.Hold(reason: .required, relationship: relationship.index)
      }
    }
    for (end, lost) in losses.sorted(by: {
      ($0.key.relationship, $0.key.owner) < ($1.key.relationship, $1.key.owner)
    }) {
      guard let row = try graph.row(end.owner), !graph.mayBeEmpty(row) else { continue }
      let going = lost.keys.filter { held[$0] == nil }.sorted()
      let left = try graph.members(of: end.relationship, owner: end.owner).count - going.count
      for id in going.prefix(schema.relationships[end.relationship].shortfall(of: left))
      where held[id] == nil {
        held[id] = lost[id]
        try spread([id], among: doomed)
      }
    }
  }
}
