import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for behavior of orphans that scenarios cannot express: the arguments and the cost of the hook, and pages.
@Suite struct OrphanTests {
  private static func schema() throws -> Schema {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("user", to: "User", inverse: "posts"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
        ]),
      EntityDescription(
        "User", primaryKey: "name", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
      EntityDescription(
        "Tag", primaryKey: "name", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
    ]).schema
  }

  /// A store, with a method that imports responses about posts.
  private struct Importer {
    let schema: Schema
    let store: any Store

    init(_ store: (Schema) throws -> any Store = { MemoryStore(schema: $0) }) throws {
      schema = try OrphanTests.schema()
      self.store = try store(schema)
    }

    @discardableResult
    func posts(
      _ body: JSONValue, _ orphans: OrphanDeletion? = nil, page: OrphanPage? = nil
    ) throws(RequestFailure) -> PopulationResult {
      var options = PopulationOptions()
      options.orphans = orphans
      options.orphanPage = page
      let population = Population(
        schema: schema, reader: store, entity: 0, response: "test", options: options)
      return try population.populateAndSave(JSONDocument(body), to: store)
    }

    func ids() throws -> [Int] {
      try store.rows(of: 0).compactMap { row in
        if case .integer(let id)? = row.values[0] { Int(id) } else { nil }
      }.sorted()
    }
  }

  private static func list(_ ids: some Sequence<Int>) -> JSONValue {
    .array(ids.map { .number(JSONNumber(Int64($0))) })
  }

  private static func codes(_ result: PopulationResult) -> [DiagnosticCode] { result.diagnostics.map(\.code) }

  // MARK: The hook

  /// The lines that hooks have recorded.
  // Unchecked: `told` is accessed only under `lock`.
  private final class Notes: @unchecked Sendable {
    private let lock = NSLock()
    private var told: [String] = []

    var lines: [String] { lock.withLock { told } }
    func note(_ line: String) { lock.withLock { told.append(line) } }
  }

  /// Rule: `orphans.decide`.
  @Test func theHookSeesOrphansAndWhatTheResponseMadeOfTheOthers() throws {
    let importer = try Importer()
    try importer.posts([
      ["id": 30, "text": "c", "user": "Ada", "tags": ["x", "y"]], ["id": 4, "text": "d", "user": "Ada"],
      ["id": 5, "text": "e"],
    ])
    let notes = Notes()
    let deletion = OrphanDeletion { item in
      let user: RecordState? = item.orphan["user"]
      let posts: [RecordState] = user?["posts"] ?? []
      let tags: [RecordState] = item.orphan["tags"]
      let populated = item.populatedRecords.map { "\($0["id"] ?? 0)=\($0["text"] ?? "")" }
      notes.note(
        """
        \(item.index) of \(item.count): \(item.orphan.entityName) \(item.orphan["id"] ?? 0) of \
        \(user?["name"] ?? "unknown") with \(posts.count), \(tags.map { $0["name"] ?? "" }), \(populated), \
        \(item.responseObject.count)
        """)
      return .delete
    }
    let result = try importer.posts(
      [["id": 7, "text": "new", "user": "Ada"], ["id": 5, "text": "E"]], deletion)
    #expect(
      notes.lines == [
        #"0 of 2: Post 4 of Ada with 3, [], ["7=new", "5=E"], 2"#,
        #"1 of 2: Post 30 of Ada with 3, ["x", "y"], ["7=new", "5=E"], 2"#,
      ])
    #expect(result.summary.deleted.count == 2)
    #expect(try importer.ids() == [5, 7])
  }

  /// Rule: `orphans.decide`. Orphans for which the hook is not called stay.
  @Test func theHookIsNotCalledAfterAStop() throws {
    let importer = try Importer()
    try importer.posts(Self.list(1...9))
    let notes = Notes()
    let deletion = OrphanDeletion { item in
      let id: Int = item.orphan["id"] ?? 0
      notes.note("\(id)")
      return id == 4 ? .deleteAndStop : id.isMultiple(of: 2) ? .delete : .keep
    }
    try importer.posts(Self.list([1]), deletion)
    #expect(notes.lines == ["2", "3", "4"])
    #expect(try importer.ids() == [1, 3, 5, 6, 7, 8, 9])
  }

  @Test(arguments: [
    ("user.nmae == 'Ada'", DiagnosticCode.invalidEntity), ("user ==", .fetchError),
  ])
  func aPredicateThatIsNoneFailsTheRequest(text: String, code: DiagnosticCode) throws {
    let importer = try Importer()
    try importer.posts(Self.list(1...3))
    let predicate = RecordPredicate(stringLiteral: text)
    for deletion in [
      OrphanDeletion { $0.orphan.matches(predicate) ? .keep : .delete },
      OrphanDeletion(scope: .records(predicate)), OrphanDeletion(scope: .response { _ in predicate }),
    ] {
      let failure = #expect(throws: RequestFailure.self) { try importer.posts([1, 4], deletion) }
      #expect(failure?.primary.code == code)
      #expect(failure?.primary.response == "test")
      #expect(try importer.ids() == [1, 2, 3])
    }
  }

  /// An orphan is not deleted because the hook cannot read it.
  @Test func aStoreThatFailsWhileTheHookReadsFailsTheRequest() throws {
    let counter = try StoreCallCounter(MemoryStore(schema: Self.schema()))
    let importer = try Importer { _ in counter }
    try importer.posts([["id": 1, "tags": ["x"]], ["id": 2, "tags": ["y"]]])
    let deletion = OrphanDeletion { item in
      counter.fail([.members])
      let tags: [RecordState] = item.orphan["tags"]
      counter.fail([])
      return tags.isEmpty ? .delete : .keep
    }
    let failure = #expect(throws: RequestFailure.self) { try importer.posts([1], deletion) }
    #expect(failure?.primary.code == .fetchError)
    #expect(try importer.ids() == [1, 2])
  }

  // MARK: Cost

  /// Values that hooks read are loaded for all orphans at once.
  @Test(arguments: StoreKind.allCases) func theStoreIsNotAskedForEachOrphan(kind: StoreKind) throws {
    func counts(_ count: Int) throws -> [StoreCallCounter.Call: Int] {
      let test = try TestStore(kind, Self.schema())
      let counter = StoreCallCounter(test.store)
      let importer = try Importer { _ in counter }
      try importer.posts(
        .array(
          (1...count).map {
            [
              "id": .number(JSONNumber(Int64($0))), "user": .string("user \($0)"),
              "tags": [.string("tag \($0)"), "all"],
            ]
          }))
      _ = counter.takeCounts()
      let deletion = OrphanDeletion(scope: .records("user.name != 'user 2'")) { item in
        let tags: [RecordState] = item.orphan["tags"]
        let user: RecordState? = item.orphan["user"]
        let others: [RecordState] = user?["posts"] ?? []
        return item.orphan.matches("ANY tags.name == 'tag 3' OR user.name == 'user 4'") || tags.count != 2
          || others.count != 1 ? .keep : .delete
      }
      let result = try importer.posts(Self.list([1]), deletion)
      #expect(result.summary.deleted.count == count - 4)
      return counter.takeCounts()
    }
    #expect(try counts(10) == counts(300))
  }

  // MARK: The limit

  /// Rule: `orphans.guard`. The message states a limit that is exceeded.
  @Test(arguments: [
    (OrphanDeletion.Limit.percent(29), nil), (.percent(28.99), "28.99%"), (.percent(28), "28%"),
    (.percent(.nan), "nan%"), (.percent(-1), "-1%"), (.percent(.infinity), nil), (.count(29), nil),
    (.count(28), "28"), (.count(-1), "-1"),
  ])
  func theLimitIsExact(limit: OrphanDeletion.Limit, stated: String?) throws {
    let importer = try Importer()
    try importer.posts(Self.list(1...100))
    let result = try importer.posts(Self.list(1...71), OrphanDeletion(limit: limit))
    #expect(Self.codes(result) == (stated == nil ? [] : [.orphanLimit]))
    #expect(
      result.diagnostics.map(\.message)
        == (stated.map { ["no orphans were deleted: 29 of 100 records exceed the limit of \($0)"] } ?? []))
    #expect(try importer.ids().count == (stated == nil ? 71 : 100))
  }

  /// Rule: `orphans.guard`. Without orphans, no percentage is exceeded.
  @Test(arguments: [Double.nan, -1, 0]) func noOrphansAreWithinEveryPercentage(percent: Double) throws {
    let importer = try Importer()
    let result = try importer.posts(Self.list(1...3), OrphanDeletion(limit: .percent(percent)))
    #expect(Self.codes(result) == [])
  }

  // MARK: Pages

  /// Imports several pages, and returns the diagnostic codes of each.
  private func run(
    _ importer: Importer, _ pages: [JSONValue], _ deletion: OrphanDeletion, beginsWithFirst: Bool = true,
    isComplete: Bool = true
  ) throws -> [[DiagnosticCode]] {
    var earlier = beginsWithFirst ? MentionedRecords() : nil
    var told: [[DiagnosticCode]] = []
    for (number, page) in pages.enumerated() {
      let isLast = isComplete && number == pages.count - 1
      let result = try importer.posts(
        page, deletion,
        page: OrphanPage(
          isLast: isLast, canContinue: number < pages.count - 1, isBeginning: number == 0, earlier: earlier))
      earlier = beginsWithFirst ? result.mentioned : nil
      told.append(Self.codes(result))
    }
    return told
  }

  /// Rules: `orphans.pages`, `orphans.partial`, `orphans.empty`.
  @Test(arguments: [
    (JSONValue.array([2, .null]), DiagnosticCode.nullElement),
    (.array([["text": "no key"]]), .missingPrimaryKey), (.null, .emptyResultSet),
  ])
  func aPageThatLeavesSomethingOutSpoilsTheRun(page: JSONValue, code: DiagnosticCode) throws {
    let importer = try Importer()
    try importer.posts(Self.list(1...9))
    let told = try run(importer, [Self.list([1]), page, Self.list([3]), Self.list([4])], OrphanDeletion())
    // The page reports this itself. Later pages do not report it again.
    #expect(told[0] == [] && Set(told[1]) == [code, .orphansNotEvaluated] && told[2] + told[3] == [])
    #expect(try importer.ids().starts(with: Array(1...9)))
  }

  /// Rule: `orphans.pages`. If the response defines the scope, each page deletes its own orphans.
  @Test func aPageThatSaysWhatItSpeaksForCountsByItself() throws {
    let importer = try Importer()
    try importer.posts(Self.list(1...9))
    let deletion = OrphanDeletion(
      scope: .response { page in
        let ids = page.elements.compactMap { $0.number?.int64Value }
        guard let first = ids.min(), let last = ids.max() else { return nil }
        return try? RecordPredicate(
          "id BETWEEN {%@, %@}", arguments: .value(.integer(first)), .value(.integer(last)))
      })
    let told = try run(
      importer, [Self.list([1, 3]), Self.list([5, 6]), []], deletion, beginsWithFirst: false,
      isComplete: false)
    #expect(told == [[], [], [.emptyResultSet, .orphansNotEvaluated]])
    #expect(try importer.ids() == [1, 3, 4, 5, 6, 7, 8, 9])
    // A null prevents the deletion of orphans only on its own page.
    #expect(
      try run(importer, [[3, 5, nil], Self.list([7, 9])], deletion)
        == [[.nullElement, .orphansNotEvaluated], []])
    #expect(try importer.ids() == [1, 3, 4, 5, 6, 7, 9])
  }

  /// Mentioned records are collected only for pages.
  @Test func nothingIsGatheredWithoutPages() throws {
    let importer = try Importer()
    #expect(try importer.posts([1], OrphanDeletion()).mentioned == nil)
    func page(isLast: Bool, _ earlier: MentionedRecords?) -> OrphanPage {
      OrphanPage(isLast: isLast, canContinue: !isLast, isBeginning: true, earlier: earlier)
    }
    #expect(try importer.posts([1], page: page(isLast: true, MentionedRecords())).mentioned == nil)
    #expect(
      try importer.posts([1, 2], OrphanDeletion(), page: page(isLast: false, nil)).mentioned?.records.count
        == 2
    )
  }

  /// Rule: `request.detail`. The details of one record do not affect other records.
  @Test(arguments: [["id": 1, "text": "details"], [["id": 1, "text": "details"]]] as [JSONValue])
  func detailsHaveNoOrphans(body: JSONValue) throws {
    let importer = try Importer()
    try importer.posts(Self.list(1...3))
    var options = PopulationOptions()
    options.orphans = OrphanDeletion()
    options.detailRecord = try importer.store.rows(of: 0).first?.id
    let population = Population(
      schema: importer.schema, reader: importer.store, entity: 0, response: "test", options: options)
    let result = try population.populateAndSave(JSONDocument(body), to: importer.store)
    #expect(Self.codes(result) == [.orphansNotEvaluated])
    #expect(try importer.ids() == [1, 2, 3])
  }
}
