import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

// MARK: Children

extension CallerConflictTests {
  @Test func aChildsEditsAreMadeInItsParent() async throws {
    try await request([["id": 1, "list": [2, 3]], ["id": 4], ["id": 5]], context, isSaved: true)
    try node(1, context)["list"] = [try node(3, context), try node(2, context)]
    let child = context.makeChild()
    let (owner, member) = (try node(1, child), try node(4, child))
    for id in [4, 5] { owner.add(try node(id, child), to: "list") }
    owner.remove(member, from: "list")
    owner.add(member, to: "list")
    owner.add(member, to: "friends")
    try child.save()
    #expect(try members("list", of: 1, context) == [3, 2, 5, 4])
    #expect(try members("friends", of: 1, context) == [4])
    owner["list"] = [member, try node(3, child), try node(2, child), try node(5, child)]
    try child.save()
    #expect(try members("list", of: 1, context) == [4, 3, 2, 5])
  }

  /// A child's removal leaves a member where the parent has moved it in the meantime.
  @Test func aChildRemovesAMemberThatItsParentHasMoved() async throws {
    try await request([["id": 1, "children": [3]], ["id": 2]], context, isSaved: true)
    let child = context.makeChild()
    try node(1, child).remove(node(3, child), from: "children")
    try node(3, context)["parent"] = try node(2, context)
    try child.save()
    #expect(try target("parent", of: 3, context) == 2)
  }

  /// A child's response replaces what the caller has set in the parent before, property by property.
  @Test func aChildsResponseReplacesTheParentsEdits() async throws {
    try await request(
      [["id": 1, "list": [2, 3], "tracks": [2, 3], "loose": 2, "friends": [2]]], context, isSaved: true)
    let (owner, members) = (try node(1, context), [try node(3, context), try node(2, context)])
    owner["text"] = "mine"
    owner["loose"] = members[0]
    owner.remove(members[1], from: "friends")
    for name: PropertyName in ["list", "tracks"] { owner[name] = members }
    let child = context.makeChild()
    try await request([["id": 1, "text": "sent", "tracks": [2, 3], "loose": 2, "friends": [2]]], child)
    try child.save()
    #expect(owner["text"] == "sent")
    #expect(try target("loose", of: 1, context) == 2)
    #expect(try self.members("friends", of: 1, context) == [2])
    #expect(try self.members("list", of: 1, context) == [3, 2])
    #expect(try self.members("tracks", of: 1, context) == [2, 3])
  }

  /// A response in a child empties a relationship that the caller has set in the parent. It stays empty when a saved
  /// response deletes another record.
  @Test func aDeletionDoesNotShowTheEditOfAParentAgain() async throws {
    try await request([["id": 1], ["id": 2], ["id": 3]], context, isSaved: true)
    try node(1, context)["loose"] = try node(2, context)
    let child = context.makeChild()
    try await request([["id": 1, "loose": nil]], child)
    try await request([["id": 3, "isGone": true]], child, isSaved: true)
    #expect(try child.fetch("Node").count == 2)
    #expect(try target("loose", of: 1, child) == nil)
  }

  /// The caller has linked a record in the parent that a response in the child deletes. The link has no effect any more.
  @Test func aLinkOfTheParentToARecordThatTheChildDeletesHasNoEffect() async throws {
    try await request([["id": 1], ["id": 2], ["id": 3], ["id": 4]], context, isSaved: true)
    try node(1, context)["loose"] = try node(2, context)
    let child = context.makeChild()
    try await request([["id": 1, "loose": 3]], child)
    try await request([["id": 2, "isGone": true]], child)
    try await request([["id": 1, "loose": 4]], child, isSaved: true)
    #expect(try target("loose", of: 1, child) == 4)
    try child.save()
    #expect(try target("loose", of: 1, context) == 4)
  }

  /// A saved response replaces an unsaved one in a child. The edits of the parent then show again.
  @Test func aSavedResponseShowsTheParentsEdits() async throws {
    let response: JSONValue = [["id": 1, "loose": 2, "friends": [2], "children": [2]]]
    try await request(response, context, isSaved: true)
    try node(1, context)["loose"] = nil as Record?
    for name: PropertyName in ["friends", "children"] {
      try node(1, context).remove(node(2, context), from: name)
    }
    context.refreshAllObjects()
    let child = context.makeChild()
    for isSaved in [false, true] {
      try await request(response, child, isSaved: isSaved)
      #expect(try target("loose", of: 1, child) == (isSaved ? nil : 2))
      #expect(try members("friends", of: 1, child) == (isSaved ? [] : [2]))
      #expect(try members("children", of: 1, child) == (isSaved ? [] : [2]))
    }
  }

  /// Members that a child's response adds come after those that the parent has ordered, even if the child removes them.
  @Test(arguments: [false, true]) func aChildsResponseKeepsTheParentsOrder(isRemoved: Bool) async throws {
    try await request([["id": 1, "list": [2, 3]]], context, isSaved: true)
    try node(1, context)["list"] = [try node(3, context), try node(2, context)]
    let child = context.makeChild()
    try await request([["id": 4], ["id": 1, "list": [3, 2, 4]]], child)
    if isRemoved { try node(1, child).remove(node(4, child), from: "list") }
    try child.save()
    #expect(try members("list", of: 1, context) == (isRemoved ? [3, 2] : [3, 2, 4]))
  }

  /// The parent's order contains a member that one response of a child moves away, and another one moves back.
  @Test func aMemberThatReturnsIsPlacedLast() async throws {
    try await request([["id": 1, "list": [2, 3]], ["id": 4], ["id": 5]], context, isSaved: true)
    try node(1, context)["list"] = [4, 3, 2].map { try node($0, context) }
    let child = context.makeChild()
    for (place, members) in [(5, [3, 2]), (1, [3, 2, 4])] {
      try await request([["id": 4, "place": .number(JSONNumber(Int64(place)))]], child)
      try child.save()
      #expect(try self.members("list", of: 1, context) == members)
    }
  }

  /// A response in a child restores the value of the parent, so that the child has no unsaved changes.
  @Test func aRestoredValueIsReported() async throws {
    try await request([["id": 1, "text": "a"], ["id": 2]], context, isSaved: true)
    try node(2, context)["text"] = "mine"
    let child = context.makeChild()
    try await request([["id": 1, "text": "b"]], child)
    let changes = try await request([["id": 1, "text": "a"]], child).changes
    #expect(
      changes.updated.map(\.changes) == [
        [PropertyChange(name: "text", values: .attribute(from: .string("b"), to: .string("a")))]
      ])
    #expect(!child.hasChanges)
  }

  /// The former value is the one that the child has shown, even if the parent has changed it in the meantime.
  @Test func theFormerValueIsTheOneThatTheChildShows() async throws {
    try await request([["id": 1, "text": "a"]], context, isSaved: true)
    let child = context.makeChild()
    #expect(try node(1, child)["text"] == "a")
    try node(1, context)["text"] = "b"
    let changes = try await request([["id": 1, "text": "c"]], child).changes
    #expect(
      changes.updated.map(\.changes) == [
        [PropertyChange(name: "text", values: .attribute(from: .string("a"), to: .string("c")))]
      ])
  }

  // MARK: Saved responses in a child with unsaved ones

  /// The parent sets one end of a one-to-one relationship after an unsaved response has set the other.
  @Test func theEditOfAParentTakesPrecedenceOverItsEarlierResponse() async throws {
    try await request([["id": 1], ["id": 2], ["id": 3], ["id": 4]], context, isSaved: true)
    try await request([["id": 3, "twin": 4]], context)
    try node(1, context)["twin"] = try node(3, context)
    let child = context.makeChild()
    try await request([["id": 5]], child)
    try await request([["id": 1, "twin": 2]], child, isSaved: true)
    #expect(try target("twin", of: 1, child) == 3)
    try child.save()
    try context.save()
    #expect(try target("twin", of: 1, container.makeContext()) == 3)
  }

  /// The parent has removed a member that another context moves, and the response moves it back.
  @Test func aMemberThatTheParentHasRemovedStaysRemoved() async throws {
    try await request([["id": 1, "children": [3]], ["id": 2]], context, isSaved: true)
    try node(1, context).remove(node(3, context), from: "children")
    try await saveElsewhere { try node(3, $0)["parent"] = try node(2, $0) }
    #expect(try target("parent", of: 3, context) == 2)
    let child = context.makeChild()
    try await request([["id": 4]], child)
    try await request([["id": 3, "parent": 1]], child, isSaved: true)
    #expect(try target("parent", of: 3, child) == nil)
    #expect(try target("parent", of: 3, context) == nil)
  }

  /// The context without its own edits is between one with edits and one with unsaved responses.
  @Test func aResponseInAGrandchildShowsTheEditsOfTheRoot() async throws {
    try await request([["id": 1, "text": "a", "loose": 2], ["id": 3]], context, isSaved: true)
    try node(1, context)["text"] = "mine"
    try node(1, context)["loose"] = nil as Record?
    let child = context.makeChild()
    try await request([["id": 1, "text": "b", "loose": 3]], child)
    let grandchild = child.makeChild()
    try await request([["id": 4]], grandchild)
    try await request([["id": 1, "text": "c", "loose": 2]], grandchild, isSaved: true)
    for shown in [context, child, grandchild] {
      #expect(try node(1, shown)["text"] == "mine")
      #expect(try target("loose", of: 1, shown) == nil)
    }
    #expect(try node(1, container.makeContext())["text"] == "c")
  }

  /// The record that the parent has linked is deleted elsewhere, so that the link has no effect.
  @Test func aLinkOfTheParentToADeletedRecordSetsNothing() async throws {
    try await request([["id": 1, "loose": 2], ["id": 3]], context, isSaved: true)
    try node(1, context)["loose"] = try node(3, context)
    try await saveElsewhere { $0.delete(try node(3, $0)) }
    let child = context.makeChild()
    try await request([["id": 4]], child)
    try await request([["id": 1, "loose": 5]], child, isSaved: true)
    #expect(try target("loose", of: 1, child) == 5)
  }

  /// The response links a record that the caller has deleted in the parent.
  @Test func aRecordThatTheParentHasDeletedStaysDeleted() async throws {
    try await request([["id": 1], ["id": 2, "parent": 1], ["id": 3]], context, isSaved: true)
    context.delete(try node(1, context))
    let child = context.makeChild()
    try await request([["id": 4]], child)
    try await request(
      [["id": 3, "loose": ["id": 1, "text": "sent"], "children": [2]]], child, isSaved: true)
    #expect(try child.fetch("Node").compactMap { $0["id"] as Int? }.sorted() == [2, 3, 4])
    #expect(try target("loose", of: 3, child) == nil)
    #expect(try target("parent", of: 2, child) == 3)
    try child.save()
    try context.save()
    let saved = container.makeContext()
    #expect(try saved.fetch("Node").compactMap { $0["id"] as Int? }.sorted() == [2, 3, 4])
    #expect(try target("parent", of: 2, saved) == 3)
  }
}
