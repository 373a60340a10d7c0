import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for properties of random fetches.
@Suite("Fetching: laws")
struct FetchLawTests {
  struct World {
    let store: TestStore
    let coordinator: PersistentStoreCoordinator

    init(_ kind: StoreKind, seed: UInt64) throws {
      let model = try FetchWorld.model()
      store = try TestStore(kind, model.schema)
      coordinator = PersistentStoreCoordinator(model: model, store: store.store, recordTypes: [])
      let context = ManagedObjectContext(coordinator: coordinator)
      var random = RandomFetch(random: RandomNumbers(seed: seed))
      try random.fill(context)
      try context.save()
    }

    func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }
  }

  /// Both stores and dictionaries agree on every predicate. The stores also agree on order, pages, counts and distinct
  /// values.
  @Test(arguments: randomSeeds(12))
  func storesAndDictionariesAgree(seed: UInt64) throws {
    let memory = try World(.memory, seed: seed)
    let sqlite = try World(.sqlite, seed: seed)
    let (first, second) = (memory.context(), sqlite.context())
    let dictionaries = try Dictionaries(first)
    var random = RandomFetch(random: RandomNumbers(seed: seed &+ 1_000))
    let store = try #require(sqlite.store.store as? SQLiteStore)
    var (heldCount, wholeCount) = (0, 0)
    for _ in 0..<150 {
      let request = random.request()
      let expected = FetchWorld.ids(try first.fetch(request))
      heldCount += expected.isEmpty ? 0 : 1
      wholeCount += try store.sql(for: sqlite.coordinator.fetch(request)).isWhole ? 1 : 0
      #expect(FetchWorld.ids(try second.fetch(request)) == expected, "\(request)")
      #expect(try second.count(for: request) == first.count(for: request), "\(request)")
      let values = try second.distinctValues(of: "id", in: request.entity, where: request.predicate)
      #expect(
        try values == first.distinctValues(of: "id", in: request.entity, where: request.predicate))
      try dictionaries.check(request, first)
    }
    // Otherwise the comparisons would be trivial.
    #expect(heldCount > 30)
    #expect(wholeCount > 50)
  }

  /// A fetch with unsaved changes returns the same records as after the save.
  @Test(arguments: randomSeeds(12), StoreKind.allCases)
  func unsavedChangesAreFetched(seed: UInt64, kind: StoreKind) throws {
    let world = try World(kind, seed: seed)
    let context = world.context()
    var random = RandomFetch(random: RandomNumbers(seed: seed &+ 2_000))
    var answers: [(request: RecordFetchRequest, ids: String, count: Int)] = []
    for _ in 0..<random.random.number(1...6) { try random.change(context) }
    for _ in 0..<60 {
      let request = random.request()
      answers.append((request, FetchWorld.ids(try context.fetch(request)), try context.count(for: request)))
    }
    try context.save()
    let fresh = world.context()
    for answer in answers {
      #expect(FetchWorld.ids(try fresh.fetch(answer.request)) == answer.ids, "\(answer.request)")
      #expect(try fresh.count(for: answer.request) == answer.count, "\(answer.request)")
    }
  }

  /// The records of a context as dictionaries.
  private struct Dictionaries {
    private var documents: [EntityName: [(id: String, document: JSONDocument)]] = [:]
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) throws {
      self.context = context
      for entity in context.schema.entities {
        documents[entity.name] = try context.fetch(RecordFetchRequest(entity.name)).map { record in
          let text = try FetchWorld.json(record, context.schema)
          return (FetchWorld.ids([record]), try JSONDocument(parsing: Array(text.utf8)))
        }
      }
    }

    func check(_ request: RecordFetchRequest, _ context: ManagedObjectContext) throws {
      guard let predicate = request.predicate, predicate.keyPaths.allSatisfy(meansTheSame) else { return }
      let plain = RecordFetchRequest(request.entity, predicate: predicate)
      let matching = documents[request.entity]?.filter { predicate.matches($0.document.root) }
      let ids = FetchWorld.ids(try context.fetch(plain))
      #expect(matching?.map(\.id).joined(separator: " ") == ids, "\(predicate)")
    }

    /// Returns a Boolean value that indicates whether a key path has the same meaning for dictionaries. In
    /// dictionaries, dates and binary data are texts, and records have no identity. They are not nested deeper than
    /// `FetchWorld.json` writes them.
    private func meansTheSame(_ keyPath: PredicateKeyPath) -> Bool {
      guard keyPath.keys.count <= 4 else { return false }
      let others = [
        "date", "image", "user", "editor", "boss", "post", "tags", "likers", "media", "posts", "staff",
      ]
      return keyPath.keys.last.map { !others.contains($0) } ?? false
    }
  }
}
