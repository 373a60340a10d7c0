import Foundation
import RecordEngine
import Testing

/// Tests that compare the cache with ``ObviousHTTPCache`` over random requests, changes, deletions, restarts and
/// delays. Rules: `cache.*`.
@Suite struct CachingLawsTests {
  @Test(arguments: randomSeeds(60), StoreKind.allCases)
  func doesWhatTheRFCSays(seed: UInt64, kind: StoreKind) async throws {
    var run = try CacheRun(seed, kind)
    for _ in 0..<60 { try await run.step() }
  }

  /// The seeds together cover every way to serve a request.
  @Test func everythingHappens() async throws {
    var served: Set<Served> = []
    for seed in UInt64(1)...20 {
      var run = try CacheRun(seed, .memory)
      for _ in 0..<60 { try await run.step() }
      served.formUnion(run.served)
    }
    #expect(served == Set(Served.allCases))
  }
}

/// A run of random steps.
private struct CacheRun {
  private var random: RandomNumbers
  private let server: ListServer
  private let clock = ManualClock()
  private var obvious = ObviousHTTPCache()
  private let kind: StoreKind
  private let folder: TemporaryFolder
  private let model: ManagedObjectModel
  /// The store in memory, which outlives restarts.
  private let store: MemoryStore
  private var cache: RecordCache
  private var container: PersistentContainer
  /// The contexts and the records that they have read, until the next restart.
  private var contexts: [ManagedObjectContext]
  private var held: [Record] = []
  private(set) var served: Set<Served> = []
  private var story: [String] = []

  init(_ seed: UInt64, _ kind: StoreKind) throws {
    var random = RandomNumbers(seed: seed)
    server = ListServer((0..<3).map { _ in random.list(0, now: 0) }, now: { [clock] in clock.now })
    self.random = random
    self.kind = kind
    folder = try TemporaryFolder()
    model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", isRecordLevelCachingEnabled: true,
        attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)])
    ])
    store = MemoryStore(schema: model.schema)
    cache = try Self.cache(kind, folder, clock)
    container = try Self.container(kind, model, store, folder, server, cache)
    contexts = [container.makeContext(), container.makeContext()]
  }

  private static func cache(_ kind: StoreKind, _ folder: TemporaryFolder, _ clock: ManualClock) throws
    -> RecordCache
  {
    let now: @Sendable () -> Date = { ListServer.start.addingTimeInterval(Double(clock.now)) }
    return kind == .memory ? RecordCache(now: now) : try RecordCache(url: folder.file("cache"), now: now)
  }

  private static func container(
    _ kind: StoreKind, _ model: ManagedObjectModel, _ store: MemoryStore, _ folder: TemporaryFolder,
    _ server: ListServer, _ cache: RecordCache
  ) throws -> PersistentContainer {
    kind == .memory
      ? PersistentContainer(model: model, store: store, configuration: .init(server: server, cache: cache))
      : try PersistentContainer(
        model: model, configuration: .init(store: .file(folder.file("store")), server: server, cache: cache))
  }

  mutating func step() async throws {
    switch random.number(0...19) {
    case 0...9: try await request()
    case 10...13: advance(random.number(1...40))
    case 14: advance(-random.number(1...30))
    case 15...16:
      let number = random.number(0...2)
      server.set(number, random.list(server.list(number).version + 1, now: clock.now))
      story.append("change list \(number): \(server.list(number))")
    case 17:
      server.setDown(!server.fails)
      story.append(server.fails ? "server down" : "server up")
    case 18: try delete(random.number(1...6))
    default:
      if random.chance(20) {
        try cache.removeAll()
        obvious.clear()
        story.append("clear")
      } else {
        try restart()
      }
    }
  }

  private mutating func advance(_ seconds: Int) {
    clock.advance(seconds)
    story.append("advance \(seconds)")
  }

  private mutating func request() async throws {
    let (number, language) = (random.number(0...2), random.pick([nil, "de", "en"]) ?? nil)
    let wish = random.wish()
    story.append("request \(number) \(language ?? "-") \(wish.cacheControl ?? "")")
    let expected = obvious.request(number, language, wish, server, now: clock.now)
    var request = RecordRequest(entity: "Post", urn: "\(number)")
    var options = RequestOptions()
    options.headers["Accept-Language"] = language
    options.headers["Cache-Control"] = wish.cacheControl
    request.options = options
    let count = server.requestCount
    var outcome = ObviousHTTPCache.Outcome.failure(status: 0)
    do {
      let context = random.pick(contexts) ?? contexts[0]
      let result = try await container.perform(request, context: context)
      try checkRecords(of: result)
      let ids = result.records.compactMap { $0["id"] as Int? }
      outcome = .answer(result.served, ids)
      served.insert(result.served)
      #expect(result.served != .cache || server.requestCount == count, "a cached response caused a request")
    } catch let failure as RequestFailure {
      #expect(failure.primary.code == .httpStatus)
      outcome = .failure(status: failure.status ?? 0)
    }
    try #require(outcome == expected, "\(story.joined(separator: "\n"))")
  }

  /// Checks that each record shows the saved values, even if another context has read, changed or deleted it.
  private mutating func checkRecords(of result: RequestResult<Record>) throws {
    let fresh = container.makeContext()
    held += result.records
    for record in result.records {
      let text: String? = record["text"]
      let saved: String? = fresh.record(with: record.recordID)?["text"]
      let isShown = text != nil && text == saved && !record.isDeleted
      try #require(isShown, "\(text ?? "-"), not \(saved ?? "-")\n\(story.joined(separator: "\n"))")
    }
  }

  private mutating func delete(_ id: Int) throws {
    story.append("delete \(id)")
    let context = random.pick(contexts + [container.makeContext()]) ?? contexts[0]
    // Without this, fetched records show the values that the context has read before.
    context.refreshAllObjects()
    for post in try context.fetch(RecordFetchRequest("Post")) where post["id"] as Int? == id {
      context.delete(post)
    }
    try context.save()
    obvious.delete(id)
  }

  /// Closes and reopens the cache and the store, like a restart of the app.
  private mutating func restart() throws {
    story.append("restart")
    (contexts, held) = ([], [])
    defer { contexts = [container.makeContext(), container.makeContext()] }
    guard kind == .sqlite else {
      container = try Self.container(kind, model, store, folder, server, cache)
      return
    }
    let placeholder = try PersistentContainer(model: model)
    (container, cache) = (placeholder, RecordCache())
    cache = try Self.cache(kind, folder, clock)
    container = try Self.container(kind, model, store, folder, server, cache)
  }
}

/// A clock that a test sets.
// Unchecked: `seconds` is accessed only under `lock`.
private final class ManualClock: @unchecked Sendable {
  private let lock = NSLock()
  private var seconds = 0

  var now: Int { lock.withLock { seconds } }
  func advance(_ change: Int) { lock.withLock { seconds += change } }
}

extension RandomNumbers {
  fileprivate mutating func wish() -> ObviousHTTPCache.Wish {
    var wish = ObviousHTTPCache.Wish()
    guard chance(40) else { return wish }
    wish.noCache = chance(15)
    wish.noStore = chance(15)
    wish.onlyIfCached = chance(15)
    if chance(25) { wish.maxAge = number(0...40) }
    if chance(25) { wish.minFresh = number(0...30) }
    if chance(25) { wish.maxStale = number(0...40) }
    return wish
  }

  fileprivate mutating func list(_ version: Int, now: Int) -> ListServer.List {
    var policy = ListServer.Policy()
    if chance(50) { policy.maxAge = number(1...40) }
    if chance(25) { policy.expires = number(0...40) }
    if chance(20) { policy.age = number(0...20) }
    if chance(30) { policy.modified = now - number(10...400) }
    if chance(25) { policy.staleIfError = number(1...60) }
    for directive in ["no-store", "no-cache", "must-revalidate", "immutable", "private"] where chance(12) {
      policy.directives.insert(directive)
    }
    policy.varies = chance(40)
    policy.hasTag = chance(50)
    let ids = shuffled(Array(1...6))
    return ListServer.List(ids: Array(ids.prefix(number(0...6))), version: version, policy: policy)
  }
}
