import Foundation

/// A fresh import and an identical import by a program in Python, one after the other in one file. Each of them runs
/// in a process of its own, which measures its time without the start of Python.
struct PythonPeerWorkload: Workload {
  private let context: BenchmarkInput
  private let peer: Peer
  /// The file with the response.
  private let feed: String

  /// The peers by their names in the script.
  private enum Peer: String, CaseIterable {
    case sqliteJSON = "sqlite-json"
    case orjson, duckdb

    /// The part of Python that the peer needs besides what every Python contains.
    var requirement: String { self == .sqliteJSON ? "SQLite 3.39" : rawValue }

    /// A Boolean value that indicates whether Python has this part.
    var isAvailable: Bool {
      let isMissing =
        switch self {
        case .sqliteJSON: "__import__('sqlite3').sqlite_version_info < (3, 39)"
        case .orjson, .duckdb: "not __import__('importlib.util').util.find_spec('\(rawValue)')"
        }
      let program = ChildProcess(program: PythonPeerWorkload.environment)
      return (try? program.run(["python3", "-c", "raise SystemExit(\(isMissing))"]).status) == 0
    }
  }

  /// The line of JSON that the script prints.
  private struct Report: Decodable {
    /// The times in seconds.
    var processor, wall: Double
    /// The number of rows inserted and updated.
    var written: Int
    /// The number of rows of each table, for a file that is not SQLite's.
    var rows: [String: Int]?
  }

  /// The program that finds `python3`.
  private static let environment = URL(fileURLWithPath: "/usr/bin/env")
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Peers/peers.py").path

  let maximumRounds = 3

  var lines: [Line] { Self.lines(peer) }

  private static func lines(_ peer: Peer) -> [Line] {
    [Line(.fresh, peer.rawValue), Line(.unchanged, peer.rawValue)]
  }

  /// Returns the lines of a group.
  static func lines(in group: Group) -> [Line] {
    Peer.allCases.flatMap { lines($0) }.filter { $0.group == group }
  }

  /// Returns the workloads for some lines, and the reasons why lines are skipped.
  static func workloads(
    _ chosen: Set<Line>, _ context: BenchmarkInput
  ) throws -> (workloads: [PythonPeerWorkload], skipped: [String]) {
    let peers = Peer.allCases.filter { !chosen.isDisjoint(with: lines($0)) }
    if peers.isEmpty { return ([], []) }
    let feed = try context.folder.newFile("peers.json")
    try Data(context.feed.bytes).write(to: URL(fileURLWithPath: feed))
    var workloads: [PythonPeerWorkload] = []
    var skipped: [String] = []
    for peer in peers {
      if peer.isAvailable {
        workloads.append(PythonPeerWorkload(context: context, peer: peer, feed: feed))
      } else {
        for line in lines(peer) where chosen.contains(line) {
          skipped.append("\(line.name), because python3 lacks \(peer.requirement)")
        }
      }
    }
    return (workloads, skipped)
  }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let path = try context.folder.newFile("\(peer.rawValue).database")
    let (fresh, unchanged) = (lines[0], lines[1])
    try record(fresh, importFeed(into: path, writing: context.feed.shape.rows, fresh))
    if chosen.contains(unchanged) {
      try record(unchanged, importFeed(into: path, writing: 0, unchanged))
    }
  }

  /// Imports the feed into a file, checks the stored values, and returns the time that the script has measured.
  private func importFeed(into path: String, writing rows: Int, _ line: Line) throws -> TimeTaken {
    let outcome = try ChildProcess(program: Self.environment)
      .run(["python3", Self.script, peer.rawValue, feed, path, connectionSettings + "\n" + Floor.schema])
    guard outcome.status == 0 else {
      throw BenchmarkFailure("\(line.name): exit code \(outcome.status): \(outcome.output.suffix(300))")
    }
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    try expect(report.written, toBe: rows, "rows written", line)
    if peer == .duckdb {
      for table in FeedTable.allCases {
        let expected = context.feed.digest.tables[table]?.rows ?? 0
        try expect(report.rows?[table.rawValue] ?? 0, toBe: expected, "rows of \(table.rawValue)", line)
      }
    } else {
      try expect(Floor.digest(path: path), toBe: context.feed.digest, line)
    }
    return TimeTaken(processor: report.processor, wall: report.wall)
  }
}
