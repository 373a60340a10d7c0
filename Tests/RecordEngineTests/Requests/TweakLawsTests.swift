import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for laws of tweaks with random models. Rules: `tweaks.key`, `tweaks.property`, `tweaks.file`.
@Suite struct TweakLawsTests {
  private func paths(_ schema: Schema) -> [[[MappingPath]]] {
    schema.entities.map { entity in
      entity.attributes.map(\.paths) + entity.relationships.map { schema.relationships[$0].paths }
    }
  }

  /// The file that is generated for editing does not change the model.
  @Test(arguments: randomSeeds(60))
  func whatIsWrittenChangesNothing(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    let model = try RandomModel(&random).checked()
    let document = try JSONDocument(parsing: Array(model.tweakableValues().canonicalText().utf8))
    let schema = try model.schema(with: ModelTweaks(document, of: model))
    #expect(schema.entities.map(\.key) == model.schema.entities.map(\.key))
    #expect(schema.entities.map(\.keyScope) == model.schema.entities.map(\.keyScope))
    #expect(schema.entities.map(\.responseKeyPath) == model.schema.entities.map(\.responseKeyPath))
    #expect(paths(schema) == paths(model.schema))
    #expect(schema.tweakedKeyScopes.isEmpty)
  }

  private static func model(key: [PropertyName]) throws -> ManagedObjectModel {
    var item = EntityDescription(
      "Item",
      attributes: ["a", "b", "c"].map { AttributeDescription($0, .int64) },
      relationships: [
        RelationshipDescription("next", to: "Item", inverse: "former"),
        RelationshipDescription("former", toMany: "Item", inverse: "next"),
      ])
    item.primaryKey = key
    return try ManagedObjectModel(entities: [
      item,
      EntityDescription(
        "Special", parent: "Item", usedWhen: "d != nil", attributes: [AttributeDescription("d", .int64)]),
    ])
  }

  private func item(_ random: inout RandomNumbers, depth: Int) -> String {
    var members: [String] = []
    // The values of `a` are unique, because a save of the context would refuse duplicate keys of the model.
    for (name, share, greatest) in [("a", 80, 1_000_000_000), ("b", 90, 4), ("c", 60, 4), ("d", 25, 4)]
    where random.chance(share) {
      members.append("\"\(name)\": \(random.number(1...greatest))")
    }
    if depth > 0, random.chance(40) { members.append("\"next\": " + item(&random, depth: depth - 1)) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  /// Returns a line for each record with its values, oldest first. A link is the index of the linked record.
  private func graph(_ container: PersistentContainer) throws -> [String] {
    let context = container.makeContext()
    let records = try context.fetch(RecordFetchRequest("Item")).sorted { $0.recordID < $1.recordID }
    return records.map { record in
      let values = ["a", "b", "c"].map { (name: PropertyName) in
        (record[name] as Int64?).map(String.init) ?? "-"
      }
      let next: Record? = record["next"]
      let index = next.flatMap { next in records.firstIndex { $0 === next } }
      return ([record.entityName?.rawValue ?? "?"] + values + [index.map(String.init) ?? "-"]).joined(
        separator: " ")
    }
  }

  /// A key from a tweak identifies records in the same way as a key in the model.
  @Test(arguments: StoreKind.allCases, randomSeeds(30))
  func aTweakedKeyIsAKey(kind: StoreKind, seed: UInt64) async throws {
    var random = RandomNumbers(seed: seed)
    let key: [PropertyName] = random.chance(50) ? ["b"] : ["b", "c"]
    let folder = try TemporaryFolder()
    let tweaks = folder.file("tweaks.json")
    try Data("{\"Item\": {\"primaryKey\": \(key.map(\.rawValue))}}".utf8).write(to: tweaks)
    let responses = (0..<4).map { _ in
      "[" + (0..<random.number(0...6)).map { _ in item(&random, depth: 2) }.joined(separator: ", ") + "]"
    }
    let server = TestServer { request in
      ServerResponse(.bytes(Array(responses[Int(request.urn) ?? 0].utf8)))
    }
    let (model, wanted) = (try Self.model(key: ["a"]), try Self.model(key: key))
    let (store, other) = (try TestStore(kind, model.schema), try TestStore(kind, wanted.schema))
    let tweaked = PersistentContainer(
      model: model, store: store.store, configuration: .init(server: server, tweaks: tweaks))
    let declared = PersistentContainer(
      model: wanted, store: other.store, configuration: .init(server: server))
    for number in 0..<4 {
      var options = RequestOptions()
      options.automaticallyPersistsRecords = random.chance(70)
      for container in [tweaked, declared] {
        let context = container.makeContext()
        _ = try await container.request("Item", urn: "\(number)", options: options, context: context)
        try context.save()
      }
      #expect(try graph(tweaked) == graph(declared))
    }
  }
}
