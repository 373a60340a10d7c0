internal import RecordSpec

/// A message of a failure, as a test framework shows it at its location.
struct FailureIssue: Hashable {
  let message: String
  let fileID: String
  let filePath: String
  let line: Int
  let column: Int
}

extension ScenarioTest.Failure {
  /// The report at the location of the failure, and the other annotations in their order.
  var issues: [FailureIssue] {
    var issues = annotations.map {
      FailureIssue(
        message: $0.message, fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column)
    }
    // The report contains the message of the annotation at its location.
    let own = issues.firstIndex { ($0.filePath, $0.line, $0.column) == (filePath, line, column) }
    if let own { issues.remove(at: own) }
    issues.insert(
      FailureIssue(message: description, fileID: fileID, filePath: filePath, line: line, column: column),
      at: 0)
    return issues
  }
}
