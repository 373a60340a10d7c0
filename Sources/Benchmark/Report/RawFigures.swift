import Foundation

/// The figures for programs: all measurements, in seconds and bytes.
struct RawFigures: Encodable {
  struct Measured: Encodable {
    var name: String
    /// The processor times, in the order of the rounds.
    var processorSeconds: [Double]?
    var clockSeconds: [Double]?
    var bytes: Int?
  }

  struct Goal: Encodable {
    var title: String
    var bound: String
    var ratio: Double?
    var clockRatio: Double?
    var clockSeconds: Double?
    var verdict: String
  }

  var posts: Int
  var responseBytes: Int
  var records: Int
  var rows: Int
  var rounds: Int
  var lines: [Measured]
  var goals: [Goal]

  init(_ table: Table) {
    posts = table.shape.posts
    responseBytes = table.bytes
    records = table.shape.records
    rows = table.shape.rows
    rounds = table.rounds
    let measurements = table.measurements
    lines = table.lines.filter { measurements.figure($0) != nil }.map { line in
      Measured(
        name: line.name, processorSeconds: measurements.durations[line]?.map(\.processor),
        clockSeconds: measurements.durations[line]?.map(\.wall), bytes: measurements.memory[line])
    }
    goals = Benchmark.Goal.all.map { goal in
      let outcome = GoalOutcome(goal, measurements)
      return Goal(
        title: goal.title, bound: goal.boundText, ratio: outcome.ratio, clockRatio: outcome.wallRatio,
        clockSeconds: outcome.seconds,
        verdict: outcome.verdict)
    }
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}
