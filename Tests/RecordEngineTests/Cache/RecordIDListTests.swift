import RecordModel
import Testing

@testable import RecordEngine

@Suite struct RecordIDListTests {
  private func ids(_ bytes: [UInt8]) -> [RecordID]? { bytes.withUnsafeBytes(RecordIDList.ids) }

  private func list(_ numbers: [Int64]) -> [RecordID] {
    numbers.map { RecordID(tree: TreeIndex(Int($0 >> 48)), serial: $0 & 0xFFFF_FFFF_FFFF) }
  }

  @Test func whatIsWrittenIsRead() {
    let lists: [[Int64]] = [
      [], [0], [1], [63], [64], [-1 & .max], [.max, 0, .max], [5, 4, 3, 2, 1], Array(1...1000),
      [1 << 48 | 7, 3 << 48 | 1, 7], [9, 9],
    ]
    for numbers in lists { #expect(ids(RecordIDList.bytes(list(numbers))) == list(numbers)) }
    #expect(RecordIDList.bytes(list([7, 8, 9])) == [3, 14, 2, 2])
    // The records of a new feed take one byte each.
    #expect(RecordIDList.bytes(list(Array(100_000..<120_000))).count < 20_010)
  }

  @Test func whatIsNoList() {
    let nine = [UInt8](repeating: 0xFF, count: 9)
    for bytes: [UInt8] in [
      [], [1], [0, 0], [2, 1], [1, 0x80], [0x80], [1, 1], [2, 0, 1], nine, nine + [1], nine + [2],
      nine + [0xFF, 1],
      [1] + nine + [2], [1] + nine + [0x81, 0], [1] + [UInt8](repeating: 0x80, count: 9) + [2],
    ] { #expect(ids(bytes) == nil, "\(bytes)") }
  }

  @Test(arguments: randomSeeds(20)) func anyBytes(seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    for _ in 0..<500 {
      var bytes = RecordIDList.bytes(
        (0..<random.number(0...20)).map { _ in
          RecordID(
            tree: TreeIndex(random.number(0...3)),
            serial: Int64(random.number(0...1 << random.number(0...47))))
        })
      let whole = ids(bytes)
      #expect(whole.map(RecordIDList.bytes) == bytes)
      for _ in 0..<random.number(0...4) {
        if random.chance(30) { bytes.append(.random(in: 0...255, using: &random)) }
        if random.chance(30) { _ = bytes.popLast() }
        if !bytes.isEmpty { bytes[random.number(0...bytes.count - 1)] = .random(in: 0...255, using: &random) }
      }
      // A list that can be read is written as a list with the same ids.
      if let found = ids(bytes) { #expect(ids(RecordIDList.bytes(found)) == found, "\(bytes)") }
    }
  }
}
