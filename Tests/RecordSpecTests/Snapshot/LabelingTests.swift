import JSONTree
import RecordModel
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

struct LabelingTests {
  @Test func aKeyIsTheLabel() {
    let graph = Graph(records: [
      Record(1, "Post", key: "id", properties: ["id": text("1")]),
      Record(2, "Employee", key: "id", properties: ["id": integer(5)]),
      Record(3, "Line", key: "order", "number", properties: ["order": integer(7), "number": integer(3)]),
    ])
    #expect(graph.labels == ["Post/1", "Employee/5", "Line/7,3"])
  }

  @Test func charactersThatLabelsUseAreEncoded() {
    let graph = Graph(records: [
      Record(1, "Post", key: "id", properties: ["id": text("a/b@c~d%e,f é")])
    ])
    #expect(graph.labels == ["Post/a%2Fb%40c%7Ed%25e%2Cf é"])
  }

  /// Swift's `String` considers some of these texts equal, but they are different keys.
  @Test func labelsAreToldApartByScalars() {
    let keys = ["\u{E9}", "e\u{301}", "K", "\u{212A}"]
    let records = keys.enumerated().map { number, key in
      Record(number + 1, "Post", key: "id", properties: ["id": text(key)])
    }
    let graph = Graph(records: records)
    let labels = graph.labels.map { RecordLabel($0) }
    #expect(labels == keys.map { RecordLabel("Post/\($0)") })
    #expect(Set(labels).count == keys.count)
    #expect(labels.reversed().sorted() == ["Post/K", "Post/e\u{301}", "Post/\u{E9}", "Post/\u{212A}"])
  }

  /// An accent and the preceding character form one character.
  @Test func partsOfALabelAreFoundBesideAccents() {
    let label: RecordLabel = "Counts@Post/\u{301}a"
    #expect(label.entity == "Counts")
    #expect(label.owner == "Post/\u{301}a")
    #expect(label.owner?.entity == "Post")
    let numbered = RecordLabel("Post/e\u{301}").numbered(12)
    #expect(numbered.base == "Post/e\u{301}")
    #expect(numbered.number == 12)
    #expect(!RecordLabel("Post/~\u{301}1").isNumbered)
  }

  @Test func aRecordKeyedByARelationshipIsTheOneOfItsOwner() {
    let graph = Graph(records: [
      Record(1, "User", key: "id", properties: ["id": text("7")]),
      Record(2, "Counts", key: "user", properties: ["user": one(1)]),
      Record(3, "Detail", key: "counts", properties: ["counts": one(2)]),
    ])
    #expect(graph.labels == ["User/7", "Counts@User/7", "Detail@Counts@User/7"])
  }

  @Test func severalOfOneOwnerAreNumberedByContent() {
    let graph = Graph(records: [
      Record(1, "User", key: "id", properties: ["id": text("7")]),
      Record(2, "Line", key: "user", properties: ["user": one(1), "text": text("b")]),
      Record(3, "Line", key: "user", properties: ["user": one(1), "text": text("a")]),
    ])
    #expect(graph.labels == ["User/7", "Line@User/7~2", "Line@User/7~1"])
  }

  @Test func keylessRecordsAreNumberedByOwnerThenContent() {
    let graph = Graph(records: [
      Record(1, "Tag", properties: ["text": text("b")]),
      Record(2, "Tag", properties: ["text": text("c")]),
      Record(3, "Tag", properties: ["text": text("a")]),
      Record(4, "Post", key: "id", properties: ["id": text("2"), "tags": many([3])]),
      Record(5, "Post", key: "id", properties: ["id": text("1"), "tags": many([1, 2])]),
    ])
    #expect(graph.labels == ["Tag~1", "Tag~2", "Tag~3", "Post/2", "Post/1"])
  }

  @Test func membersOfAnOrderedRelationshipKeepItsOrder() {
    let graph = Graph(records: [
      Record(1, "Tag", properties: ["text": text("z")]),
      Record(2, "Tag", properties: ["text": text("a")]),
      Record(3, "Post", key: "id", properties: ["id": text("1"), "tags": many([1, 2], ordered: true)]),
    ])
    #expect(graph.labels == ["Tag~1", "Tag~2", "Post/1"])
  }

  @Test func aNilKeyIsNoKey() {
    let graph = Graph(records: [Record(1, "Post", key: "id"), Record(2, "Line", key: "a", "b")])
    #expect(graph.labels == ["Post~1", "Line~1"])
  }

  @Test func recordsThatShareAKeyAreNumbered() {
    let graph = Graph(records: [
      Record(1, "User", key: "id", properties: ["id": text("7"), "name": text("B")]),
      Record(2, "User", key: "id", properties: ["id": text("7"), "name": text("A")]),
      Record(3, "Counts", key: "user", properties: ["user": one(1)]),
    ])
    #expect(graph.labels == ["User/7~2", "User/7~1", "Counts@User/7~2"])
  }

  @Test func whatAKeylessRecordOwnsIsNamedAfterItsNumber() {
    let graph = Graph(records: [
      Record(1, "Tag", properties: ["text": text("b")]),
      Record(2, "Tag", properties: ["text": text("a")]),
      Record(3, "Counts", key: "tag", properties: ["tag": one(1)]),
      Record(4, "Counts", key: "tag", properties: ["tag": one(2)]),
    ])
    #expect(graph.labels == ["Tag~2", "Tag~1", "Counts@Tag~2", "Counts@Tag~1"])
  }

  @Test func recordsThatOwnEachOtherAreKeyless() {
    let graph = Graph(records: [
      Record(1, "Node", key: "parent", properties: ["parent": one(2), "text": text("b")]),
      Record(2, "Node", key: "parent", properties: ["parent": one(1), "text": text("a")]),
      Record(3, "Node", key: "parent", properties: ["parent": one(1)]),
    ])
    #expect(graph.labels == ["Node~2", "Node~1", "Node@Node~2"])
  }

  @Test func aLinkThatLeadsNowhereIsDangling() {
    let graph = Graph(records: [
      Record(1, "Post", key: "id", properties: ["id": text("1"), "user": one(99, "User")])
    ])
    let snapshot = graph.labeled().snapshot
    #expect(snapshot["Post/1"]?.properties["user"] == .toOne("User~?"))
  }

  @Test func partsOfALabelAreFound() {
    #expect(RecordLabel("Counts@User/7").entity == "Counts")
    #expect(RecordLabel("Counts@User/7").owner == "User/7")
    #expect(RecordLabel("Line@Order/7~2").base == "Line@Order/7")
    #expect(RecordLabel("Tag~1").entity == "Tag")
    #expect(RecordLabel("User~?").base == "User~?")
    #expect(!RecordLabel("Post/1").isNumbered)
  }
}
