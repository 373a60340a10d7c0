import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// A predicate means one thing wherever it is asked.
@Suite("Fetching: one meaning")
struct FetchCaseTests {
  @Test func memoryStoresAnswer() throws {
    let context = try FetchWorld.inMemory()
    for fetchCase in FetchCase.all {
      let ids = try FetchWorld.ids(EntityName(fetchCase.entity), fetchCase.predicate, in: context)
      #expect(ids == fetchCase.ids, "\(fetchCase)")
    }
  }

  @Test func dictionariesAnswer() throws {
    let context = try FetchWorld.inMemory()
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
