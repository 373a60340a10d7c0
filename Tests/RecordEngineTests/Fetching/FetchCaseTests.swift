import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that a predicate has the same meaning in memory, in SQL and for dictionaries.
@Suite("Fetching: meaning of predicates")
struct FetchCaseTests {
  @Test(arguments: StoreKind.allCases)
  func storesAnswer(kind: StoreKind) throws {
    let world = try FetchWorld(kind)
    let context = world.context()
    for fetchCase in FetchCase.all {
      let ids = try FetchWorld.ids(EntityName(fetchCase.entity), fetchCase.predicate, in: context)
      #expect(ids == fetchCase.ids, "\(fetchCase)")
    }
  }

  /// SQL evaluates all predicates completely, with three exceptions:
  ///
  /// - to-many relationships that are compared as a whole
  /// - members whose values can be lists
  /// - attributes with the same name but different types
  @Test func sqlIsAskedForTheWholeAnswer() throws {
    let world = try FetchWorld(.sqlite)
    let store = try #require(world.store.store as? SQLiteStore)
    var others: [String] = []
    for fetchCase in FetchCase.all {
      let fetch = try world.coordinator.fetch(
        RecordFetchRequest(EntityName(fetchCase.entity), predicate: RecordPredicate(fetchCase.predicate)))
      if !store.sql(for: fetch).isWhole { others.append(fetchCase.predicate) }
    }
    #expect(
      others == [
        "tags.text == 'Linux'", "tags.text != 'Linux'", "tags == nil", "tags != nil", "tags.weight < 5",
        "ANY posts.extra == 'plain'", "ANY posts.extra == 'plain'", "size == 5", "size == '5'", "size != nil",
        "size IN {5, 'large'}", "ANY media.size == 5",
      ])
  }

  @Test func dictionariesAnswer() throws {
    let context = try FetchWorld(.memory).context()
    let schema = context.schema
    var documents: [EntityName: [(id: String, document: JSONDocument)]] = [:]
    for entity in schema.entities {
      documents[entity.name] = try context.fetch(RecordFetchRequest(entity.name)).map { record in
        (FetchWorld.ids([record]), try JSONDocument(parsing: Array(FetchWorld.json(record, schema).utf8)))
      }
    }
    for fetchCase in FetchCase.all where fetchCase.isForDictionaries {
      let predicate = try RecordPredicate(fetchCase.predicate)
      let matching = documents[EntityName(fetchCase.entity)]?.filter { predicate.matches($0.document.root) }
      #expect(matching?.map(\.id).joined(separator: " ") == fetchCase.ids, "\(fetchCase)")
    }
  }
}
