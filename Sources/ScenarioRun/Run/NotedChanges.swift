import RecordEngine
import ScenarioComparison
import ScenarioFormat

/// The records of a response and its changes, whose labels are determined when the step ends: the number of a record
/// without a key depends on the records that the later responses of the step insert.
struct NotedChanges {
  let changes: ImportChanges
  var records: [RecordID] = []
  /// The labels that the records had before the changes or, if they still exist, right after them.
  var labels: [RecordID: RecordLabel] = [:]
  /// A Boolean value that indicates whether the labels of records are those of the end of the step. Those of a dry run
  /// are not: its records exist only in its own context.
  var followsGraph = true
}
