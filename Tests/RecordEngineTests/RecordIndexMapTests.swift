import RecordModel
import Testing

@testable import RecordEngine

/// Tests that compare the custom hash tables with dictionaries.
struct RecordIndexMapTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func asADictionarySays(seed: UInt64) {
    var numbers = RandomNumbers(seed: seed)
    var indices = RecordIndexMap<Void>()
    var expected: [RecordID: Int] = [:]
    var vacant: [Int] = []
    for _ in 0..<2000 {
      let id = RecordID(tree: TreeIndex(numbers.number(0...3)), serial: Int64(numbers.number(1...300)))
      if expected[id] == nil {
        let position = vacant.popLast() ?? expected.count
        indices.insert(id, at: ElementIndex(position))
        expected[id] = position
      } else if numbers.chance(60) {
        indices.remove(id)
        if let position = expected.removeValue(forKey: id) { vacant.append(position) }
      }
      #expect(indices[id]?.rawValue == expected[id])
    }
    #expect(indices.count == expected.count)
    #expect(indices.known == expected.sorted { $0.value < $1.value }.map(\.key))
    for tree in [0, 1, 2, 3] as [TreeIndex] {
      for serial in 1...300 as ClosedRange<Int64> {
        let id = RecordID(tree: tree, serial: serial)
        #expect(indices[id]?.rawValue == expected[id])
      }
    }
  }

  /// The table compares half of each hash. Among this many records, several have equal halves.
  @Test func recordsWithCollidingHashesStayDistinct() {
    let ids = (0..<400_000).map { RecordID(tree: TreeIndex($0 % 4), serial: Int64($0 / 4)) }
    #expect(Set(ids.map { RecordIndexMap<Void>.hash($0) >> 32 }).count < ids.count)
    let indices = RecordIndexMap<Void>(ids)
    #expect(ids.indices.allSatisfy { indices[ids[$0]]?.rawValue == $0 })
  }
}
