import RecordModel
import TestSupport

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

// Short forms for the graphs of these tests.

typealias Graph = UnlabeledGraph<Int>
typealias Record = UnlabeledRecord<Int>

func text(_ value: String) -> Record.Value { .attribute(.string(value), .string) }
func integer(_ value: Int64) -> Record.Value { .attribute(.integer(value), .int64) }
func one(_ id: Int, _ destination: EntityName = "Any") -> Record.Value {
  .toOne(id, destination: destination)
}
func many(_ ids: [Int], ordered: Bool = false) -> Record.Value {
  .toMany(ids, destination: "Any", isOrdered: ordered)
}

extension UnlabeledRecord where ID == Int {
  init(
    _ id: Int, _ entity: EntityName, key: PropertyName..., properties: [PropertyName: Value] = [:]
  ) {
    self.init(id: id, entity: entity, key: key, properties: properties)
  }
}

extension UnlabeledGraph where ID == Int {
  /// Returns the same graph in another order and with other ids. Members of unordered relationships are shuffled too.
  func shuffled(using generator: inout SeededGenerator) -> Graph {
    let ids = records.map(\.id)
    let renamed = Dictionary(
      uniqueKeysWithValues: zip(ids, ids.map { $0 + 1000 }.shuffled(using: &generator)))
    var shuffled: [Record] = []
    for record in records {
      var copy = record
      copy.id = renamed[record.id] ?? record.id
      for (name, value) in record.properties {
        switch value {
        case .attribute: break
        case .toOne(let id, let destination):
          copy.properties[name] = .toOne(renamed[id] ?? id, destination: destination)
        case .toMany(let ids, let destination, let isOrdered):
          let members = ids.map { renamed[$0] ?? $0 }
          copy.properties[name] = .toMany(
            isOrdered ? members : members.shuffled(using: &generator), destination: destination,
            isOrdered: isOrdered)
        }
      }
      shuffled.append(copy)
    }
    return Graph(records: shuffled.shuffled(using: &generator))
  }

  /// The labels in the order of the records.
  var labels: [String] {
    let labeled = labeled()
    return records.map { labeled.labels[$0.id]?.rawValue ?? "" }
  }
}
