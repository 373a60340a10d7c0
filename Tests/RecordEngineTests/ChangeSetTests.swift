import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the members that relationships gain and lose by a save.
@Suite struct ChangeSetTests {
  private let schema: Schema

  init() throws {
    schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person",
        relationships: [
          RelationshipDescription("owner", to: "Person", inverse: "owned"),
          RelationshipDescription("owned", toMany: "Person", inverse: "owner"),
          RelationshipDescription("friend", to: "Person"),
          RelationshipDescription("likes", toMany: "Person", inverse: "fans"),
          RelationshipDescription("fans", toMany: "Person", inverse: "likes"),
          RelationshipDescription("list", toMany: "Person", isOrdered: true),
        ])
    ]).schema
  }

  private func id(_ serial: Int64) -> RecordID { RecordID(tree: 0, serial: serial) }

  private func relationship(_ name: PropertyName) throws -> SchemaRelationship {
    schema.relationships[try #require(schema.entities[0].relationshipIndices[name])]
  }

  private func row(_ serial: Int64, owner: Int64? = nil, friend: Int64? = nil) throws -> Row {
    var row = Row(id: id(serial), entity: 0, isStub: false, values: [], toOnes: [nil, nil])
    row.toOnes[try #require(relationship("owner").slot)] = owner.map(id)
    row.toOnes[try #require(relationship("friend").slot)] = friend.map(id)
    return row
  }

  /// Returns the changes as texts, such as `owned of 1: +2 -3`, in sorted order.
  private func memberChanges(_ changes: ChangeSet) -> [String] {
    changes.memberChanges(schema).map { end, change in
      let members = change.added.map { " +\($0.serial)" } + change.removed.map { " -\($0.serial)" }
      return "\(schema.relationships[end.relationship].name) of \(end.owner.serial):\(members.joined())"
    }.sorted()
  }

  @Test func rowsChangeBothSides() throws {
    var changes = ChangeSet()
    changes.inserted = [try row(5, owner: 1, friend: 2)]
    changes.updated = [
      ChangeSet.Update(before: try row(2, owner: 1, friend: 4), after: try row(2, owner: 3, friend: 4))
    ]
    changes.deleted = [try row(4, owner: 3)]
    #expect(
      memberChanges(changes) == [
        "friend of 5: +2", "owned of 1: +5 -2", "owned of 3: +2 -4", "owner of 2: +3 -1", "owner of 4: -3",
        "owner of 5: +1",
      ])
  }

  @Test func linksChangeBothSides() throws {
    var changes = ChangeSet()
    changes.linked = [
      Link(try relationship("likes"), owner: id(1), member: id(2)),
      Link(try relationship("list"), owner: id(1), member: id(3)),
    ]
    changes.unlinked = [Link(try relationship("likes"), owner: id(1), member: id(4))]
    #expect(
      memberChanges(changes) == ["fans of 2: +1", "fans of 4: -1", "likes of 1: +2 -4", "list of 1: +3"])
  }

  @Test func anOrderChangesNoMembers() throws {
    var changes = ChangeSet()
    changes.orderings = [
      ChangeSet.Ordering(
        relationship: try relationship("list").index, owner: id(1), added: [], order: [id(3), id(2)])
    ]
    #expect(memberChanges(changes) == ["list of 1:"])
  }
}
