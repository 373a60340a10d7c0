import RecordModel
import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioReport

/// Tests that labels updated after each change equal the labels of the whole graph.
struct RunningLabelsTests {
  @Test(arguments: sampled(Array(0..<50))) func labelsAreThoseOfTheWholeGraph(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var records: [Int: Record] = [:]
    var labels = RunningLabels<Int>()
    for _ in 0..<100 {
      let id = Int.random(in: 0..<20, using: &generator)
      if Int.random(in: 0..<4, using: &generator) == 0 {
        records[id] = nil
        labels.remove(id)
      } else {
        let isKeyed = Bool.random(using: &generator)
        let name = text("\(Int.random(in: 0..<5, using: &generator))")
        let record =
          isKeyed
          ? Record(id, "User", key: "id", properties: ["id": integer(Int64(id)), "name": name])
          : Record(id, Bool.random(using: &generator) ? "Tag" : "Word", properties: ["name": name])
        records[id] = record
        let isAccepted = labels.update(record, isRelated: isKeyed)
        #expect(isAccepted)
      }
      let expected = Graph(records: records.values.sorted { $0.id < $1.id }).labeled().labels
      #expect((0..<20).map { labels.label(of: $0) } == (0..<20).map { expected[$0] })
    }
  }

  @Test func recordsThatDependOnOthersAreRefused() {
    var labels = RunningLabels<Int>()
    let user = Record(1, "User", key: "id", properties: ["id": integer(7)])
    let updates: [(record: Record, isRelated: Bool)] = [
      (user, true), (user, true),
      (Record(2, "User", key: "id", properties: ["id": integer(7)]), false),
      (Record(3, "User", key: "id"), true),
      (Record(4, "Counts", key: "user", properties: ["user": one(1)]), true),
    ]
    let accepted = updates.map { labels.update($0.record, isRelated: $0.isRelated) }
    #expect(accepted == [true, true, false, false, false])
  }
}
