import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Ids of records are right only for the store they came from. Rule: `cache.state`.
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

  // MARK: The state of a store

  @Test func aStoreCountsItsSavesAndHasASession() throws {
    var states: [StoreState] = []
    for round in 0..<3 {
      let store = try store()
      if let last = states.last { #expect(store.state == last) }
      states.append(store.state)
      #expect(store.state.saves == Int64(3 * round))
      for number in 1...3 {
        try save(store)
        #expect(store.state.saves == Int64(3 * round + number))
        #expect((store.state.session == states.last?.session) == (number > 1))
        states.append(store.state)
      }
    }
    #expect(Set(states.map(\.session)).count == 4)
  }

  @Test(arguments: StoreKind.allCases) func aStoreSaysWhenItHasDeletedLast(kind: StoreKind) throws {
    let store: any Store = try kind == .sqlite ? self.store() : MemoryStore(schema: model.schema)
    try save(store)
    #expect(store.state.lastDeletion == 0)
    try save(store)
    var changes = ChangeSet()
    changes.deleted = try store.rows(of: 0).suffix(1)
    try store.commit(changes)
    #expect(store.state.lastDeletion == 3)
    try save(store)
    #expect(store.state.lastDeletion == 3 && store.state.saves == 4)
    guard kind == .sqlite else { return }
    try copy("test.store", to: "copy.store")
    #expect(try self.store("copy.store").state == store.state)
  }

  @Test func whatWritesNothingChangesNothingOfTheState() throws {
    let store = try store()
    let (state, changedRows) = (store.state, store.totalChanges)
    try store.commit(ChangeSet())
    _ = store.reserveIDs(tree: 0, count: 5)
    try store.commit(ChangeSet())
    #expect(store.state == state && store.totalChanges == changedRows)
    // A save that fails.
    var changes = ChangeSet()
    changes.inserted = [
      Row(id: RecordID(tree: 0, serial: 1), entity: 0, isStub: false, values: [.double(.nan)], toOnes: [])
    ]
    #expect(throws: StoreError.self) { try store.commit(changes) }
    #expect(store.state == state)
    try save(store)
    #expect(store.state.session != state.session && store.state.saves == 1)
  }

  /// Files of before say nothing, and do with their first save.
  @Test func aFileWithoutAState() throws {
    try { try save(try store()) }()
    try {
      let connection = try SQLiteConnection(path: folder.file().path, mayCreate: false, listWidth: 1)
      try connection.run(#"DELETE FROM "$metadata" WHERE name = 'state'"#)
    }()
    let (first, second) = try (store().state, store().state)
    #expect(first != second && first.saves == 0)
    let saved = try {
      let store = try store()
      try save(store)
      return store.state
    }()
    #expect(saved.saves == 1)
    #expect(try store().state == saved)
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
    // The records are none the worse for it, and what was kept beside them is of no use.
    try {
      let store = try store()
      #expect(try store.rows(of: 0).count == 5)
      let cache = try cache()
      #expect((1...5).allSatisfy { cache.rows(for: .test("\($0)"), state: store.state).isEmpty })
    }()
    #expect(try kept() == 0)
    let saved = try {
      let store = try store()
      try save(store)
      return store.state
    }()
    #expect(try store().state == saved && store().rows(of: 0).count == 6)
  }

  @Test func aMigrationBeginsASession() throws {
    let state = try {
      let store = try store()
      try save(store)
      return store.state
    }()
    let newer = try ManagedObjectModel(entities: [
      EntityDescription("Early"),
      EntityDescription(
        "Post", attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)]),
    ])
    let migrated = try SQLiteStore(url: folder.file(), schema: newer.schema).state
    #expect(migrated.session != state.session && migrated.saves == 2)
    #expect(try SQLiteStore(url: folder.file(), schema: newer.schema).state == migrated)
  }

  @Test func storesInMemoryAreDifferent() throws {
    let (first, second) = (MemoryStore(schema: model.schema), MemoryStore(schema: model.schema))
    let state = first.state
    #expect(state.session != second.state.session)
    try save(first)
    #expect(first.state == StoreState(session: state.session, saves: 1))
  }

  @Test func whoHasToKnowIsToldOfSessions() throws {
    let steps = Steps()
    let store = try store()
    let coordinator = PersistentStoreCoordinator(model: model, store: store, recordTypes: []) {
      steps.add($0, $1)
    }
    let former = store.state
    let context = ManagedObjectContext(coordinator: coordinator)
    for round in 0..<3 {
      try context.save()
      #expect(steps.all.count == min(round, 1))
      _ = try context.insert("Post")
      try context.save()
      #expect(steps.all.count == 1)
    }
    #expect(steps.all.first?.from == former)
    #expect(steps.all.first?.to == StoreState(session: store.state.session, saves: 1))
    #expect(store.state.saves == 3)
  }

  // MARK: A cache beside it

  private func cache() throws -> RecordCache { try RecordCache(url: folder.file("cache"), now: Self.now) }

  /// Opens both, keeps an entry with each of five saves, and closes both.
  private func use(after save: (_ number: Int, _ store: SQLiteStore) throws -> Void = { _, _ in }) throws {
    let (store, cache) = (try store(), try cache())
    for number in 1...5 {
      let former = store.state
      try self.save(store)
      if store.state.session != former.session { cache.follow(from: former, to: store.state) }
      cache.keep(.test([Int64(number)]), for: .test("\(number)"), state: store.state)
      try save(number, store)
    }
  }

  /// How many of the entries can be used with the store that is there now; all or none, and none is there when the next
  /// one has been kept.
  private func kept() throws -> Int {
    let (store, cache) = (try store(), try cache())
    func count() -> Int {
      (1...5).count { cache.entries(for: .test("\($0)"), state: store.state) == [.test([Int64($0)])] }
    }
    let found = count()
    cache.keep(.test([9]), for: .test("9"), state: store.state)
    #expect(cache.entries(for: .test("9"), state: store.state) == [.test([9])])
    #expect(count() == found && cache.takeDiagnostics() == [])
    return found
  }

  @Test func aWarmCacheIsOfUseAfterBothAreOpenedAgain() throws {
    try use()
    #expect(try kept() == 5)
    #expect(try kept() == 5)
  }

  /// Nobody has to tell the cache of each save.
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
    #expect(try store().state.saves == Int64(number))
    #expect(try kept() == 0)
  }

  @Test func aStoreThatWasPutBack() throws {
    try use()
    try copy("test.store", to: "former")
    try use()
    #expect(try store().state.saves == 10)
    try copy("former", to: "test.store")
    #expect(try kept() == 0)
    // One that is as it was when the cache was used last.
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
      let former = store.state
      if round == 0 { cache.keep(.test(), for: .test("a"), state: former) }
      #expect(cache.entries(for: .test("a"), state: former) == [.test()])
      try save(store)
      #expect(cache.rows(for: .test("a"), state: store.state) == [])
      cache.follow(from: former, to: store.state)
      #expect(cache.entries(for: .test("a"), state: store.state) == [.test()])
      // Only who was there.
      cache.follow(from: .test, to: StoreState(session: 1, saves: 1))
      #expect(cache.entries(for: .test("a"), state: store.state) == [.test()])
    }
  }
}

/// The sessions that somebody was told of.
// Unchecked: `steps` is read and written under `lock` alone.
private final class Steps: @unchecked Sendable {
  private let lock = NSLock()
  private var steps: [(from: StoreState, to: StoreState)] = []

  func add(_ from: StoreState, _ to: StoreState) { lock.withLock { steps.append((from, to)) } }

  var all: [(from: StoreState, to: StoreState)] { lock.withLock { steps } }
}
