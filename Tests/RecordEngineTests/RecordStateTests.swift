import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the access of hooks to the properties of records.
@Suite struct RecordStateTests {
  /// Imports a dog and a cat, then a response with a person only, whose hook receives both as orphans.
  private static func decide(_ body: @escaping @Sendable (RecordState) -> Void) throws {
    let schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Pet", primaryKey: "id",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("home", to: "Person")]),
      EntityDescription(
        "Dog", parent: "Pet", usedWhen: "kind == 'dog'", attributes: [AttributeDescription("tag", .string)],
        relationships: [RelationshipDescription("keeper", to: "Person", inverse: "dogs")]),
      EntityDescription(
        "Cat", parent: "Pet", usedWhen: "kind == 'cat'",
        relationships: [RelationshipDescription("keeper", toMany: "Person", inverse: "cats")]),
      EntityDescription(
        "Person", primaryKey: "email", attributes: [AttributeDescription("email", .string)],
        relationships: [
          RelationshipDescription("dogs", toMany: "Dog", inverse: "keeper"),
          RelationshipDescription("cats", toMany: "Cat", inverse: "keeper"),
        ]),
    ]).schema
    let store = MemoryStore(schema: schema)
    let decide: OrphanDecision.Hook = { item in
      body(item.orphan)
      return .keep
    }
    let pets: JSONValue = [
      ["id": 1, "kind": "dog", "tag": "D", "keeper": "ann"],
      ["id": 2, "kind": "cat", "keeper": ["ann", "bo"]],
    ]
    let others: JSONValue = [["id": 3]]
    for (items, deletion) in [
      (pets, nil), (others, OrphanDeletion(decide: decide)),
    ] as [(JSONValue, OrphanDeletion?)] {
      var options = PopulationOptions()
      options.orphans = deletion
      let population = Population(
        schema: schema, reader: store, entity: 0, response: "test", options: options)
      _ = try population.populateAndSave(JSONDocument(items), to: store)
    }
  }

  /// A property that only another entity of the hierarchy has is empty.
  @Test func eachEntityHasItsOwnProperties() async throws {
    try await confirmation(expectedCount: 2) { isAsked in
      try Self.decide { pet in
        let (keeper, keepers): (RecordState?, [RecordState]) = (pet["keeper"], pet["keeper"])
        let emails = ([keeper].compactMap(\.self) + keepers).map { $0["email"] ?? "" }
        let isDog = pet.entityName == "Dog"
        #expect((keeper != nil) == isDog)
        #expect(emails == (isDog ? ["ann"] : ["ann", "bo"]))
        #expect(pet["tag"] == (isDog ? "D" : nil))
        isAsked()
      }
    }
  }

  /// Rule: `diagnostics.failure`. The later failures of a hook may follow from the first.
  @Test func theFirstFailureOfAHookFailsTheRequest() {
    let failure = #expect(throws: RequestFailure.self) {
      try Self.decide { pet in _ = pet.matches("nmae == 'Rex'") || pet.matches("name ==") }
    }
    #expect(failure?.primary.code == .invalidEntity)
  }

  #if !os(iOS)
    private static func message(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func anAttributeThatNoPetHasStopsTheProgram() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.decide { pet in _ = pet["email"] as String? }
      }
      #expect(Self.message(result).contains("'Dog' has no attribute 'email'"))
    }

    @Test func aToOneReadAsAToManyStopsTheProgram() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.decide { pet in _ = pet["home"] as [RecordState] }
      }
      #expect(Self.message(result).contains("'Dog' has no to-many relationship 'home'"))
    }

    @Test func aRelationshipThatNoPetHasStopsTheProgram() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.decide { pet in _ = pet["hoem"] as RecordState? }
      }
      #expect(Self.message(result).contains("'Dog' has no to-one relationship 'hoem'"))
    }
  #endif
}
