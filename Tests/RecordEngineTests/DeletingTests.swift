import RecordEngine
import Testing

/// Tests for deletions by the caller, rollbacks, and relationships that deny a deletion. Rule: `save.delete-rules`.
@Suite struct DeletingTests {
  /// Returns a context for a model of an owner with members under every delete rule.
  private static func context() throws -> (PersistentContainer, ManagedObjectContext) {
    let id = AttributeDescription("id", .string)
    func member(_ name: EntityName, _ inverse: PropertyName, isOptional: Bool = true) -> EntityDescription {
      EntityDescription(
        name, primaryKey: "id", attributes: [id],
        relationships: [
          RelationshipDescription("owner", to: "Owner", inverse: inverse, isOptional: isOptional)
        ])
    }
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Owner", primaryKey: "id", attributes: [id],
        relationships: [
          RelationshipDescription("nullified", toMany: "Nullified", inverse: "owner"),
          RelationshipDescription("cascaded", toMany: "Cascaded", inverse: "owner", deleteRule: .cascade),
          RelationshipDescription("denying", toMany: "Denying", inverse: "owner", deleteRule: .deny),
          RelationshipDescription("abandoned", toMany: "Abandoned", inverse: "owner", deleteRule: .noAction),
          RelationshipDescription("next", to: "Owner", inverse: "previous", deleteRule: .cascade),
          RelationshipDescription("previous", to: "Owner", inverse: "next"),
          RelationshipDescription("link", to: "Owner"),
          RelationshipDescription("links", toMany: "Owner"),
        ]),
      member("Nullified", "nullified", isOptional: false), member("Cascaded", "cascaded"),
      member("Denying", "denying"), member("Abandoned", "abandoned", isOptional: false),
    ])
    let container = try PersistentContainer(model: model)
    return (container, container.makeContext())
  }

  private func make(
    _ entity: EntityName, _ id: String, owner: Record? = nil, in context: ManagedObjectContext
  ) throws -> Record {
    let record = try context.insert(entity)
    record["id"] = id
    if let owner { record["owner"] = owner }
    return record
  }

  private func ids(_ entity: EntityName, _ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(RecordFetchRequest(entity)).compactMap { $0["id"] }
  }

  /// The change that removes the members from their owner, before or after the deletion of the owner.
  enum Removal: CaseIterable {
    case none, deleted, moved, unlinked
  }

  @Test(arguments: Removal.allCases, [true, false]) func denyIsJudgedOverTheWholeSave(
    removal: Removal, isDeletedFirst: Bool
  ) throws {
    let (container, context) = try Self.context()
    let owner = try make("Owner", "A", in: context)
    let other = try make("Owner", "B", in: context)
    let members = try ["1", "2"].map { try make("Denying", $0, owner: owner, in: context) }
    try context.save()

    if isDeletedFirst { context.delete(owner) }
    for member in members {
      switch removal {
      case .none: break
      case .deleted: context.delete(member)
      case .moved: member["owner"] = other
      case .unlinked: member["owner"] = Record?.none
      }
    }
    if !isDeletedFirst { context.delete(owner) }
    #expect(owner.isDeleted)
    #expect(members.allSatisfy { ($0["owner"] as Record?)?.recordID != owner.recordID })
    if removal == .none {
      let failure = #expect(throws: RequestFailure.self) { try context.save() }
      #expect(failure?.diagnostics.map(\.code) == [.saveError])
      #expect(failure?.primary.entity == "Owner")
      #expect(failure?.primary.property == "denying")
      #expect(
        failure?.primary.message
          == "'Owner/A' cannot be deleted while 'denying' contains 2 records")
      #expect(try ids("Owner", container.makeContext()) == ["A", "B"])
      context.rollback()
      #expect(!owner.isDeleted)
      #expect(members.map { ($0["owner"] as Record?)?["id"] } == ["A", "A"])
    } else {
      try context.save()
      #expect(try ids("Owner", container.makeContext()) == ["B"])
      #expect(try ids("Denying", container.makeContext()) == (removal == .deleted ? [] : ["1", "2"]))
    }
  }

  @Test func aDeletedRecordIsNeitherChangedNorLinked() throws {
    let (container, context) = try Self.context()
    let (gone, owner) = (try make("Owner", "A", in: context), try make("Owner", "B", in: context))
    let member = try make("Nullified", "1", owner: owner, in: context)
    (owner["link"], owner["links"]) = (gone, [gone])
    try context.save()
    context.delete(gone)
    #expect(owner["link"] as Record? == nil)
    #expect((owner["links"] as [Record]).isEmpty)
    gone["id"] = "changed"
    owner["links"] = [gone]
    owner.add(gone, to: "links")
    owner["next"] = gone
    gone.add(member, to: "nullified")
    #expect(gone["id"] as String? == nil)
    #expect((owner["links"] as [Record]).isEmpty)
    #expect(owner["next"] as Record? == nil)
    #expect(context.record(with: gone.recordID) == nil)
    context.delete(gone)
    let changes = try context.save()
    #expect(changes.deleted == [gone.recordID])
    #expect(owner["link"] as Record? == nil)
    #expect((member["owner"] as Record?)?["id"] == "B")
    #expect(try ids("Owner", container.makeContext()) == ["B"])
  }

}
