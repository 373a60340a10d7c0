import RecordModel

/// The part of an actual result that a command shows.
extension ActualResult {
  /// Returns the number of the step to show. Reports a number that does not exist and returns nil.
  ///
  /// - Parameter number: the number that the user named; nil for the last step.
  func step(_ number: Int?, context: CommandContext) -> Int? {
    guard let number else { return steps.count }
    if (0...steps.count).contains(number) { return number }
    let count = counted(steps.count, "step")
    context.report(
      "error: '--step' must be from 0 to \(steps.count), because the result has \(count); 0 is the graph before the first step\n"
    )
    return nil
  }

  /// Reports the defect that ended the run early, or that made a step fail. Returns the exit status of the command.
  func status(_ context: CommandContext) -> ExitStatus {
    if let breakage = executed.breakage {
      context.report(
        "error: the scenario ended after step \(steps.count): \(breakage.message); \(breakage.advice)\n")
    } else if let obstacle = executed.obstacle.map({ Breakage($0) }) {
      context.report("error: the scenario could not run normally: \(obstacle.message); \(obstacle.advice)\n")
    } else {
      return .success
    }
    return .broken
  }
}
