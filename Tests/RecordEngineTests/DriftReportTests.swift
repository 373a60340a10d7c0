import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests for the contents of drift reports, and for the requests that create them. Rule: `diagnostics.drift`.
@Suite struct DriftReportTests {
  typealias Fixture = RequestFixture

  private func result(
    _ body: JSONValue, of entity: EntityName = "Post", model: ManagedObjectModel? = nil,
    _ change: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> RequestResult<Record> {
    let container = try PersistentContainer(
      model: try model ?? Fixture.model(), configuration: .init(server: CannedServer(["feed": body])))
    var options = RequestOptions()
    options.reportsDrift = true
    change(&options)
    return try await container.request(
      entity, urn: "feed", options: options, context: container.makeContext())
  }

  private func report(
    _ body: JSONValue, of entity: EntityName = "Post", model: ManagedObjectModel? = nil
  ) async throws -> DriftReport {
    try #require(try await result(body, of: entity, model: model).drift)
  }

  private static let drifting: JSONValue = [
    "data": [
      ["id": "1", "body": "Hello", "user": ["id": "7", "name": "Ada"]],
      ["id": 2, "body": "Again", "user": "7"],
    ]
  ]

  // MARK: Single reports

  @Test func isMadeOnRequestAlone() async throws {
    #expect(!RequestOptions().reportsDrift)
    #expect(try await result(Self.drifting) { $0.reportsDrift = false }.drift == nil)
    #expect(try await result(Self.drifting).drift?.isEmpty == false)
    let fitting = try await report(["data": [["id": "1", "text": "Hello", "user": "7"]]])
    #expect(fitting.isEmpty && fitting.entities == [] && fitting.description == "")
  }

  /// Reports with the same findings are equal, even if other counts differ.
  @Test func reportsThatShowTheSameAreEqual() async throws {
    let fitting = try await report(["data": [["id": "1", "text": "Hello", "user": "7"]]])
    #expect(fitting == DriftReport() && fitting.hashValue == DriftReport().hashValue)
    let (first, second) = (try await report(Self.drifting), try await report(Self.drifting))
    #expect(first == second && Set([first, second, fitting, DriftReport()]).count == 2)
    #expect(first != first.merging(second) && first != fitting)
    // The report contains no finding about the user, whose name is in only one of the responses.
    let without = try await report(["data": [["id": "1", "body": "Hello", "user": ["id": "7"]]]])
    #expect(without != first)
  }

  @Test func saysWhatAndHowOftenAndWhere() async throws {
    let report = try await report(Self.drifting)
    #expect(report.entities.map(\.entity) == ["Post"])
    let drift = try #require(report.entities.first)
    #expect(drift.itemCount == 2)
    #expect(drift.unusedKeys.map(\.path) == ["body"])
    #expect(drift.unusedKeys.map(\.count) == [2])
    #expect(drift.unusedKeys.map { "\($0.first)" } == ["/data/0/body of feed"])
    #expect(drift.missingProperties.map(\.name) == ["text"])
    #expect(drift.missingProperties.map(\.paths) == [["text"]])
    #expect(drift.changedTypes.map(\.property) == ["id", "user"])
    #expect(drift.changedTypes.map(\.expected) == [[.string], [.object, .string]])
    #expect(drift.changedTypes.map { $0.found.map(\.kind) } == [[.number, .string], [.string, .object]])
    #expect(drift.changedTypes[0].found.map(\.count) == [1, 1])
    #expect(
      drift.changedTypes[0].found.map(\.first.pointer.description) == ["/data/1/id", "/data/0/id"])
    #expect(
      report.description == """
        Post: drift in 2 items
          unused key 'body': 2 times, first at /data/0/body of feed
          'text' is missing in all 2 items
          'id' is number once, first at /data/1/id of feed; string once, first at /data/0/id of feed; expected string
          'user' is string once, first at /data/1/user of feed; object once, first at /data/0/user of feed; expected object or string
        """)
  }

  @Test func aFailureHasItToo() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("title", .string, isOptional: false),
          AttributeDescription("text", .string),
        ])
    ])
    do {
      _ = try await result([["id": "1", "headline": "Hello", "text": "…"]], model: model)
      Issue.record("a missing required title has to be an error")
    } catch let failure as RequestFailure {
      let drift = try #require(failure.drift?.entities.first)
      #expect(drift.unusedKeys.map(\.path) == ["headline"])
      #expect(drift.missingProperties.map(\.name) == ["title"])
    }
    do {
      _ = try await result([["id": "1", "text": "…"]], model: model) { $0.reportsDrift = false }
      Issue.record("a missing required title has to be an error")
    } catch let failure as RequestFailure {
      #expect(failure.drift == nil)
    }
  }

  @Test func defaultsOfATypeMayAskForIt() async throws {
    let container = try Fixture.container(CannedServer(["feed": Self.drifting]))
    var options = RequestOptions()
    options.reportsDrift = true
    try container.setDefaultOptions(options, for: "Post")
    let result = try await container.request(Fixture.Post.self, urn: "feed", context: container.makeContext())
    #expect(result.drift?.isEmpty == false)
  }

  @Test func theResultIsTheSameWithAndWithout() async throws {
    let with = try await result(Self.drifting)
    let without = try await result(Self.drifting) { $0.reportsDrift = false }
    #expect(with.records.map(\.recordID) == without.records.map(\.recordID))
    #expect(with.changes == without.changes && with.diagnostics == without.diagnostics)
  }

  /// A path without components is the item itself, so that one dictionary is two items.
  @Test func aPathMayBeTheItemItself() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription("counts", to: "Counts", inverse: "post", from: [MappingPath(keys: [])])
        ]),
      EntityDescription(
        "Counts", primaryKey: "post",
        attributes: [AttributeDescription("likes", .int64), AttributeDescription("shares", .int64)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "counts")]),
    ])
    let report = try await report([["id": "1", "likes": 3, "views": 7]], model: model)
    #expect(
      report.description == """
        Post: drift in 1 item
          unused key 'views': once, first at /0/views of feed
        Counts: drift in 1 item
          'shares' is missing in the only item
        """)
  }

  @Test func deepResponsesAreJudgedToTheirEnd() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Node", primaryKey: "id", attributes: [AttributeDescription("id", .int64)],
        relationships: [
          RelationshipDescription("child", to: "Node", inverse: "up"),
          RelationshipDescription("up", to: "Node", inverse: "child"),
        ])
    ])
    var item: JSONValue = ["id": 0, "odd": 1]
    for number in 1..<400 { item = ["id": .number(JSONNumber(Int64(number))), "child": item] }
    let drift = try #require(try await report(item, of: "Node", model: model).entities.first)
    #expect(drift.itemCount == 400)
    #expect(drift.unusedKeys.map(\.count) == [1])
    #expect(drift.unusedKeys.map(\.first.pointer.tokens.count) == [400])
    // Dictionaries inside a mapping path are evaluated at any depth too.
    let entered = try ManagedObjectModel(entities: [
      EntityDescription(
        "Leaf",
        attributes: [AttributeDescription("text", .string, from: [MappingPath(keys: deepKeys + ["x"])])])
    ])
    var value: JSONValue = ["odd": 1]
    for key in deepKeys.reversed() { value = .object([key: value]) }
    let leaf = try #require(try await report([value], of: "Leaf", model: entered).entities.first)
    #expect(leaf.unusedKeys.map(\.path) == [MappingPath(keys: deepKeys + ["odd"])])
  }

  private var deepKeys: [String] { (0..<400).map { "k\($0)" } }

  /// An injected key need not be in the items, nor a part of a composite key.
  @Test func anInjectedKeyIsNotMissing() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("parts", toMany: "Part")]),
      EntityDescription(
        "Part", primaryKey: "article", "size",
        attributes: [AttributeDescription("article", .string), AttributeDescription("size", .int32)]),
    ])
    func drift(_ body: JSONValue, injects: Bool = true) async throws -> DriftReport {
      let result = try await result(body, model: model) {
        if injects { $0.keyInjection = { _ in "1" } }
      }
      return try #require(result.drift)
    }
    #expect(try await drift([["text": "A", "parts": []]]).isEmpty)
    #expect(try await drift([["text": "A", "parts": [["size": 1]]]]).isEmpty)
    // A response without items does not indicate that the keys of other responses are injected.
    let missing = try await drift([["text": "A", "parts": []]], injects: false)
    #expect(missing.entities.map { $0.missingProperties.map(\.name) } == [["id"]])
    #expect(try await drift([]).merging(missing) == missing)
  }

  // MARK: Merged reports

  @Test func reportsAreMerged() async throws {
    let first = try await report(["data": [["id": "1", "body": "a", "user": ["id": "7"]]]])
    let second = try await report(["data": [["id": "2", "text": "b", "user": ["id": "7", "age": 1]]]])
    #expect(
      first.merging(second).description == """
        Post: drift in 2 items
          unused key 'body': once, first at /data/0/body of feed
        User: drift in 2 items
          unused key 'age': once, first at /data/0/user/age of feed
          'name' is missing in all 2 items
        """)
    // A response without drift can have another type than a second response.
    let third = try await report(["data": [["id": "3", "text": "c", "user": "7"]]])
    #expect(third.isEmpty)
    #expect(second.merging(third).entities[0].changedTypes.map(\.property) == ["user"])
    // An inverse that is in one response counts as present in all of them.
    let posts = try await report(["data": [["id": "4", "text": "d"]]])
    #expect(posts.entities.first?.missingProperties.map(\.name) == ["user"])
    let owners = try await report([["id": "8", "name": "Bob", "posts": []]], of: "User")
    #expect(owners.merging(posts).isEmpty && posts.merging(owners).isEmpty)
    // The list of posts is not missing, but users without it do not replace the users of posts.
    let users = try await report([["id": "8", "name": "Bob"]], of: "User")
    #expect(users.isEmpty)
    #expect(users.merging(posts) == posts && posts.merging(users) == posts)
    let nothing = try await report(["data": []])
    #expect(nothing.merging(first) == first && first.merging(nothing) == first)
  }
}
