import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that a process killed during a save leaves the file in the state before or after the save.
/// Rule: `save.atomic`.
@Suite(.serialized) struct CrashTests {
  /// The number of points at which a process is killed, for each kind of work. `CRASH_POINTS` overrides it.
  private static let pointCount =
    ProcessInfo.processInfo.environment["CRASH_POINTS"].flatMap { Int($0) } ?? 30

  /// Returns the points at which to kill a process. Half are the first changes, which create the file; the others are
  /// spread over the rest.
  private static func points(of count: Int) -> [Int] {
    let first = min(count, max(1, pointCount / 2))
    return Array(1...first) + stride(from: first + 1, through: count, by: max(1, (count - first) / first))
  }

  /// A process is killed at each point, while it creates a file and while it saves.
  @Test func aKilledProcessLeavesOneGraphOrTheOther() throws {
    var kills = (opening: 0, saving: 0)
    // A generation takes at most a hundred changes.
    for point in Self.points(of: 500) {
      let folder = try TemporaryFolder()
      let printed = try SaverProcess("save", folder.file(), endingAt: point).rest()
      if printed.isEmpty { kills.opening += 1 } else { kills.saving += 1 }
      let saved = printed.last.flatMap(Int.init) ?? 0
      let found = try SaverProcess("check", folder.file()).rest()
      #expect(found == ["\(saved)"] || found == ["\(saved + 1)"], "point \(point): \(printed)")
    }
    #expect(kills.opening > 10 && kills.saving > 10)
  }

  /// A migrating process is killed at each point, and also runs out of disk space. The file then belongs to the old
  /// model or to the new one. The old model opens both, because the new file can be migrated back.
  @Test func aMigrationThatEndsEarlyLeavesOneModelOrTheOther() throws {
    let folder = try TemporaryFolder()
    let saver = try SaverProcess("save", folder.file())
    #expect((0..<3).compactMap { _ in saver.line() } == ["1", "2", "3"])
    _ = saver.kill()
    let generation = try #require(try SaverProcess("check", folder.file()).rest().first)
    let before = try Data(contentsOf: folder.file())
    let full = try SaverProcess("migrate", folder.file(), limit: 50_000)
    #expect(full.rest().last?.hasPrefix("disk-full: ") ?? false)
    #expect(full.status == 1)
    #expect(try SaverProcess("check", folder.file()).rest() == [generation])
    try before.write(to: folder.file("copy"))
    let whole = try SaverProcess("migrate", folder.file("copy"), endingAt: 0).rest()
    let count = try #require(whole.last.flatMap { Int($0) }, "\(whole)")
    for point in Self.points(of: count) {
      try before.write(to: folder.file("copy"))
      let migration = try SaverProcess("migrate", folder.file("copy"), endingAt: point).rest()
      #expect(migration == ["opening"], "point \(point)")
      let found = try SaverProcess("check", folder.file("copy")).rest()
      #expect(found == [generation], "point \(point) of \(count)")
    }
  }

  /// A process that stores responses in its cache is killed at each point. Each response is stored completely or not at
  /// all.
  @Test func aKilledProcessLeavesTheResponsesThatAreKept() throws {
    var most = 0
    for point in Self.points(of: 500) {
      let folder = try TemporaryFolder()
      let printed = try SaverProcess("keep", folder.file(), endingAt: point).rest()
      let found = try SaverProcess("kept", folder.file()).rest()
      let count = try #require(found.first.flatMap(Int.init), "point \(point): \(found)")
      // The process requests twelve addresses repeatedly.
      let kept = min(printed.count, 12)
      #expect(count == kept || count == kept + 1, "point \(point)")
      most = max(most, count)
    }
    #expect(most == 12)
  }

  @Test func aFullDiskLeavesTheFormerGraph() throws {
    let folder = try TemporaryFolder()
    let saver = try SaverProcess("save", folder.file(), limit: 750_000)
    let lines = saver.rest()
    #expect(saver.status == 1)
    let failure = try #require(lines.last)
    #expect(failure.contains("no disk space left to write the store"), "\(failure)")
    let saved = try #require(lines.dropLast().last.flatMap(Int.init))
    #expect(try SaverProcess("check", folder.file()).rest() == ["\(saved)"])
  }

  @Test func aFileIsOfOneProcess() throws {
    let folder = try TemporaryFolder()
    let holder = try SaverProcess("hold", folder.file())
    #expect(holder.line() == "open")
    let other = try SaverProcess("check", folder.file()).rest()
    #expect(
      other.count == 1 && other[0].hasPrefix("locked: the store '\(folder.file().path)' is in use"),
      "\(other)")
    #expect(holder.endInput() == [])
    #expect(try SaverProcess("check", folder.file()).rest() == ["0"])
  }

  /// File locks belong to the process. The process keeps its store's lock although opening the file a second time, by
  /// any name, fails.
  @Test func aRefusedSecondOpenLeavesTheLock() throws {
    let folder = try TemporaryFolder()
    let schema = try ManagedObjectModel(entities: [EntityDescription("Other")]).schema
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    try FileManager.default.createSymbolicLink(at: folder.file("symbolic"), withDestinationURL: folder.file())
    try FileManager.default.linkItem(at: folder.file(), to: folder.file("hard"))
    for name in ["test.store", "../\(folder.url.lastPathComponent)/test.store", "symbolic", "hard"] {
      let error = #expect(throws: PersistentStoreError.self, "\(name)") {
        try SQLiteStore(url: folder.file(name), schema: schema)
      }
      #expect(error?.kind == .locked, "\(name)")
      let other = try SaverProcess("check", folder.file()).rest()
      #expect(other.first?.hasPrefix("locked: ") ?? false, "\(name): \(other)")
    }
    withExtendedLifetime(store) {}
  }

  /// If two processes create or open a file at the same time, one of them gets it.
  @Test(arguments: ["check", "kept"], [true, false]) func oneOfTwoGetsTheFile(command: String, isNew: Bool)
    throws
  {
    for round in 0..<12 {
      let folder = try TemporaryFolder()
      if !isNew { #expect(try SaverProcess(command, folder.file()).rest() == ["0"]) }
      let both = try [SaverProcess(command, folder.file()), SaverProcess(command, folder.file())]
      let found = both.map { $0.rest() }
      #expect(found.contains(["0"]), "round \(round): \(found)")
    }
  }

  @Test func whatMayNotBeWrittenIsSaid() throws {
    let folder = try TemporaryFolder()
    #expect(try SaverProcess("check", folder.file()).rest() == ["0"])
    let before = try Data(contentsOf: folder.file())
    func setMode(_ url: URL, _ mode: Int) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }
    try setMode(folder.url, 0o777)
    try setMode(folder.file(), 0o444)
    #expect(try SaverProcess("open", folder.file()).rest().first?.prefix(10) == "read-only:")
    try setMode(folder.file(), 0o000)
    #expect(try SaverProcess("open", folder.file()).rest().first?.prefix(12) == "cannot-open:")
    try setMode(folder.file(), 0o666)
    try setMode(folder.url, 0o555)
    #expect(try SaverProcess("open", folder.file()).rest().first?.prefix(10) == "read-only:")
    #expect(try SaverProcess("open", folder.file("new")).rest().first?.prefix(12) == "cannot-open:")
    try setMode(folder.url, 0o755)
    #expect(try Data(contentsOf: folder.file()) == before)
  }
}
