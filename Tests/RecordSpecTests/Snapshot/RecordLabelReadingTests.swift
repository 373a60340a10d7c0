import RecordModel
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat

/// Tests for the order of labels that people read.
struct RecordLabelReadingTests {
  @Test(arguments: [
    ["Issue/5", "Issue/10", "Issue/101"],
    ["Issue/9", "Issue/10", "Note/1"],
    ["Line/2,10", "Line/10,2"],
    ["Counts@User/7", "Counts@User/12", "Counts@User/100"],
    ["Tag~2", "Tag~10"],
    ["Item/a2", "Item/a10", "Item/b1"],
    ["Item/001", "Item/01", "Item/1", "Item/2"],
    ["Item", "Item/1"],
    ["Item/99999999999999999999998", "Item/99999999999999999999999"],
    ["Item/1x", "Item/1y", "Item/2"],
  ])
  func numbersAreComparedByValue(texts: [String]) {
    let labels = texts.map { RecordLabel($0) }
    #expect(Array(labels.reversed()).sortedForReading() == labels)
    #expect(labels.sortedForReading() == labels)
  }

  @Test func goldenFilesKeepTheOrderOfTexts() {
    let graph = GraphSnapshot(
      ["Issue/5", "Issue/10"].map { RecordSnapshot(label: RecordLabel($0), entity: "Issue") })
    #expect(graph.labels == ["Issue/10", "Issue/5"])
    #expect(graph.readableLabels == ["Issue/5", "Issue/10"])
  }
}
