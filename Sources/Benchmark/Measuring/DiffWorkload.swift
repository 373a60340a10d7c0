import Foundation

/// The comparison of a golden file with a graph of many values, in `recordspec run` with one scenario.
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
      case .same: "the run, if all values are equal"
      case .few: "the time beyond it, if 1 % of the values differ"
      case .all: "the time beyond it, if all values differ, except keys"
      }
    }
  }

  private static func line(_ act: Act) -> Line { Line(.diff, act.rawValue) }

  static let lines = Act.allCases.map(line)
  static let (fewLine, allLine) = (line(.few), line(.all))

  static func title(of line: Line) -> String? { Act(rawValue: line.part)?.title }

  var lines: [Line] { Self.lines }
  let maximumRounds = 3
  private let program: RecordSpecProgram
  private let folder: String

  init(in parent: TemporaryFolder) throws {
    program = try RecordSpecProgram()
    folder = try parent.newFile("diff")
    for act in Act.allCases {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(act.rawValue)/Scenarios", withIntermediateDirectories: true)
      try write(Self.scenario, "Scenarios/items.yaml", act)
      try write(Self.body(act), "Scenarios/items.json", act)
      _ = try program.run(["bless"], in: path(act), isCI: false)
      // The golden file stays, and the graph is the one without changes.
      try write(Self.body(.same), "Scenarios/items.json", act)
    }
  }

  private func path(_ act: Act) -> String { "\(folder)/\(act.rawValue)" }

  private func write(_ text: String, _ name: String, _ act: Act) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path(act))/\(name)"))
  }

  private static let scenario = """
    title: Many items
    model:
      entities:
        Item:
          primaryKey: id
          attributes: {\((0..<attributes).map { "\(name($0)): int64" }.joined(separator: ", "))}
    responses:
      items: {bodyFile: items.json}
    steps:
      - {request: Item, urn: items}

    """

  private static func name(_ attribute: Int) -> String { attribute == 0 ? "id" : "value\(attribute)" }

  /// Returns a response in which each record at a multiple of the distance has other values than usual.
  private static func body(_ act: Act) -> String {
    let items = (0..<records).map { id in
      let change = act.distance.map { id % $0 == 0 ? 1 : 0 } ?? 0
      let values = (0..<attributes).map { attribute in
        "\"\(name(attribute))\": \(attribute == 0 ? id : 10 * (id + attribute) + change)"
      }
      return "{\(values.joined(separator: ", "))}"
    }
    return "[\(items.joined(separator: ",\n"))]\n"
  }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let base = try run(.same)
    if chosen.contains(Self.line(.same)) { record(Self.line(.same), base) }
    for act in [Act.few, .all] where chosen.contains(Self.line(act)) {
      let time = try run(act)
      record(
        Self.line(act),
        TimeTaken(processor: time.processor - base.processor, wall: max(0, time.wall - base.wall)))
    }
  }

  private func run(_ act: Act) throws -> TimeTaken {
    let outcome = try program.run(["run"], in: path(act), succeeds: act == .same)
    let text = act == .same ? "1 passed, 0 failed, 0 skipped" : "0 passed, 1 failed, 0 skipped"
    guard outcome.output.contains(text) else {
      throw BenchmarkFailure(
        "\(Self.line(act).name): expected '\(text)', found: \(outcome.output.suffix(300))")
    }
    return outcome.time
  }
}
