import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that cached record ids are used only with the store that they belong to. Rule: `cache.state`.
@Suite struct CacheStateTests {
  private static let now = TestClock().now
  private let folder: TemporaryFolder
  private let model: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = try ManagedObjectModel(entities: [
      EntityDescription("Post", attributes: [AttributeDescription("id", .int64)])
    ])
  }

  private func store(_ name: String = "test.store") throws -> SQLiteStore {
    try SQLiteStore(url: folder.file(name), schema: model.schema)
  }

  private func save(_ store: any Store) throws {
    var changes = ChangeSet()
    changes.inserted = [
      Row(id: store.reserveIDs(tree: 0, count: 1), entity: 0, isStub: false, values: [nil], toOnes: [])
    ]
    try store.commit(changes)
  }

  private func copy(_ name: String, to other: String) throws {
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(at: folder.file(other + suffix))
      if FileManager.default.fileExists(atPath: folder.file(name + suffix).path) {
        try FileManager.default.copyItem(at: folder.file(name + suffix), to: folder.file(other + suffix))
      }
    }
  }

  // MARK: The generation of a store

  @Test func aStoreCountsItsSavesAndHasASession() throws {
    var generations: [StoreGeneration] = []
    for round in 0..<3 {
      let store = try store()
      if let last = generations.last { #expect(store.generation == last) }
      generations.append(store.generation)
      #expect(store.generation.saves == Int64(3 * round))
      for number in 1...3 {
        try save(store)
        #expect(store.generation.saves == Int64(3 * round + number))
        #expect((store.generation.session == generations.last?.session) == (number > 1))
        generations.append(store.generation)
      }
    }
    #expect(Set(generations.map(\.session)).count == 4)
  }

  @Test(arguments: StoreKind.allCases) func aStoreSaysWhenItHasDeletedLast(kind: StoreKind) throws {
    let store: any Store = try kind == .sqlite ? self.store() : MemoryStore(schema: model.schema)
    try save(store)
    #expect(store.generation.lastDeletion == 0)
    try save(store)
    var changes = ChangeSet()
    changes.deleted = try store.rows(of: 0).suffix(1)
    try store.commit(changes)
    #expect(store.generation.lastDeletion == 3)
    try save(store)
    #expect(store.generation.lastDeletion == 3 && store.generation.saves == 4)
    guard kind == .sqlite else { return }
    try copy("test.store", to: "copy.store")
    #expect(try self.store("copy.store").generation == store.generation)
  }

  @Test func whatWritesNothingChangesNothingOfTheState() throws {
    let store = try store()
    let (generation, changedRows) = (store.generation, store.totalChanges)
    try store.commit(ChangeSet())
    _ = store.reserveIDs(tree: 0, count: 5)
    try store.commit(ChangeSet())
    #expect(store.generation == generation && store.totalChanges == changedRows)
    // A save that fails.
    var changes = ChangeSet()
    changes.inserted = [
      Row(id: RecordID(tree: 0, serial: 1), entity: 0, isStub: false, values: [.double(.nan)], toOnes: [])
    ]
    #expect(throws: StoreError.self) { try store.commit(changes) }
    #expect(store.generation == generation)
    try save(store)
    #expect(store.generation.session != generation.session && store.generation.saves == 1)
  }

  /// A file of an earlier version has no state until its first save.
  @Test func aFileWithoutAState() throws {
    try { try save(try store()) }()
    try {
      let connection = try SQLiteConnection(path: folder.file().path, mayCreate: false, listWidth: 1)
      try connection.run(#"DELETE FROM "$metadata" WHERE name = 'state'"#)
    }()
    let (first, second) = try (store().generation, store().generation)
    #expect(first != second && first.saves == 0)
    let saved = try {
      let store = try store()
      try save(store)
      return store.generation
    }()
    #expect(saved.saves == 1)
    #expect(try store().generation == saved)
  }

  @Test(arguments: [
    "", "1", "1 1", "x 1 0", "1 x 0", "1 -1 0", "1 9223372036854775807 0", "1 1 x", "1 1 -1", "1 1 2",
    "1 1 1 1",
  ])
  func aStateThatIsNone(text: String) throws {
    try use()
    try {
      let connection = try SQLiteConnection(path: folder.file().path, mayCreate: false, listWidth: 1)
      try connection.run(#"UPDATE "$metadata" SET value = ?1 WHERE name = 'state'"#, .text(text))
    }()
    // The records are not affected, but cached responses are not used.
    try {
      let store = try store()
      #expect(try store.rows(of: 0).count == 5)
      let cache = try cache()
      #expect((1...5).allSatisfy { cache.rows(for: .test("\($0)"), generation: store.generation).isEmpty })
    }()
    #expect(try kept() == 0)
    let saved = try {
      let store = try store()
      try save(store)
      return store.generation
    }()
    #expect(try store().generation == saved && store().rows(of: 0).count == 6)
  }

  @Test func aMigrationBeginsASession() throws {
    let generation = try {
      let store = try store()
      try save(store)
      return store.generation
    }()
    let newer = try ManagedObjectModel(entities: [
      EntityDescription("Early"),
      EntityDescription(
        "Post", attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)]),
    ])
    let migrated = try SQLiteStore(url: folder.file(), schema: newer.schema).generation
    #expect(migrated.session != generation.session && migrated.saves == 2)
    #expect(try SQLiteStore(url: folder.file(), schema: newer.schema).generation == migrated)
  }

  @Test func storesInMemoryAreDifferent() throws {
    let (first, second) = (MemoryStore(schema: model.schema), MemoryStore(schema: model.schema))
    let generation = first.generation
    #expect(generation.session != second.generation.session)
    try save(first)
    #expect(first.generation == StoreGeneration(session: generation.session, saves: 1))
  }

  @Test func whoHasToKnowIsToldOfSessions() throws {
    let steps = Steps()
    let store = try store()
    let coordinator = PersistentStoreCoordinator(model: model, store: store, recordTypes: []) {
      steps.add($0, $1)
    }
    let former = store.generation
    let context = ManagedObjectContext(coordinator: coordinator)
    for round in 0..<3 {
      try context.save()
      #expect(steps.all.count == min(round, 1))
      _ = try context.insert("Post")
      try context.save()
      #expect(steps.all.count == 1)
    }
    #expect(steps.all.first?.from == former)
    #expect(steps.all.first?.to == StoreGeneration(session: store.generation.session, saves: 1))
    #expect(store.generation.saves == 3)
  }

  // MARK: A store with a cache

  private func cache() throws -> RecordCache { try RecordCache(url: folder.file("cache"), now: Self.now) }

  /// Opens the store and the cache, stores an entry after each of five saves, and closes both.
  private func use(after save: (_ number: Int, _ store: SQLiteStore) throws -> Void = { _, _ in }) throws {
    let (store, cache) = (try store(), try cache())
    for number in 1...5 {
      let former = store.generation
      try self.save(store)
      if store.generation.session != former.session { cache.follow(from: former, to: store.generation) }
      cache.keep(.test([Int64(number)]), for: .test("\(number)"), generation: store.generation)
      try save(number, store)
    }
  }

  /// Returns the number of entries that can be used with the current store, which is either all or none. Storing
  /// another entry does not change this number.
  private func kept() throws -> Int {
    let (store, cache) = (try store(), try cache())
    func count() -> Int {
      (1...5).count {
        cache.entries(for: .test("\($0)"), generation: store.generation) == [.test([Int64($0)])]
      }
    }
    let found = count()
    cache.keep(.test([9]), for: .test("9"), generation: store.generation)
    #expect(cache.entries(for: .test("9"), generation: store.generation) == [.test([9])])
    #expect(count() == found && cache.takeDiagnostics() == [])
    return found
  }

  @Test func aWarmCacheIsOfUseAfterBothAreOpenedAgain() throws {
    try use()
    #expect(try kept() == 5)
    #expect(try kept() == 5)
  }

  /// The cache does not have to be notified of each save.
  @Test func savesOfOneSession() throws {
    try use { _, store in
      try save(store)
      try save(store)
    }
    #expect(try kept() == 5)
  }

  @Test(arguments: [1, 4]) func aStoreThatHasLostItsLastSaves(number: Int) throws {
    try use { saved, _ in if saved == number { try copy("test.store", to: "former") } }
    try copy("former", to: "test.store")
    #expect(try store().generation.saves == Int64(number))
    #expect(try kept() == 0)
  }

  @Test func aStoreThatWasPutBack() throws {
    try use()
    try copy("test.store", to: "former")
    try use()
    #expect(try store().generation.saves == 10)
    try copy("former", to: "test.store")
    #expect(try kept() == 0)
    // A store in the state that it had when the cache was last used.
    try copy("test.store", to: "former")
    let last = try kept()
    try copy("former", to: "test.store")
    #expect(try kept() == last)
  }

  @Test func aStoreThatWasWrittenWithoutTheCache() throws {
    try use()
    try { try save(try store()) }()
    #expect(try kept() == 0)
  }

  @Test func anotherStore() throws {
    try use()
    try { for _ in 0..<9 { try save(try store("other")) } }()
    try copy("other", to: "test.store")
    #expect(try kept() == 0)
  }

  @Test func aStoreThatIsFollowed() throws {
    try { try save(try store()) }()
    let cache = RecordCache(now: Self.now)
    for round in 0..<3 {
      let store = try store()
      let former = store.generation
      if round == 0 { cache.keep(.test(), for: .test("a"), generation: former) }
      #expect(cache.entries(for: .test("a"), generation: former) == [.test()])
      try save(store)
      #expect(cache.rows(for: .test("a"), generation: store.generation) == [])
      cache.follow(from: former, to: store.generation)
      #expect(cache.entries(for: .test("a"), generation: store.generation) == [.test()])
      // The cache follows only the generation that it belongs to.
      cache.follow(from: .test, to: StoreGeneration(session: 1, saves: 1))
      #expect(cache.entries(for: .test("a"), generation: store.generation) == [.test()])
    }
  }
}

/// The changes of session that the store reported.
// Unchecked: `steps` is accessed only under `lock`.
private final class Steps: @unchecked Sendable {
  private let lock = NSLock()
  private var steps: [(from: StoreGeneration, to: StoreGeneration)] = []

  func add(_ from: StoreGeneration, _ to: StoreGeneration) { lock.withLock { steps.append((from, to)) } }

  var all: [(from: StoreGeneration, to: StoreGeneration)] { lock.withLock { steps } }
}
