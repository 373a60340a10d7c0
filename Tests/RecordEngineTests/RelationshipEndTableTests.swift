import RecordModel
import Testing

@testable import RecordEngine

struct RelationshipEndTableTests {
  @Test func aValueIsReplaced() {
    var table = RelationshipEndTable<String>()
    let end = RelationshipEnd(relationship: 1, owner: RecordID(tree: 0, serial: 7))
    let other = RelationshipEnd(relationship: 2, owner: end.owner)
    #expect(table[end] == nil)
    #expect(table.set(end, "first") == nil)
    #expect(table.set(other, "other") == nil)
    #expect(table.set(end, "second") == "first")
    #expect(table[end] == "second")
    #expect(table[other] == "other")
  }

  /// Among so many ends, some have the same part of the hash that the table compares.
  @Test func endsOfEqualHash() {
    var table = RelationshipEndTable<Int64>()
    let count: Int64 = 300_000
    var random = RandomNumbers(seed: 1)
    let ends = (0..<count).map { number in
      RelationshipEnd(
        relationship: 0, owner: RecordID(tree: 0, serial: Int64(random.number(0...1 << 20)) << 20 | number))
    }
    func end(_ number: Int64) -> RelationshipEnd { ends[Int(number)] }
    table.reserveCapacity(Int(count))
    var isNew = true
    for serial in 0..<count where table.set(end(serial), serial) != nil { isNew = false }
    #expect(isNew)
    #expect((0..<count).allSatisfy { table[end($0)] == $0 })
  }
}
