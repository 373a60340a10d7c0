import RecordModel
import ScenarioRun

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
}
