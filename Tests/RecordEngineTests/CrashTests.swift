import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Whatever ends a process that saves, the file holds what was there before the save or after it. Rule: `save.atomic`.
@Suite(.serialized) struct CrashTests {
  /// Kills a saving process again and again, a little later each time: while it opens the file, between saves, and at
  /// many points of a save.
  @Test func aKilledProcessLeavesOneGraphOrTheOther() throws {
    let folder = try TemporaryFolder()
    var last = 0
    var kills = (opening: 0, saving: 0)
    for round in 0..<40 {
      let saver = try SaverProcess("save", folder.file())
      var printed: [String] = []
      if round % 8 != 0 { printed += (0..<(1 + round % 3)).compactMap { _ in saver.line() } }
      usleep(UInt32(round * 700))
      printed += saver.kill()
      if printed.isEmpty { kills.opening += 1 } else { kills.saving += 1 }
      let saved = printed.last.flatMap(Int.init) ?? last
      #expect(saved >= last, "round \(round): \(printed)")
      let check = try SaverProcess("check", folder.file())
      let found = check.rest()
      let generation = try #require(found.first.flatMap(Int.init), "round \(round): \(found)")
      #expect(saved...saved + 1 ~= generation || printed.isEmpty && generation >= saved, "round \(round)")
      last = generation
    }
    #expect(kills.opening > 0 && kills.saving > 20)
    #expect(last > 40)
  }

  /// Kills a process that migrates, and lets the disk be full while it does: the file is of the former model or the new
  /// one, and the former one opens both, because it can be migrated back.
  @Test func aMigrationThatEndsEarlyLeavesOneModelOrTheOther() throws {
    let folder = try TemporaryFolder()
    let saver = try SaverProcess("save", folder.file())
    #expect((0..<3).compactMap { _ in saver.line() } == ["1", "2", "3"])
    _ = saver.kill()
    let generation = try #require(try SaverProcess("check", folder.file()).rest().first)
    let before = try Data(contentsOf: folder.file())
    let full = try SaverProcess("migrate", folder.file(), limit: 100)
    #expect(full.rest().last?.hasPrefix("disk-full: ") ?? false)
    #expect(full.status == 1)
    #expect(try SaverProcess("check", folder.file()).rest() == [generation])
    var (kept, migrated) = (0, 0)
    for round in 0..<16 {
      try before.write(to: folder.file("copy"))
      let migration = try SaverProcess("migrate", folder.file("copy"))
      #expect(migration.line() == "opening")
      usleep(UInt32(round * 1000))
      if migration.kill().isEmpty { kept += 1 } else { migrated += 1 }
      #expect(try SaverProcess("check", folder.file("copy")).rest() == [generation], "round \(round)")
    }
    #expect(kept > 0, "\(kept) kills came before the end of the migration, and \(migrated) behind it")
  }

  @Test func aFullDiskLeavesTheFormerGraph() throws {
    let folder = try TemporaryFolder()
    let saver = try SaverProcess("save", folder.file(), limit: 1500)
    let lines = saver.rest()
    #expect(saver.status == 1)
    let failure = try #require(lines.last)
    #expect(failure.contains("There is no room to write the store"), "\(failure)")
    let saved = try #require(lines.dropLast().last.flatMap(Int.init))
    #expect(try SaverProcess("check", folder.file()).rest() == ["\(saved)"])
  }

  @Test func aFileIsOfOneProcess() throws {
    let folder = try TemporaryFolder()
    let holder = try SaverProcess("hold", folder.file())
    #expect(holder.line() == "open")
    let other = try SaverProcess("check", folder.file()).rest()
    #expect(
      other.count == 1 && other[0].hasPrefix("locked: The store '\(folder.file().path)' is in use"),
      "\(other)")
    #expect(holder.endInput() == [])
    #expect(try SaverProcess("check", folder.file()).rest() == ["0"])
  }

  /// Locks of a file belong to the process: whatever this one opens and closes beside its store, in vain and by whatever
  /// name, the store is its own.
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

  /// Of those that make or open a file at once, one gets it.
  @Test(arguments: [true, false]) func oneOfTwoGetsTheFile(isNew: Bool) throws {
    for round in 0..<12 {
      let folder = try TemporaryFolder()
      if !isNew { #expect(try SaverProcess("check", folder.file()).rest() == ["0"]) }
      let both = try [SaverProcess("check", folder.file()), SaverProcess("check", folder.file())]
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
