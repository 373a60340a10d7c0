import RecordModel
import Testing

@testable import RecordEngine

/// Tests that compare the custom hash tables with dictionaries.
struct RecordIndexMapTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func asADictionarySays(seed: UInt64) {
    var numbers = RandomNumbers(seed: seed)
    var places = RecordIndexMap<Void>()
    var expected: [RecordID: Int] = [:]
    var vacant: [Int] = []
    for _ in 0..<2000 {
      let id = RecordID(tree: TreeIndex(numbers.number(0...3)), serial: Int64(numbers.number(1...300)))
      if expected[id] == nil {
        let place = vacant.popLast() ?? expected.count
        places.insert(id, at: ElementIndex(place))
        expected[id] = place
      } else if numbers.chance(60) {
        places.remove(id)
        if let place = expected.removeValue(forKey: id) { vacant.append(place) }
      }
      #expect(places[id]?.rawValue == expected[id])
    }
    #expect(places.count == expected.count)
    #expect(places.known == expected.sorted { $0.value < $1.value }.map(\.key))
    for tree in [0, 1, 2, 3] as [TreeIndex] {
      for serial in 1...300 as ClosedRange<Int64> {
        let id = RecordID(tree: tree, serial: serial)
        #expect(places[id]?.rawValue == expected[id])
      }
    }
  }
}
