import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that files survive power failures unless this package asks for less, and that such files work as others do.
@Suite struct FileDurabilityTests {
  private let schema: Schema
  private let folder: TemporaryFolder

  init() throws {
    schema = try ManagedObjectModel(entities: [EntityDescription("Node")]).schema
    folder = try TemporaryFolder()
  }

  /// The levels at which SQLite flushes a file to the disk.
  private static let (never, atCheckpoints): (Int64, Int64) = (0, 1)

  private func level(_ connection: SQLiteConnection) throws -> Int64 {
    try connection.integer("PRAGMA synchronous")
  }

  @Test func theStoreOfAnAppSurvivesAPowerFailure() throws {
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [EntityDescription("Node")]),
      configuration: .init(store: .file(folder.file())))
    let store = try #require(container.coordinator.store as? SQLiteStore)
    #expect(try level(store.connection) == Self.atCheckpoints)
  }

  @Test func theCacheOfAnAppSurvivesAPowerFailure() throws {
    let cache = try RecordCache(url: folder.file())
    let file = try #require(cache.file)
    #expect(try level(file.connection) == Self.atCheckpoints)
  }

  @Test func otherFilesAreNeverFlushed() throws {
    let store = try SQLiteStore(url: folder.file("store"), schema: schema, durability: .endOfProcess)
    #expect(try level(store.connection) == Self.never)
    let file = try CacheFile.open(folder.file("cache"), waits: false, durability: .endOfProcess).file
    #expect(try level(file.connection) == Self.never)
  }

  /// The log is merged into the file when the store is closed, with and without flushing.
  @Test func otherFilesCanBeOpenedAgain() throws {
    for durability in [FileDurability.endOfProcess, .powerFailure, .endOfProcess] {
      let store = try SQLiteStore(url: folder.file(), schema: schema, durability: durability)
      let count = try store.rows(of: 0).count
      var changes = ChangeSet()
      let id = store.reserveIDs(tree: 0, count: 1)
      changes.inserted = [Row(id: id, entity: 0, isStub: false, values: [], toOnes: [])]
      try store.commit(changes)
      #expect(try store.rows(of: 0).count == count + 1)
    }
    #expect(try SQLiteStore(url: folder.file(), schema: schema).rows(of: 0).count == 3)
  }
}
