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

  @Test func cascadesGoThroughCycles() throws {
    let (container, context) = try Self.context()
    let owners = try ["A", "B", "C"].map { try make("Owner", $0, in: context) }
    for (index, owner) in owners.enumerated() { owner["next"] = owners[(index + 1) % 3] }
    let member = try make("Cascaded", "1", owner: owners[1], in: context)
    let other = try make("Owner", "D", in: context)
    try context.save()

    context.delete(owners[0])
    #expect((owners + [member]).map(\.isDeleted) == [true, true, true, true])
    #expect(!other.isDeleted)
    #expect(try ids("Owner", context) == ["D"])
    let changes = try context.save()
    #expect(Set(changes.deleted) == Set((owners + [member]).map(\.recordID)))
    #expect(try ids("Owner", container.makeContext()) == ["D"])
    #expect(try ids("Cascaded", container.makeContext()) == [])
  }

  @Test func aMemberThatRequiresItsOwnerForbidsToLoseIt() throws {
    let (container, context) = try Self.context()
    let owner = try make("Owner", "A", in: context)
    let member = try make("Nullified", "1", owner: owner, in: context)
    try context.save()
    context.delete(owner)
    #expect(member["owner"] as Record? == nil)
    let failure = #expect(throws: RequestFailure.self) { try context.save() }
    #expect(failure?.primary.entity == "Nullified")
    #expect(failure?.primary.message == "'owner' of 'Nullified/1' is required")
    #expect(try ids("Owner", container.makeContext()) == ["A"])
    context.delete(member)
    try context.save()
    #expect(try ids("Owner", container.makeContext()) == [])
  }

  @Test func noActionIgnoresRequiredOwners() throws {
    let (container, context) = try Self.context()
    let owner = try make("Owner", "A", in: context)
    _ = try make("Abandoned", "1", owner: owner, in: context)
    try context.save()
    context.delete(owner)
    try context.save()
    let member = try #require(container.makeContext().fetch(RecordFetchRequest("Abandoned")).first)
    #expect(member["owner"] as Record? == nil)
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

  @Test func whatIsMadeAndDeletedIsNothing() throws {
    let (_, context) = try Self.context()
    let owner = try make("Owner", "A", in: context)
    _ = try make("Cascaded", "1", owner: owner, in: context)
    context.delete(owner)
    #expect(!context.hasChanges)
    #expect(try context.save().isEmpty)
  }

  @Test func rollingBackForgetsAllUnsavedChanges() throws {
    let (_, context) = try Self.context()
    let owner = try make("Owner", "A", in: context)
    let member = try make("Cascaded", "1", owner: owner, in: context)
    try context.save()
    let new = try make("Owner", "new", in: context)
    owner["id"] = "changed"
    member["owner"] = new
    context.delete(member)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(new.isDeleted)
    #expect(owner["id"] == "A")
    #expect((member["owner"] as Record?)?["id"] == "A")
    #expect((owner["cascaded"] as [Record]).map { $0["id"] } == ["1"])
    #expect(context.record(with: new.recordID) == nil)
    #expect(try context.save().isEmpty)
  }

  @Test func rollingBackForgetsViolationsAndExceptions() throws {
    let (_, context) = try Self.context()
    let owner = try make("Owner", "A", in: context)
    _ = try make("Denying", "1", owner: owner, in: context)
    let abandoned = try make("Abandoned", "2", owner: owner, in: context)
    try context.save()
    context.delete(owner)
    #expect(context.problemsOfSaving().count == 1)
    context.rollback()
    abandoned["owner"] = nil as Record?
    #expect(context.problemsOfSaving().map(\.message) == ["'owner' of 'Abandoned/2' is required"])
  }
}
