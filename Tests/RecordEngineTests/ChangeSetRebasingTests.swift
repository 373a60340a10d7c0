import OrderedCollections
import RecordModel
import TestSupport
import Testing

@testable import RecordEngine

/// Random tests that changes which are rebased onto a save lead from the saved records to the same records as before.
@Suite struct ChangeSetRebasingTests {
  private let schema: Schema

  init() throws {
    schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [AttributeDescription("name", .string), AttributeDescription("age", .int64)],
        relationships: [
          RelationshipDescription("friend", to: "Person"),
          RelationshipDescription("partner", to: "Person", inverse: "partner"),
          RelationshipDescription("likes", toMany: "Person"),
        ]),
      EntityDescription("Author", parent: "Person"),
    ]).schema
  }

  /// The records of one state. Links lead only between existing records.
  private struct State: Equatable {
    var rows: [RecordID: Row] = [:]
    var links: Set<Link> = []

    mutating func remove(_ id: RecordID) {
      rows[id] = nil
      links = links.filter { $0.owner != id && $0.member != id }
    }

    func changes(from former: State) -> ChangeSet {
      var changes = ChangeSet()
      for id in Set(rows.keys).union(former.rows.keys).sorted() {
        switch (former.rows[id], rows[id]) {
        case (nil, let row?): changes.inserted.append(row)
        case (let row?, nil): changes.deleted.append(row)
        case (let before?, let after?) where before != after:
          changes.updated.append(ChangeSet.Update(before: before, after: after))
        default: break
        }
      }
      changes.linked = Self.sorted(links.subtracting(former.links))
      changes.unlinked = Self.sorted(former.links.subtracting(links))
      return changes
    }

    private static func sorted(_ links: Set<Link>) -> [Link] {
      links.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) }
    }

    func applying(_ changes: ChangeSet) -> State {
      var state = self
      for row in changes.inserted + changes.updated.map(\.after) { state.rows[row.id] = row }
      state.links.formUnion(changes.linked)
      state.links.subtract(changes.unlinked)
      for row in changes.deleted { state.remove(row.id) }
      return state
    }
  }

  private func id(_ serial: Int64) -> RecordID { RecordID(tree: 0, serial: serial) }

  private func randomRow(_ id: RecordID, _ numbers: inout RandomNumbers) -> Row {
    var row = Row(
      id: id, entity: numbers.chance(80) ? 0 : 1, isStub: numbers.chance(20), values: [nil, nil],
      toOnes: [nil, nil])
    changeRow(&row, &numbers)
    return row
  }

  private func changeRow(_ row: inout Row, _ numbers: inout RandomNumbers) {
    for column in row.values.indices where numbers.chance(40) {
      row.values[column] = numbers.pick([nil, .integer(1), .integer(2)]) ?? nil
    }
    for slot in row.toOnes.indices where numbers.chance(40) {
      row.toOnes[slot] = numbers.pick([nil, id(1), id(2), id(3)]) ?? nil
    }
    if numbers.chance(10) { row.entity = row.entity == 0 ? 1 : 0 }
    if numbers.chance(10) { row.isStub.toggle() }
  }

  /// Changes, deletes and links records at random, and inserts records with the given serial numbers.
  private func change(_ state: State, inserting serials: [Int64], _ numbers: inout RandomNumbers) -> State {
    var state = state
    for id in state.rows.keys.sorted() {
      if numbers.chance(20) {
        state.remove(id)
      } else if numbers.chance(50), var row = state.rows[id] {
        changeRow(&row, &numbers)
        state.rows[id] = row
      }
    }
    for serial in serials where numbers.chance(70) {
      state.rows[id(serial)] = randomRow(id(serial), &numbers)
    }
    for owner in state.rows.keys.sorted() {
      for member in state.rows.keys.sorted() where numbers.chance(25) {
        let link = Link(schema.relationships[2], owner: owner, member: member)
        state.links.formSymmetricDifference([link])
      }
    }
    return state
  }

  private func former(_ numbers: inout RandomNumbers) -> State {
    change(change(State(), inserting: [1, 2, 3, 4], &numbers), inserting: [], &numbers)
  }

  @Test(arguments: randomSeeds(400)) func theRecordsStayTheSame(seed: UInt64) throws {
    var numbers = RandomNumbers(seed: seed)
    let former = former(&numbers)
    let (own, saved) = (
      change(former, inserting: [10, 11], &numbers), change(former, inserting: [20, 21], &numbers)
    )
    // A record that both have inserted, one that replaces a deleted one, and one that only the save has.
    var successors: [RecordID: RecordID] = [:]
    if saved.rows[id(20)] != nil { successors[id(10)] = id(20) }
    let replaced = former.rows.keys.sorted().first { own.rows[$0] == nil && saved.rows[$0] != nil }
    if let replaced { successors[id(11)] = replaced }
    let hidden = Set([id(20), id(21)]).subtracting(own.rows[id(10)] == nil ? [] : [id(20)])

    var changes = own.changes(from: former)
    // A deletion lists no links without inverse that it removes. Those that remain stored are looked up elsewhere.
    changes.unlinked.removeAll { link in
      !saved.links.contains(link) && (own.rows[link.owner] == nil || own.rows[link.member] == nil)
    }
    // If a parent has deleted the replaced record, these changes do not contain the deletion, and the record stays as saved.
    let staying = own.rows[id(11)] != nil && numbers.chance(50) ? replaced : nil
    changes.deleted.removeAll { $0.id == staying }
    changes.unlinked.removeAll { $0.owner == staying || $0.member == staying }
    changes.orderings = [
      ChangeSet.Ordering(relationship: 2, owner: id(10), added: [id(1), id(11)], order: [id(11), id(2)])
    ]
    let rebased = changes.rebased(
      onto: saved.changes(from: former), replacing: successors, hiding: hidden, keeping: CallerChanges(),
      schema
    ) { own.rows[$0] }

    func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
    var expected = State()
    for row in own.rows.values {
      expected.rows[now(row.id)] = Row(
        id: now(row.id), entity: row.entity, isStub: row.isStub, values: row.values,
        toOnes: row.toOnes.map { $0.map(now) })
    }
    expected.links = Set(
      own.links.map { Link(schema.relationships[2], owner: now($0.owner), member: now($0.member)) })
    if let staying {
      expected.remove(staying)
      expected.rows[staying] = saved.rows[staying]
      expected.links.formUnion(
        saved.links.filter {
          [$0.owner, $0.member].contains(staying) && expected.rows[$0.owner] != nil
            && expected.rows[$0.member] != nil
        })
    }
    #expect(saved.applying(rebased) == expected)
    #expect(rebased.inserted.allSatisfy { saved.rows[$0.id] == nil })
    #expect(rebased.updated.allSatisfy { saved.rows[$0.before.id] == $0.before })
    #expect(rebased.deleted.allSatisfy { saved.rows[$0.id] == $0 })
    #expect(saved.links.isDisjoint(with: rebased.linked))
    #expect(saved.links.isSuperset(of: rebased.unlinked))
    let ordering = try #require(rebased.orderings.first)
    #expect(rebased.orderings.count == 1 && ordering.relationship == 2 && ordering.owner == now(id(10)))
    #expect(ordering.added == [id(1), now(id(11))] && ordering.order == [now(id(11)), id(2)])
  }

  @Test(arguments: randomSeeds(400)) func whatTheCallerHasSetInAParentStaysAsSaved(seed: UInt64) throws {
    var numbers = RandomNumbers(seed: seed)
    let former = former(&numbers)
    // The parent shows other values of records that the save does not change.
    var shown = former
    for id in former.rows.keys.sorted() where numbers.chance(50) {
      guard var row = shown.rows[id] else { continue }
      row.values[0] = .integer(3)
      row.toOnes[0] = self.id(4)
      if numbers.chance(20) { row.entity = row.entity == 0 ? 1 : 0 }
      if numbers.chance(20) { row.isStub.toggle() }
      shown.rows[id] = row
    }
    let (own, saved) = (
      change(shown, inserting: [], &numbers), change(former, inserting: [], &numbers)
    )
    var kept = CallerChanges()
    var (keptNames, keptFriends, keptPartners): (Set<RecordID>, Set<RecordID>, Set<RecordID>) = ([], [], [])
    for id in former.rows.keys.sorted() {
      if numbers.chance(40) {
        keptNames.insert(id)
        kept.setValue(nil, column: 0, of: id)
      }
      if numbers.chance(40) {
        keptFriends.insert(id)
        kept.setToOne(schema.relationships[0], of: id, to: nil)
      }
      if numbers.chance(20) {
        keptPartners.insert(id)
        kept.setToOne(schema.relationships[1], of: id, to: nil)
      }
      if numbers.chance(40) { kept.addMember(self.id(2), to: schema.relationships[2], of: id) }
    }

    let rebased = own.changes(from: shown).rebased(
      onto: saved.changes(from: former), replacing: [:], hiding: [], keeping: kept, schema
    ) { own.rows[$0] }

    var base = baseOf(shown, former, saved)
    for (id, row) in shown.rows where base.rows[id] != nil {
      if keptNames.contains(id) { base.rows[id]?.values[0] = row.values[0] }
      if keptFriends.contains(id) { base.rows[id]?.toOnes[0] = row.toOnes[0] }
      // A one-to-one also stays if the caller has set its other end.
      let partners = [row.toOnes[1], saved.rows[id]?.toOnes[1]].compactMap(\.self)
      if !keptPartners.isDisjoint(with: [id] + partners) { base.rows[id]?.toOnes[1] = row.toOnes[1] }
    }
    for link in kept.links.keys where base.rows[link.owner] != nil && base.rows[link.member] != nil {
      if shown.links.contains(link) { base.links.insert(link) } else { base.links.remove(link) }
    }
    var expected = own
    for (id, row) in own.rows where base.rows[id] == nil {
      // A record that the save has deleted returns without what the parent's caller has set.
      for (slot, kept) in [keptFriends, keptPartners].enumerated()
      where kept.contains(id) && row.toOnes[slot] == shown.rows[id]?.toOnes[slot] {
        expected.rows[id]?.toOnes[slot] = nil
      }
    }
    expected.links = expected.links.filter { link in
      let isRestored = base.rows[link.owner] == nil || base.rows[link.member] == nil
      return !isRestored || kept.links[link] == nil || !shown.links.contains(link)
    }
    #expect(base.applying(rebased) == expected)
    #expect(rebased.updated.allSatisfy { base.rows[$0.before.id] == $0.before })
    #expect(rebased.deleted.allSatisfy { base.rows[$0.id] == $0 })
  }

  /// Returns what a parent shows after a save: the changes of the save, and what it shows of everything else.
  private func baseOf(_ shown: State, _ former: State, _ saved: State) -> State {
    func after<Value: Equatable>(_ before: Value, _ after: Value, _ shown: Value) -> Value {
      before == after ? shown : after
    }
    var base = State(links: saved.links)
    for (id, row) in shown.rows {
      guard let before = former.rows[id], let saved = saved.rows[id] else { continue }
      base.rows[id] = Row(
        id: id, entity: after(before.entity, saved.entity, row.entity),
        isStub: after(before.isStub, saved.isStub, row.isStub),
        values: row.values.indices.map { after(before.values[$0], saved.values[$0], row.values[$0]) },
        toOnes: row.toOnes.indices.map { after(before.toOnes[$0], saved.toOnes[$0], row.toOnes[$0]) })
    }
    return base
  }
}
