import RecordModel
import RecordSpec
import Testing

@Suite struct ExpectationReadingTests {
  @Test func readsTheWholeShape() throws {
    let loaded = try scenario(
      more: """
        expect:
          graph:
            Counts: {only: [{user: User/7, followers: 12}]}
            User:
              - {id: "7", counts: {followers: 12}, posts: [Post/1, {id: "2"}]}
              - {posts: {contains: [Post/1], count: 2}, counts: null, name: null}
            Tag: [{text: a}, {text: a, posts: {count: 0}}]
            Post: {count: 2, absent: [Post/9], records: [{id: "1", user: null}]}
            Line: none
          records: {anyOrder: [Post/1], contains: [{text: Hello}], count: 2}
          inserted: [Post/1, Counts@User/7, Tag~1, "Line/7,3"]
          deleted: []
          updated: {Post/1: [text, user]}
          failure: {code: save-error}
          diagnostics:
            - value-type
            - {code: 7, entity: Post, property: text, pointer: /data/0/text, response: posts}
        """)
    #expect(loaded.complaints == "")
    let expectation = try #require(loaded.scenario?.expectation)
    #expect(expectation.graph.map(\.entity) == ["Counts", "User", "Tag", "Post", "Line"])
    #expect(expectation.graph.map(\.isExhaustive) == [true, false, false, false, true])
    #expect(expectation.graph.map(\.records.count) == [1, 2, 2, 1, 0])
    #expect(expectation.graph[3].count?.value == 2)
    #expect(expectation.graph[3].absent.map(\.value.rawValue) == ["Post/9"])
    #expect(expectation.graph[1].records[0].properties.map(kind) == ["attribute", "record", "exactly 2"])
    #expect(
      expectation.graph[1].records[1].properties.map(kind) == [
        "contains 1", "count 2", "no record", "attribute",
      ])
    #expect(expectation.graph[0].records[0].properties.map(kind) == ["record", "attribute"])
    #expect(expectation.records?.exactly == nil && expectation.records?.count == 2)
    #expect(expectation.records?.anyOrder?.count == 1 && expectation.records?.contains?.count == 1)
    #expect(expectation.inserted?.exactly?.count == 4)
    #expect(expectation.deleted?.exactly?.isEmpty == true)
    #expect(expectation.updated?.value.first?.properties == ["text", "user"])
    #expect(expectation.failure?.code == "save-error")
    #expect(expectation.diagnostics?.value.map(\.code) == ["value-type", "7"])
    #expect(expectation.diagnostics?.value.last?.pointer == "/data/0/text")
    #expect(expectation.diagnostics?.value.last?.response == "posts")
  }

  private func kind(_ property: PropertyExpectation) -> String {
    switch property.value {
    case .attribute: "attribute"
    case .noRecord: "no record"
    case .record: "record"
    case .exactly(let members): "exactly \(members.count)"
    case .contains(let members): "contains \(members.count)"
    case .count(let count): "count \(count)"
    }
  }

  @Test(arguments: [
    ("failure: 701", "701"), ("failure: cancelled", "cancelled"), ("failure: {code: 6}", "6"),
    ("failure: {}", nil),
  ])
  func readsFailures(text: String, code: String?) throws {
    let loaded = try scenario(more: "expect: {\(text)}\n")
    #expect(loaded.complaints == "")
    #expect(loaded.scenario?.expectation.failure?.code == code)
    #expect(loaded.scenario?.expectation.failure != nil)
  }

  @Test func noDiagnosticsIsAnEmptyList() throws {
    let loaded = try scenario(more: "expect: {diagnostics: none, updated: [Post/1]}\n")
    #expect(loaded.scenario?.expectation.diagnostics?.value.isEmpty == true)
    #expect(loaded.scenario?.expectation.updated?.value.first?.properties == nil)
  }

  @Test(arguments: [
    "Post/1", "Post/a b", "Post/a%2Fb", "Post/1~2", "Line/7,3", "Counts@User/7", "Tag~1",
    "Counts@Counts@User/7", "User/日本",
    "Counts@User~1", "Counts@User~1~2", "Counts@Counts@User/7~1~2~3", "Post/", "Post/%7E",
  ])
  func acceptsLabels(label: String) throws {
    let loaded = try scenario(more: "expect: {inserted: ['\(label)']}\n")
    #expect(loaded.complaints == "")
  }

  @Test(arguments: [
    ("Post", "'Post' is not the label of a record"), ("/1", "a label must start with an entity"),
    ("Counts@User/7~1~2~3", "expected a number from 1 after '~'"),
    ("Line/,7", "the key 'order' must be int64, not ''"),
    ("Counts@User~1~", "expected a number from 1 after '~'"),
    ("Post/1/2", "'/' must be escaped in a key"), ("Post/a@b", "'@' must be escaped in a key"),
    ("Post/%4", "expected two hexadecimal digits after '%'"),
    ("Tag~", "expected a number from 1 after '~'"),
    ("Tag~0", "expected a number from 1 after '~'"), ("Post/1~2~3", "expected a number from 1 after '~'"),
    ("Pots/1", "unknown entity 'Pots'"), ("Counts@Usr/7", "unknown entity 'Usr'"),
    ("Counts@", "a label must start with an entity"),
    ("Line/7", "the key of 'Line' has 2 parts, not 1"), ("Post/7,8", "the key of 'Post' has 1 part, not 2"),
    ("Tag/1", "'Tag' has no primary key"), ("Counts/7", "the key of 'Counts' is the relationship 'user'"),
  ])
  func refusesLabels(label: String, message: String) throws {
    let loaded = try scenario(more: "expect: {inserted: ['\(label)']}\n")
    #expect(loaded.diagnostics.map(\.message) == [message])
  }
}
