import JSONTree
import RecordModel
import RecordSpec

/// The comparison of a golden file with a graph of many values.
struct DiffWorkload: Workload {
  private static let (records, attributes) = (20_000, 5)

  private enum Act: String, CaseIterable {
    case same, few, all

    /// The distance between changed records; nil if none is changed.
    var distance: Int? {
      switch self {
      case .same: nil
      case .few: 100
      case .all: 1
      }
    }

    var title: String {
      switch self {
      case .same: "identical"
      case .few: "1 % of the values differ"
      case .all: "all values differ, except keys"
      }
    }
  }

  private static func line(_ act: Act) -> Line { Line(.diff, act.rawValue) }

  static let lines = Act.allCases.map(line)
  static let (fewLine, allLine) = (line(.few), line(.all))

  static func title(of line: Line) -> String? { Act(rawValue: line.part)?.title }

  var lines: [Line] { Self.lines }
  private let schema: Schema
  private let golden: [UInt8]

  init() throws {
    schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Item", primaryKey: "id",
        attributes: (0..<Self.attributes).map { AttributeDescription(Self.name($0), .int64) })
    ]).schema
    golden = Array(Self.snapshot(distance: nil).goldenForm.canonicalText().utf8)
  }

  private static func name(_ attribute: Int) -> PropertyName {
    attribute == 0 ? "id" : PropertyName("value\(attribute)")
  }

  /// Returns a graph in which each record at a multiple of the distance has other values than usual.
  private static func snapshot(distance: Int?) -> ScenarioSnapshot {
    let records = (0..<records).map { id in
      let change = distance.map { id % $0 == 0 ? 1 : 0 } ?? 0
      let properties = (0..<attributes).map { attribute in
        let value = attribute == 0 ? id : 10 * (id + attribute) + change
        return (name(attribute), PropertySnapshot.attribute(.integer(Int64(value)), .int64))
      }
      return RecordSnapshot(
        label: RecordLabel(rawValue: "Item/\(id)"), entity: "Item",
        properties: Dictionary(uniqueKeysWithValues: properties))
    }
    return ScenarioSnapshot(graph: GraphSnapshot(records))
  }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    for act in Act.allCases where chosen.contains(Self.line(act)) {
      let snapshot = Self.snapshot(distance: act.distance)
      let (comparison, duration) = try await Stopwatch.measure {
        GoldenFolder.compare(snapshot, with: golden, of: "golden.json", model: schema)
      }
      record(Self.line(act), duration)
      let expected = act.distance.map { Self.records / $0 * (Self.attributes - 1) } ?? 0
      try expect(comparison.count, toBe: expected, "differences", Self.line(act))
    }
  }
}

extension GoldenComparison {
  /// The number of differences; -1 if the file cannot be compared.
  fileprivate var count: Int {
    switch self {
    case .same: 0
    case .different(let differences): differences.count
    case .new, .notCanonical, .unreadable: -1
    }
  }
}
