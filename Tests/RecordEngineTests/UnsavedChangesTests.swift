import RecordModel
import Testing

@testable import RecordEngine

/// Tests for conflicts between unsaved changes of responses and those of the caller. Rules: `context.conflict`,
/// `save.child`, `save.concurrent`.
@Suite struct UnsavedChangesTests {
  private static func container(_ responses: [String: JSONValue]) throws -> PersistentContainer {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Book", primaryKey: "id", deletedWhen: "isGone == true",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("text", .string),
          AttributeDescription("isGone", .boolean),
        ],
        relationships: [
          RelationshipDescription("sequel", to: "Book", inverse: "prequel"),
          RelationshipDescription("prequel", to: "Book", inverse: "sequel"),
          RelationshipDescription("likes", to: "Book"),
          RelationshipDescription("shelf", to: "Shelf", inverse: "books"),
        ]),
      EntityDescription(
        "Shelf", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription("books", toMany: "Book", inverse: "shelf", deleteRule: .cascade),
          RelationshipDescription("featured", toMany: "Book", assignment: .replace),
        ]),
    ])
    return PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema),
      configuration: .init(server: CannedServer(responses)))
  }

  private static let unsaved: RequestOptions = {
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    return options
  }()

  private func books(_ context: ManagedObjectContext) throws -> [String: Record] {
    let books = try context.fetch(RecordFetchRequest("Book"))
    return Dictionary(uniqueKeysWithValues: books.map { ($0["id"] ?? "", $0) })
  }

  private func id(_ name: PropertyName, of book: Record?) -> String? {
    (book?[name] as Record?)?["id"]
  }

  @Test func aChildsDeletionIsNoDeletionOfAnothersRecord() async throws {
    for deletesOwner in [false, true] {
      let container = try Self.container([
        "unsaved": [["id": "1", "shelf": "S"]], "saved": [["id": "1", "text": "another's"]],
        "shelf": [["id": "S"]],
      ])
      let (parent, other) = (container.makeContext(), container.makeContext())
      _ = try await container.request("Shelf", urn: "shelf", context: parent)
      let book = try await container.request("Book", urn: "unsaved", options: Self.unsaved, context: parent)
        .records[0]
      let child = parent.makeChild()
      let record = try #require(child.record(with: book.recordID))
      child.delete(deletesOwner ? try #require(record["shelf"] as Record?) : record)
      _ = try await container.request("Book", urn: "saved", context: other)
      try child.save()
      try parent.save()
      #expect(try books(container.makeContext())["1"]?["text"] == "another's")
    }
  }

  @Test func aRecordMadeAndDeletedHidesNoOther() async throws {
    let container = try Self.container(["one": [["id": "1", "text": "response"]]])
    let context = container.makeContext()
    let book = try context.insert("Book")
    book["id"] = "1"
    context.delete(book)
    for _ in 0..<2 {
      _ = try await container.request("Book", urn: "one", options: Self.unsaved, context: context)
    }
    try context.save()
    #expect(try books(context)["1"]?["text"] == "response")
  }

  /// A save lists neither the relationships of a deleted record nor those that led to it.
  @Test(arguments: ["Post", "Tag"] as [EntityName]) func deletionsAreNoUpdates(entity: EntityName) throws {
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Post", relationships: [RelationshipDescription("tags", toMany: "Tag", inverse: "posts")]),
        EntityDescription(
          "Tag", relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
      ]))
    let context = container.makeContext()
    let (post, tag) = (try context.insert("Post"), try context.insert("Tag"))
    post["tags"] = [tag]
    try context.save()
    context.delete(entity == "Post" ? post : tag)
    #expect(context.unsavedChanges.updated.isEmpty)
    let changes = try context.save()
    #expect(changes.updated.isEmpty && changes.deleted.count == 1)
  }

  @Test func aPartnerThatAResponseHasFreedStaysFree() async throws {
    let responses: [String: JSONValue] = [
      "stored": [["id": "Y", "sequel": "W"], ["id": "G", "sequel": "T"], ["id": "X"], ["id": "Z"]],
      "unsaved": [["id": "Y", "sequel": "X"], ["id": "W", "sequel": "T"]],
    ]
    for isSaved in [false, true] {
      let container = try Self.container(responses)
      let context = container.makeContext()
      _ = try await container.request("Book", urn: "stored", context: context)
      _ = try await container.request(
        "Book", urn: "unsaved", options: isSaved ? RequestOptions() : Self.unsaved, context: context)
      var named = try books(context)
      named["Z"]?["sequel"] = named["X"]
      named["W"]?["sequel"] = nil as Record?
      for _ in 0..<2 {
        #expect(id("sequel", of: named["Z"]) == "X" && id("sequel", of: named["Y"]) == nil)
        #expect(id("prequel", of: named["W"]) == nil && id("sequel", of: named["G"]) == nil)
        context.refreshAllObjects()
      }
      try context.save()
      named = try books(container.makeContext())
      #expect(id("sequel", of: named["Y"]) == nil && id("sequel", of: named["G"]) == nil)
    }
  }

  @Test func aChildsResponseCountsMoreThanEitherEndInTheParent() async throws {
    let container = try Self.container([
      "stored": [["id": "X"], ["id": "P"], ["id": "T"]], "unsaved": [["id": "X", "sequel": "T"]],
    ])
    let parent = container.makeContext()
    _ = try await container.request("Book", urn: "stored", context: parent)
    let named = try books(parent)
    named["X"]?["sequel"] = named["P"]
    let child = parent.makeChild()
    _ = try await container.request("Book", urn: "unsaved", options: Self.unsaved, context: child)
    try child.save()
    #expect(id("sequel", of: named["X"]) == "T" && id("prequel", of: named["P"]) == nil)
  }

  /// The caller's link takes precedence only until the linked record is deleted.
  @Test(arguments: [["gone", "said"], ["both"]]) func aLinkToADeletedRecordSetsNothing(
    urns: [String]
  ) async throws {
    let container = try Self.container([
      "stored": [["id": "X"], ["id": "P"], ["id": "T"]], "gone": [["id": "P", "isGone": true]],
      "said": [["id": "X", "likes": "T"]],
      "both": [["id": "P", "isGone": true], ["id": "X", "likes": "T"]],
    ])
    let context = container.makeContext()
    _ = try await container.request("Book", urn: "stored", context: context)
    let named = try books(context)
    named["X"]?["likes"] = named["P"]
    for urn in urns {
      _ = try await container.request("Book", urn: urn, options: Self.unsaved, context: context)
    }
    #expect(id("likes", of: named["X"]) == "T")
    try context.save()
    #expect(id("likes", of: try books(container.makeContext())["X"]) == "T")
  }

  /// The caller can change a context while a response for it is being populated.
  @Test func whatIsInsertedMeanwhileStays() async throws {
    let container = try Self.container(["unsaved": [["id": "1"]], "saved": [["id": "2"]]])
    let context = container.makeContext()
    _ = try await container.request("Book", urn: "unsaved", options: Self.unsaved, context: context)
    let levels = context.unsavedByLevel
    let book = try context.insert("Book")
    book["id"] = "3"
    context.mergeResponse(
      ChangeSet(), known: [], unsaved: levels.map { RestatedChanges($0.responses) })
    #expect(try books(context).keys.sorted() == ["1", "3"])
    try context.save()
    #expect(try books(container.makeContext()).keys.sorted() == ["1", "3"])
  }

  /// A saved response does not delete a record that the caller has inserted, because the store does not have it.
  @Test func aSavedResponseKeepsWhatTheCallerHasInserted() async throws {
    let container = try Self.container([
      "unsaved": [["id": "2"]], "gone": [["id": "1", "isGone": true]],
    ])
    let context = container.makeContext()
    let book = try context.insert("Book")
    book["id"] = "1"
    _ = try await container.request("Book", urn: "unsaved", options: Self.unsaved, context: context)
    _ = try await container.request("Book", urn: "gone", context: context)
    #expect(!book.isDeleted)
    #expect(try books(context).keys.sorted() == ["1", "2"])
  }

  /// A result reports what the response has changed in the context. Records that the caller has deleted are left out.
  @Test(arguments: [false, true]) func changesOfDeletedRecordsAreLeftOut(inParent: Bool) async throws {
    let container = try Self.container([
      "stored": [["id": "1", "shelf": "S"], ["id": "2"], ["id": "3"], ["id": "4"]],
      "unsaved": [
        ["id": "1"], ["id": "2"], ["id": "3", "isGone": true], ["id": "4", "isGone": true],
        ["id": "5", "shelf": "S"], ["id": "6"],
      ],
    ])
    _ = try await container.request("Book", urn: "stored", context: container.makeContext())
    let parent = container.makeContext()
    let named = try books(parent)
    parent.delete(try #require(named["1"]?["shelf"] as Record?))
    parent.delete(try #require(named["4"]))
    let context = inParent ? parent.makeChild() : parent
    let result = try await container.request("Book", urn: "unsaved", options: Self.unsaved, context: context)
    #expect(result.changes.deleted == [try #require(named["3"]).recordID])
    #expect(result.changes.unchanged == [try #require(named["2"]).recordID])
    let inserted = result.changes.inserted.compactMap { context.record(with: $0)?["id"] as String? }
    #expect(inserted.count == result.changes.inserted.count && inserted == (inParent ? ["5", "6"] : ["6"]))
  }

  /// A response removes two members. The caller has added one of them again.
  @Test func aMemberThatTheCallerHasAddedIsNotReportedAsRemoved() async throws {
    let container = try Self.container([
      "stored": [["id": "S", "featured": ["A", "B", "C"]]], "unsaved": [["id": "S", "featured": ["C"]]],
    ])
    let context = container.makeContext()
    let shelf = try await container.request("Shelf", urn: "stored", context: context).records[0]
    let named = try books(context)
    let (kept, removed) = (try #require(named["A"]), try #require(named["B"]))
    shelf.remove(kept, from: "featured")
    shelf.add(kept, to: "featured")
    let result = try await container.request("Shelf", urn: "unsaved", options: Self.unsaved, context: context)
    #expect(
      result.changes.updated.flatMap(\.changes).map(\.values) == [
        .toMany(added: [], removed: [removed.recordID])
      ])
  }

  /// A relationship counts as changed if it was set, not if only its inverse was.
  @Test func aChangeCountsForTheSideThatWasSet() async throws {
    let container = try Self.container([
      "stored": [["id": "A", "sequel": "B", "shelf": "S"], ["id": "C", "shelf": "T"]]
    ])
    let context = container.makeContext()
    _ = try await container.request("Book", urn: "stored", context: context)
    let named = try books(context)
    let (book, other) = (try #require(named["A"]), try #require(named["C"]))
    let (shelf, target) = (try #require(book["shelf"] as Record?), try #require(other["shelf"] as Record?))
    func updated(_ change: () -> Void) -> [String: [PropertyName]] {
      change()
      defer { context.rollback() }
      let updated = context.unsavedChanges.updated.map {
        (context.record(with: $0.id)?["id"] ?? "", $0.properties)
      }
      return Dictionary(uniqueKeysWithValues: updated)
    }
    #expect(updated { target.add(book, to: "books") } == ["T": ["books"]])
    #expect(updated { shelf.remove(book, from: "books") } == ["S": ["books"]])
    #expect(updated { book["shelf"] = target } == ["A": ["shelf"]])
    #expect(updated { other["sequel"] = named["B"] } == ["C": ["sequel"]])
  }

  // MARK: Children

  /// Returns a context whose child has left a response unsaved.
  private func family(
    _ responses: [String: JSONValue], isolation: isolated (any Actor)? = #isolation,
    change: ([String: Record]) throws -> Void = { _ in }
  ) async throws -> (
    container: PersistentContainer, parent: ManagedObjectContext, child: ManagedObjectContext
  ) {
    let container = try Self.container(responses)
    let parent = container.makeContext()
    _ = try await container.request("Book", urn: "stored", context: parent)
    try change(try books(parent))
    let child = parent.makeChild()
    _ = try await container.request("Book", urn: "unsaved", options: Self.unsaved, context: child)
    return (container, parent, child)
  }

  /// If a response separates a pair, only the side that it mentions is changed.
  @Test func aPartnerThatNoResponseNamedIsTheParents() async throws {
    let (container, parent, child) = try await family([
      "stored": [["id": "A", "sequel": "B"], ["id": "X", "sequel": "Y"], ["id": "Z"]],
      "unsaved": [["id": "A", "sequel": "Y"]], "saved": [["id": "X", "sequel": "Y"]],
    ])
    _ = try await container.request("Book", urn: "saved", context: child)
    let named = try books(parent)
    named["Z"]?["sequel"] = named["B"]
    child.refreshAllObjects()
    let seen = try books(child)
    #expect(id("prequel", of: seen["B"]) == "Z" && id("sequel", of: seen["Z"]) == "B")
    #expect(id("sequel", of: seen["A"]) == nil && id("sequel", of: seen["X"]) == "Y")
  }

  /// A saved response of a child with unsaved responses is also shown by the parent.
  @Test func aParentShowsASavedResponseOfItsChild() async throws {
    let (container, parent, child) = try await family([
      "stored": [["id": "A", "text": "old"]], "unsaved": [["id": "B"]],
      "saved": [["id": "A", "text": "new"]],
    ])
    let shown = try books(parent)
    _ = try await container.request("Book", urn: "saved", context: child)
    #expect(shown["A"]?["text"] == "new")
    #expect(try books(child)["A"]?["text"] == "new")
  }

  @Test func aSavedResponseBringsNothingBackThatTheParentHasChanged() async throws {
    let (container, _, child) = try await family([
      "stored": [["id": "A"], ["id": "B", "sequel": "A"], ["id": "C"]],
      "unsaved": [["id": "A", "text": "a"]],
      "saved": [["id": "A", "prequel": "C"]],
    ]) { $0["A"]?["prequel"] = $0["C"] }
    _ = try await container.request("Book", urn: "saved", context: child)
    var seen = try books(child)
    #expect(id("prequel", of: seen["A"]) == "C" && id("sequel", of: seen["B"]) == nil)

    let (other, _, grandchild) = try await family([
      "stored": [["id": "A", "shelf": "S"]], "unsaved": [["id": "A", "text": "a"]],
      "saved": [["id": "A", "shelf": .null]],
    ]) { books in
      let book = try #require(books["A"])
      (book["shelf"] as Record?)?.remove(book, from: "books")
    }
    _ = try await other.request("Book", urn: "saved", context: grandchild)
    seen = try books(grandchild)
    #expect(id("shelf", of: seen["A"]) == nil)
  }

  @Test func aChildsResponseThatTakesAPartnerEmptiesTheFormerPair() async throws {
    let (container, parent, child) = try await family([
      "stored": [["id": "W", "sequel": "V"], ["id": "P"]], "unsaved": [["id": "P", "sequel": "N"]],
    ]) { $0["V"]?["prequel"] = $0["P"] }
    try child.save()
    try parent.save()
    let saved = try books(container.makeContext())
    #expect(id("sequel", of: saved["P"]) == "N" && id("prequel", of: saved["V"]) == nil)
    #expect(id("sequel", of: saved["W"]) == nil)
  }

  /// The caller's last change of a relationship takes precedence, even if the caller has deleted the linked record
  /// since.
  @Test func aLinkToARecordThatTheCallerHasDeletedIsEmpty() async throws {
    let (container, _, child) = try await family([
      "stored": [["id": "A"], ["id": "T"]], "unsaved": [["id": "A", "likes": "T"]],
    ]) { books in
      let book = try #require(books["A"])
      let gone = try book.context.insert("Book")
      gone["id"] = "G"
      book["likes"] = gone
      book.context.delete(gone)
    }
    _ = try await container.request("Book", urn: "unsaved", context: child)
    let seen = try books(child)
    #expect(id("likes", of: seen["A"]) == nil)
  }

  /// The save reports the change to other contexts.
  @Test func aRelationshipThatADeletionEmptiesIsSavedAsAChange() async throws {
    let container = try Self.container(["stored": [["id": "A", "sequel": "B", "shelf": "S"]]])
    let context = container.makeContext()
    _ = try await container.request("Book", urn: "stored", context: context)
    let named = try books(context)
    let between = try context.insert("Book")
    between["id"] = "C"
    between["sequel"] = named["B"]
    context.delete(between)
    let changes = try context.save()
    #expect(changes.updated.map(\.properties) == [["sequel"], ["prequel"]])
    #expect(id("sequel", of: try books(container.makeContext())["A"]) == nil)
  }

  /// A value of a response that the caller has replaced returns when the caller's target is deleted elsewhere, as it would
  /// if the response had been saved.
  @Test(arguments: [true, false]) func aReplacedValueReturns(isResponseFirst: Bool) async throws {
    let container = try Self.container([
      "stored": [["id": "1", "shelf": "A"]], "sent": [["id": "1", "shelf": "C"]],
    ])
    let (context, other) = (container.makeContext(), container.makeContext())
    let book = try await container.request("Book", urn: "stored", context: context).records[0]
    func send() async throws {
      _ = try await container.request("Book", urn: "sent", options: Self.unsaved, context: context)
    }
    if isResponseFirst { try await send() }
    for name in ["B", "D"] {
      let shelf = try other.insert("Shelf")
      shelf["id"] = name
      try other.save()
      book["shelf"] = context.record(with: shelf.recordID)
      if !isResponseFirst { try await send() }
      #expect(id("shelf", of: book) == name)
      var saves = container.saves.makeAsyncIterator()
      other.delete(shelf)
      try other.save()
      context.merge(try #require(await saves.next()))
      #expect(id("shelf", of: book) == "C")
    }
  }

  /// A response links two records in a one-to-one relationship, and the caller has linked one of them to another record.
  /// The other one then has no partner, because the response has named it.
  @Test func aLinkThatTheCallerHasReplaced() async throws {
    let container = try Self.container([
      "stored": [
        ["id": "1", "sequel": "2"], ["id": "3", "sequel": "4"], ["id": "5"], ["id": "6", "sequel": "7"],
      ],
      "owner": [["id": "1", "sequel": "4"]], "partner": [["id": "6", "sequel": "5"]],
    ])
    let context = container.makeContext()
    _ = try await container.request("Book", urn: "stored", context: context)
    let books = try books(context)
    books["1"]?["sequel"] = books["5"]
    _ = try await container.request("Book", urn: "owner", options: Self.unsaved, context: context)
    #expect(id("sequel", of: books["1"]) == "5" && id("prequel", of: books["4"]) == nil)
    _ = try await container.request("Book", urn: "partner", options: Self.unsaved, context: context)
    #expect(id("sequel", of: books["1"]) == "5" && id("sequel", of: books["6"]) == nil)
  }

  /// A value of a response appears when the value of the caller that has taken precedence is discarded.
  @Test func aValueAppearsWithoutThatOfTheCaller() async throws {
    let container = try Self.container([
      "stored": [["id": "1", "shelf": "A"]], "sent": [["id": "1", "shelf": "C"]],
    ])
    let context = container.makeContext()
    let book = try await container.request("Book", urn: "stored", context: context).records[0]
    let shelf = try context.insert("Shelf")
    try context.save()
    book["shelf"] = shelf
    _ = try await container.request("Book", urn: "sent", options: Self.unsaved, context: context)
    context.refresh(shelf, mergeChanges: false)
    #expect(id("shelf", of: book) == "C")
  }

  /// A to-one that a child's response has emptied stays empty in the parent, even if another response has deleted the
  /// former target.
  @Test func aToOneThatAChildsResponseHasEmptied() async throws {
    let container = try Self.container([
      "stored": [["id": "1", "sequel": "2"], ["id": "3"]], "empty": [["id": "1", "sequel": nil]],
      "gone": [["id": "2", "isGone": true]],
    ])
    let (parent, other) = (container.makeContext(), container.makeContext())
    let book = try await container.request("Book", urn: "stored", context: parent).records[0]
    let child = parent.makeChild()
    for urn in ["empty", "gone"] {
      _ = try await container.request("Book", urn: urn, options: Self.unsaved, context: child)
    }
    try child.save()
    #expect(book["sequel"] as Record? == nil)
    var saves = container.saves.makeAsyncIterator()
    let theirs = try books(other)
    theirs["1"]?["sequel"] = theirs["3"]
    try other.save()
    parent.merge(try #require(await saves.next()))
    #expect(book["sequel"] as Record? == nil)
  }

  @Test func aChildsResponseDeletesWhatItsParentHasInserted() async throws {
    let container = try Self.container(["gone": [["id": "1", "isGone": true]]])
    let parent = container.makeContext()
    let book = try parent.insert("Book")
    book["id"] = "1"
    let child = parent.makeChild()
    _ = try await container.request("Book", urn: "gone", options: Self.unsaved, context: child)
    try child.save()
    parent.refreshAllObjects()
    #expect(book.isDeleted)
    #expect(try parent.save().isEmpty)
  }

  /// A child removes a member that its parent has added, although the parent no longer holds the rows.
  @Test func aChildRemovesAMemberThatItsParentHasReleased() async throws {
    let container = try Self.container(["stored": [["id": "1", "shelf": "A"]]])
    let parent = container.makeContext()
    parent.leastRowLimit = 0
    let ids = try await container.request("Book", urn: "stored", context: parent).records.map(\.recordID)
    let shelf = try #require(try parent.fetch(RecordFetchRequest("Shelf")).first).recordID
    parent.record(with: ids[0])?["shelf"] = parent.record(with: shelf)
    let child = parent.makeChild()
    let book = try #require(child.record(with: ids[0]))
    try #require(child.record(with: shelf)).remove(book, from: "books")
    parent.rowLimit = 0
    _ = try parent.fetch(RecordFetchRequest("Shelf"))
    try child.save()
    #expect(parent.record(with: ids[0])?["shelf"] as Record? == nil)
  }

  /// A child whose unsaved changes have been saved elsewhere shows the changes of its parent again.
  @Test func aChildWithoutChangesShowsItsParent() async throws {
    let container = try Self.container([
      "old": [["id": "1", "text": "old"]], "new": [["id": "1", "text": "new"]],
    ])
    let parent = container.makeContext()
    let book = try await container.request("Book", urn: "old", context: parent).records[0]
    let child = parent.makeChild()
    let same = try await container.request("Book", urn: "new", options: Self.unsaved, context: child).records[
      0]
    _ = try await container.request("Book", urn: "new", context: parent)
    child.refreshAllObjects()
    #expect(!child.hasChanges)
    book["text"] = "mine"
    #expect(same["text"] == "mine")
  }
}
