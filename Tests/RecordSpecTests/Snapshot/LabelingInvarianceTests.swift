import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioReport

/// Tests that the bytes of a snapshot do not depend on the order of the records or on their ids.
struct LabelingInvarianceTests {
  @Test(arguments: 0..<60)
  func shufflingARandomGraphChangesNothing(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    expectInvariance(of: randomGraph(using: &generator), using: &generator)
  }

  @Test func twinsMayStandForEachOther() {
    let tags = (1...40).map { Record($0, "Tag", properties: ["text": text("same")]) }
    let post = Record(99, "Post", key: "id", properties: ["id": text("1"), "tags": many(Array(1...40))])
    expectInvariance(of: Graph(records: tags + [post]))
  }

  /// A ring of six identical nodes and two rings of three: the neighbors of all nodes look the same.
  @Test func ringsOfDifferentLengthAreToldApart() {
    func ring(_ ids: [Int]) -> [Record] {
      ids.indices.map { position in
        let next = ids[(position + 1) % ids.count]
        let last = ids[(position + ids.count - 1) % ids.count]
        return Record(ids[position], "Node", properties: ["near": many([next, last])])
      }
    }
    let graph = Graph(records: ring(Array(1...6)) + ring([7, 8, 9]) + ring([10, 11, 12]))
    let snapshot = expectInvariance(of: graph)
    #expect(snapshot["Node~1"] != nil && snapshot["Node~12"] != nil)
  }

  /// Two pairs without a connection between them: the partner of the first left record is the first right record.
  @Test func alikeIslandsStayWhole() {
    let graph = Graph(records: [
      Record(1, "Left", properties: ["right": one(4)]), Record(2, "Left", properties: ["right": one(3)]),
      Record(3, "Right", properties: ["left": one(2)]), Record(4, "Right", properties: ["left": one(1)]),
    ])
    let snapshot = expectInvariance(of: graph)
    #expect(snapshot["Left~1"]?.properties["right"] == .toOne("Right~1"))
    #expect(snapshot["Left~2"]?.properties["right"] == .toOne("Right~2"))
  }

  /// A circular ladder and a Möbius ladder: both are connected and regular, but they differ.
  @Test func regularIslandsAreToldApart() {
    func ladder(_ first: Int, twisted: Bool) -> [Record] {
      (0..<12).map { node in
        let (side, rung) = (node / 6, node % 6)
        func id(_ side: Int, _ rung: Int) -> Int {
          let crosses = twisted && (rung < 0 || rung > 5)
          return first + (crosses ? 1 - side : side) * 6 + (rung + 6) % 6
        }
        return Record(
          first + node, "Node",
          properties: ["near": many([id(side, rung + 1), id(side, rung - 1), id(1 - side, rung)])])
      }
    }
    expectInvariance(of: Graph(records: ladder(100, twisted: true) + ladder(200, twisted: false)))
  }

  @Test func manyKeyedRecordsTakeLinearTime() {
    let count = 100_000
    var records = (0..<count).map { number in
      Record(
        number, "Post", key: "id",
        properties: ["id": integer(Int64(number)), "next": one((number + 1) % count)])
    }
    records.append(Record(-1, "Tag", properties: ["text": text("one without key among many with")]))
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(Graph(records: records).labeled().snapshot.records.count == count + 1)
    }
    #expect(time < .seconds(30))
  }

  @Test func manyAlikePairsAreCheap() {
    let count = 4_000
    let graph = Graph(
      records: (0..<count).flatMap { number in
        [
          Record(2 * number, "Item", properties: ["detail": one(2 * number + 1)]),
          Record(2 * number + 1, "Detail", properties: ["text": text("same")]),
        ]
      })
    #expect(graph.labeled().snapshot.records.count == 2 * count)
  }

  @discardableResult
  private func expectInvariance(
    of graph: Graph, sourceLocation: SourceLocation = #_sourceLocation
  ) -> GraphSnapshot {
    var generator = SeededGenerator(seed: 7)
    return expectInvariance(of: graph, using: &generator, sourceLocation: sourceLocation)
  }

  @discardableResult
  private func expectInvariance(
    of graph: Graph, using generator: inout SeededGenerator, sourceLocation: SourceLocation = #_sourceLocation
  ) -> GraphSnapshot {
    let snapshot = graph.labeled().snapshot
    let text = snapshot.goldenForm.canonicalText()
    #expect(!text.isEmpty, sourceLocation: sourceLocation)
    #expect(snapshot.records.count == graph.records.count, sourceLocation: sourceLocation)
    for _ in 0..<6 {
      let shuffled = graph.shuffled(using: &generator).labeled().snapshot
      let isSame = shuffled == snapshot && shuffled.goldenForm.canonicalText() == text
      #expect(isSame, sourceLocation: sourceLocation)
    }
    return snapshot
  }

  /// Returns a random graph with few contents, few keys and many links, to produce ties of every kind.
  private func randomGraph(using generator: inout SeededGenerator) -> Graph {
    let count = Int.random(in: 2...24, using: &generator)
    let keys = ["id", "owner", nil, nil]
    return Graph(
      records: (0..<count).map { id in
        let entity: EntityName = Bool.random(using: &generator) ? "A" : "B"
        var record = Record(id, entity)
        if let key = keys.randomElement(using: &generator) ?? nil { record.key = [PropertyName(key)] }
        if record.key == ["id"] { record.properties["id"] = integer(.random(in: 0...30, using: &generator)) }
        if Bool.random(using: &generator) {
          record.properties["text"] = text(Bool.random(using: &generator) ? "x" : "y")
        }
        if record.key == ["owner"] || Int.random(in: 0...3, using: &generator) == 0 {
          record.properties["owner"] = one(.random(in: 0..<count, using: &generator))
        }
        if Int.random(in: 0...2, using: &generator) == 0 {
          let members = Array((0..<count).shuffled(using: &generator).prefix(3))
          record.properties["members"] = many(members, ordered: Bool.random(using: &generator))
        }
        return record
      })
  }
}
