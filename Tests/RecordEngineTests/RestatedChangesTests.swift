import Testing

@testable import RecordEngine

/// Tests for responses that are saved at once in a context that has unsaved changes. Rules: `save.child.order`,
/// `context.conflict`.
@Suite struct RestatedChangesTests {
  // MARK: Responses alone

  /// The time of saving does not matter: the context shows the same records after each way of saving the responses, and
  /// so does the store after the last save.
  @Test(
    arguments: [
      // An unsaved record that a saved response mentions again, in full or as a reference.
      [("Book", ["4"]), ("Book", [["id": "2", "shelf": "C"]])],
      [("Shelf", [["id": "A", "about": []]]), ("Book", [["id": "2", "shelf": "A"]])],
      [
        ("Shelf", [["id": "B", "about": ["4"]]]),
        ("Book", [["id": "2", "topics": ["B", ["id": "C", "featured": ["4"]]]]]),
      ],
      [
        ("Shelf", [["id": "A", "books": ["2"]]]),
        ("Shelf", [["id": "A", "books": [["id": "4", "marks": ["2"]]]]]),
      ],
      // A stored record leads to unsaved ones.
      [
        ("Book", ["1"]), ("Book", [["id": "1", "likes": ["id": "4"], "shelf": ["id": "A"]]]),
        ("Book", ["4"]), ("Shelf", ["A"]),
      ],
      // Orders
      [("Shelf", [["id": "B", "featured": ["3", "4"]]]), ("Book", ["4"])],
      [("Shelf", [["id": "A", "books": ["3"]]]), ("Shelf", [["id": "A", "books": ["4", "3"]]])],
      // The unsaved response only removes a member.
      [("Shelf", [["id": "B", "featured": ["3"]]]), ("Shelf", [["id": "B", "featured": []]])],
      // The unsaved response deletes a record, which the saved response mentions again.
      [
        ("Book", [["id": "1", "kind": "novel", "shelf": "A", "topics": []]]),
        ("Book", [["id": "1", "isGone": true]]),
        ("Shelf", [["id": "C", "featured": ["1"]]]),
      ],
      [
        ("Shelf", [["id": "C", "featured": [["id": "1", "kind": "novel", "hero": "A"]]]]),
        ("Book", [["id": "1", "isGone": true]]), ("Book", ["1"]),
      ],
      [
        ("Book", [["id": "3", "topics": ["C"]]]), ("Book", [["id": "3", "isGone": true]]),
        ("Shelf", [["id": "A", "about": ["3"]], ["id": "C", "about": []]]),
      ],
      [
        ("Book", [["id": "4", "kind": "novel"]]), ("Book", [["id": "4", "isGone": true]]),
        ("Shelf", [["id": "B", "about": ["4"]]]),
      ],
      // The unsaved response deletes a record with its members.
      [
        ("Shelf", [["id": "B", "books": ["1"], "featured": ["1"]]]),
        ("Book", [["id": "4", "topics": [["id": "B", "isGone": true]]]]),
        ("Shelf", [["id": "B", "featured": [], "about": ["1"]]]),
      ],
      [
        ("Shelf", [["id": "B", "books": ["1"], "featured": ["1"]]]),
        ("Book", [["id": "4", "topics": [["id": "B", "isGone": true]]]]),
        ("Shelf", [["id": "B", "about": ["1"]]]),
      ],
    ] as [[(EntityName, JSONValue)]]) func theTimeOfSavingDoesNotMatter(
      responses: [(EntityName, JSONValue)]
    ) async throws
  {
    let reference = try RestatedSetting()
    for (entity, body) in responses { try await reference.perform(.saved(entity, body, .parent)) }
    let expected = try reference.contents(reference.parent)
    for ways in 0..<(1 << responses.count) {
      let setting = try RestatedSetting()
      for (index, (entity, body)) in responses.enumerated() {
        let isSaved = ways >> index & 1 == 1
        try await setting.perform(isSaved ? .saved(entity, body, .parent) : .unsaved(entity, body, .parent))
      }
      #expect(try setting.contents(setting.parent) == expected)
      #expect(try setting.saved() == expected)
    }
  }

  // MARK: Changes of the caller

  /// Performs the steps. Then the child shows these records, and the store contains them after all changes are saved.
  private func expect(
    _ expected: [String], _ steps: [RestatedStep], isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let setting = try RestatedSetting()
    for step in steps { try await setting.perform(step) }
    #expect(try setting.contents(setting.child) == expected, sourceLocation: sourceLocation)
    #expect(try setting.saved() == expected, sourceLocation: sourceLocation)
  }

  /// A saved response has the key of a record that the caller has inserted. Both records exist until the caller deletes
  /// one of them.
  @Test func aRecordThatTheCallerHasInsertedIsNotReplaced() async throws {
    try await expect(
      ["1 Book text: sent", "2 Book stub"],
      [
        .insert(.parent, "1"), .unsaved("Book", ["2"], .parent),
        .saved("Book", [["id": "1", "text": "sent"]], .parent), .delete(.parent, "1"),
      ])
  }

  /// A saved response of a child has the key of a record that the caller has inserted in the parent. Its links lead to
  /// the saved record.
  @Test func aRecordThatTheParentHasInsertedIsNotReplaced() async throws {
    try await expect(
      ["1 Book stub", "B Shelf stub"],
      [
        .unsaved("Shelf", ["B"]), .insert(.parent, "1"), .saved("Book", ["1"]), .delete(.parent, "1"),
        .refresh,
      ])
    try await expect(
      ["1 Book stub", "2 Book stub", "3 Book likes: 1"],
      [
        .unsaved("Book", ["2"]), .insert(.parent, "1"), .saved("Book", [["id": "3", "likes": "1"]]),
        .delete(.parent, "1"), .refresh,
      ])
    try await expect(
      ["1 Book stub", "B Shelf stub"],
      [
        .saved("Book", ["9"]), .unsaved("Shelf", ["B"]), .insert(.parent, "1"), .delete(.parent, "9"),
        .saved("Book", ["1"]), .delete(.parent, "1"), .refresh,
      ])
  }

  /// A saved deletion of a record that the caller has linked in the parent. In both contexts, the link no longer has an
  /// effect.
  @Test func aLinkOfTheParentToADeletedRecord() async throws {
    try await expect(
      ["1 Book shelf: Z", "2 Book stub", "Z Shelf stub books: 1"],
      [
        .saved("Shelf", ["R"]), .saved("Book", [["id": "1", "shelf": "Z"]]),
        .edit(.parent) { try $0("1")["shelf"] = try $0("R") }, .unsaved("Book", ["2"]),
        .saved("Shelf", [["id": "R", "isGone": true]]),
      ])
  }

  /// Deletions of responses of the child and the parent, with links to the deleted records.
  @Test func deletionsOfResponsesRemoveLinks() async throws {
    try await expect(
      ["3 Book stub shelf: A", "4 Book stub", "A Shelf books: 3"],
      [
        .saved("Book", [["id": "2", "shelf": ["id": "B", "about": ["3"]]]], .parent),
        .unsaved("Book", ["4"]), .saved("Shelf", [["id": "B", "isGone": true]]),
        .saved("Shelf", [["id": "A", "books": ["3"]]], .parent),
      ])
    try await expect(
      [
        "1 Book sequel: 1 prequel: 1"
      ],
      [
        .saved("Shelf", [["id": "C", "featured": ["1"]]], .parent),
        .unsaved("Shelf", [["id": "C", "isGone": true]]),
        .saved("Book", [["id": "1", "prequel": "1"]], .parent),
      ])
    try await expect(
      ["1 Book", "3 Book", "A Shelf"],
      [
        .unsaved("Shelf", [["id": "A", "books": ["2"]]], .parent),
        .unsaved("Book", [["id": "2", "isGone": true]]),
        .saved("Book", [["id": "1", "sequel": ["id": "3", "prequel": "2"]]], .parent),
      ])
    try await expect(
      ["1 Book", "3 Book stub marks: 4", "4 Book stub", "A Shelf featured: 4"],
      [
        .saved("Book", ["4", "3"], .parent),
        .unsaved("Book", [["id": "1", "prequel": ["id": "4", "isGone": true]]]),
        .edit(.parent) { try $0("3").add($0("4"), to: "marks") },
        .saved("Shelf", [["id": "A", "featured": ["4"]]]),
      ])
  }

  /// If a response deletes the target of a caller's link, an earlier link of a response counts again.
  /// Rule: `context.conflict.deleted`.
  @Test func aLinkToADeletedRecordGivesWayToAnEarlierOne() async throws {
    try await expect(
      ["3 Book prequel: 4", "4 Book stub sequel: 3"],
      [
        .unsaved("Book", [["id": "2", "prequel": ["id": "3", "prequel": "4"]]]),
        .edit(.child) { try $0("4")["sequel"] = try $0("2") },
        .saved("Book", [["id": "2", "isGone": true]]),
      ])
  }

  /// If a relationship without inverse loses a deleted record, its owner does not count as updated.
  @Test func aLostMemberIsNoChangeOfItsOwner() async throws {
    let setting = try RestatedSetting()
    try await setting.perform(.saved("Book", [["id": "4", "likes": "3"]]))
    try await setting.perform(.unsaved("Book", [["id": "4", "likes": ["id": "3", "isGone": true]]]))
    #expect(setting.child.unsavedChanges.deleted.count == 1)
    #expect(setting.child.unsavedChanges.updated.isEmpty)
  }

  /// The caller has removed a member from a relationship without inverse before a saved response adds it.
  @Test func aMemberThatTheParentHasRemovedStaysRemoved() async throws {
    try await expect(
      ["1 Book stub shelf: A", "3 Book stub", "4 Book shelf: A", "A Shelf books: 1, 4"],
      [
        .saved("Shelf", [["id": "A", "books": ["1", "4"]]], .parent),
        .edit(.parent) { try $0("4").remove($0("1"), from: "marks") },
        .unsaved("Book", ["3"]), .saved("Book", [["id": "4", "marks": ["1"]]]),
      ])
  }

  /// A saved response of a child does not change what the caller has set in the parent.
  @Test func theParentsLinksStay() async throws {
    try await expect(
      ["2 Book sequel: 2 prequel: 2 topics: C", "3 Book stub", "B Shelf stub", "C Shelf about: 2"],
      [
        .saved("Book", ["2"], .parent), .unsaved("Shelf", ["B"]),
        .edit(.parent) { try $0("2")["sequel"] = try $0("2") },
        .saved("Shelf", [["id": "C", "about": [["id": "2", "sequel": "3"]]]]),
      ])
    try await expect(
      [
        "1 Book topics: B",
        "2 Book sequel: 4 likes: 1",
        "3 Book marks: 4",
        "4 Book prequel: 2",
        "B Shelf about: 1",
      ],
      [
        .saved("Book", [["id": "2", "likes": "1"]], .parent),
        .edit(.parent) { try $0("1")["prequel"] = try $0("2") },
        .unsaved("Book", [["id": "3", "marks": [["id": "4", "prequel": "2"]]]]),
        .saved("Shelf", [["id": "B", "about": [["id": "1", "prequel": "4"]]]]),
      ])
    try await expect(
      ["4 Book stub topics: B", "B Shelf about: 4", "C Shelf stub"],
      [
        .saved("Book", ["4"], .parent), .unsaved("Shelf", ["C"]), .unsaved("Shelf", ["B"], .parent),
        .edit(.parent) { try $0("B").add($0("4"), to: "about") },
        .saved("Shelf", [["id": "B", "about": []]]),
      ])
    try await expect(
      ["1 Book stub", "2 Book marks: 1", "A Shelf stub"],
      [
        .saved("Book", ["1", "2"], .parent),
        .edit(.parent) { try $0("2").add($0("1"), to: "marks") },
        .unsaved("Shelf", ["A"]), .saved("Book", [["id": "2", "marks": ["1"]]]),
      ])
    try await expect(
      ["1 Book stub prequel: 3 likes: 1", "3 Book sequel: 1", "4 Book stub", "A Shelf featured: 1"],
      [
        .saved("Shelf", [["id": "A", "featured": ["1"]]], .parent),
        .edit(.parent) { try $0("1")["likes"] = try $0("1") },
        .unsaved("Book", ["4"]), .saved("Book", [["id": "3", "sequel": "1"]]),
      ])
    try await expect(
      ["3 Book shelf: A", "A Shelf stub books: 3", "C Shelf"],
      [
        .unsaved("Book", [["id": "3", "shelf": "A"]], .parent),
        .unsaved("Shelf", [["id": "C", "books": ["3"]]]),
        .edit(.parent) { try $0("A").add($0("3"), to: "books") },
        .saved("Shelf", [["id": "C", "books": ["3"]]]),
      ])
    try await expect(
      ["1 Book sequel: 1 prequel: 1", "3 Book", "4 Book text: mine"],
      [
        .saved("Book", ["4", ["id": "3", "prequel": "1"]], .parent),
        .edit(.parent) { try $0("4")["text"] = "mine" },
        .unsaved("Book", [["id": "1", "prequel": "1"]]), .saved("Book", [["id": "3", "prequel": .null]]),
      ])
    try await expect(
      ["2 Book likes: 4", "4 Book stub"],
      [
        .saved("Book", ["4"], .parent), .insert(.parent, "2"),
        .edit(.parent) { try $0("2")["likes"] = try $0("4") },
        .unsaved("Book", [["id": "4", "isGone": true]]), .saved("Book", ["4"]),
      ])
  }

  /// A saved response of a child does not change the values that the caller has set in the parent. A child's values of
  /// unsaved responses take precedence over them.
  @Test func theParentsValuesStay() async throws {
    try await expect(
      ["1 Book text: mine", "2 Book stub"],
      [
        .saved("Book", ["1"], .parent), .edit(.parent) { try $0("1")["text"] = "mine" },
        .unsaved("Book", ["2"]),
        .saved("Book", [["id": "1", "text": "sent"]]),
      ])
    try await expect(
      [
        "4 Book text: mine"
      ],
      [
        .unsaved("Book", ["4"], .parent), .edit(.parent) { try $0("4")["text"] = "mine" },
        .unsaved("Book", [["id": "4", "text": "sent"]]), .saved("Book", [["id": "4", "text": "sent"]]),
      ])
    try await expect(
      ["3 Novel", "4 Book text: mine marks: 3"],
      [
        .unsaved("Book", [["id": "4", "marks": ["3"]]], .parent),
        .edit(.parent) { try $0("4")["text"] = "mine" },
        .unsaved("Book", [["id": "3", "kind": "novel", "genre": .null]]),
        .saved("Book", [["id": "3", "kind": "novel"]]),
      ])
    try await expect(
      [
        "1 Book text: sent"
      ],
      [
        .saved("Book", ["1"], .parent), .edit(.parent) { try $0("1")["text"] = "mine" },
        .unsaved("Book", [["id": "1", "text": "sent"]]),
      ])
    try await expect(
      ["1 Book text: sent", "4 Book stub"],
      [
        .saved("Book", ["1"], .parent), .edit(.parent) { try $0("1")["text"] = nil as String? },
        .unsaved("Book", [["id": "1", "text": "sent"]]), .unsaved("Book", ["4"], .parent),
        .saved("Book", [["id": "1", "topics": []]], .parent),
      ])
  }

  /// A saved response mentions a record that the caller has deleted, directly or with its shelf.
  @Test func aRecordThatTheCallerHasDeletedStaysDeleted() async throws {
    try await expect(
      ["3 Book stub", "4 Book likes: 3", "A Shelf"],
      [
        .saved("Book", [["id": "1", "shelf": "B"]], .parent), .unsaved("Book", [["id": "4", "likes": "3"]]),
        .delete(.parent, "B"), .saved("Shelf", [["id": "A", "featured": ["1"]]]),
      ])
    try await expect(
      [
        "3 Book sequel: 3 prequel: 3"
      ],
      [
        .saved("Shelf", ["A"], .parent), .delete(.parent, "A"), .saved("Book", ["3"], .parent),
        .unsaved("Book", [["id": "3", "prequel": "3"]]), .saved("Shelf", ["A"]),
      ])
    try await expect(
      ["2 Book stub", "3 Book shelf: A", "A Shelf books: 3"],
      [
        .saved("Shelf", [["id": "A", "books": [["id": "3", "shelf": "B"]]]], .parent),
        .unsaved("Book", ["2"]),
        .delete(.parent, "B"), .saved("Shelf", [["id": "A", "books": ["3"]]]),
      ])
    // The deletion of the shelf no longer applies to the book.
    try await expect(
      ["3 Book stub", "4 Book likes: 4 shelf: C", "C Shelf books: 4"],
      [
        .saved("Book", [["id": "4", "likes": "4", "shelf": "B"]], .parent), .unsaved("Book", ["3"]),
        .delete(.parent, "B"), .saved("Shelf", [["id": "C", "books": ["4"]]]),
      ])
  }

  /// Another context changes a saved record that an unsaved one has become before.
  @Test func changesOfAnotherContextAreShown() async throws {
    try await expect(
      ["1 Book sequel: 4 prequel: 4 likes: 4", "4 Book sequel: 1 prequel: 1"],
      [
        .unsaved("Book", [["id": "1", "prequel": "4"]], .parent),
        .saved("Book", [["id": "4", "prequel": "1"]], .parent),
        .other("Book", [["id": "1", "likes": "4"]]),
      ])
    try await expect(
      ["1 Novel genre: prose sequel: 4 prequel: 4", "4 Book sequel: 1 prequel: 1"],
      [
        .unsaved("Book", [["id": "1", "prequel": "4"]], .parent),
        .saved("Book", [["id": "4", "prequel": "1"]], .parent),
        .other("Book", [["id": "1", "kind": "novel"]]),
      ])
    try await expect(
      [
        "1 Book stub sequel: 2",
        "2 Book sequel: 4 prequel: 1 topics: C",
        "4 Book prequel: 2 topics: C",
        "C Shelf about: 2, 4",
      ],
      [
        .unsaved("Shelf", [["id": "C", "about": ["2", "4"]]], .parent),
        .edit(.parent) { try $0("4")["prequel"] = try $0("2") },
        .saved("Book", [["id": "4", "prequel": "1"]], .parent),
        .other("Book", [["id": "2", "prequel": "1"]]),
      ])
    try await expect(
      ["1 Book sequel: 1 prequel: 1 shelf: C", "3 Book text: mine", "C Shelf books: 1"],
      [
        .saved("Shelf", [["id": "C", "books": [["id": "1", "sequel": "3"]]]], .parent),
        .unsaved("Book", [["id": "1", "prequel": "1"]]), .edit(.parent) { try $0("3")["text"] = "mine" },
        .refresh,
      ])
  }

  /// The saved response leaves the relationship as the caller has set it.
  @Test func nothingIsUnsavedIfAResponseMakesTheCallersChange() async throws {
    let setting = try RestatedSetting()
    for step: RestatedStep in [
      .saved("Shelf", [["id": "A", "featured": ["2"]]], .parent), .unsaved("Book", ["4"], .parent),
      .edit(.parent) { try $0("A").remove($0("2"), from: "featured") },
    ] { try await setting.perform(step) }
    #expect(setting.parent.hasChanges)
    try await setting.perform(.saved("Shelf", [["id": "A", "featured": ["4"]]], .parent))
    #expect(!setting.parent.hasChanges)
    #expect(try setting.saved() == ["2 Book stub", "4 Book stub", "A Shelf featured: 4"])
  }
}
