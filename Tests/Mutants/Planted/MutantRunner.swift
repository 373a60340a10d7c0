import Foundation

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Runs scenarios one after the other, and stops at the first that does not pass. `scripts/mutants` builds it together
/// with the planted sources. It is not part of the product.
///
/// Arguments: the folders of scenarios and golden files, then pairs of a store and a scenario's name. Prints the first
/// pair that does not pass.
@main
enum MutantRunner {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, arguments.count.isMultiple(of: 2) else { exit(64) }
    let (scenarios, golden) = (arguments[0], GoldenFolder(path: arguments[1]))
    for index in stride(from: 2, to: arguments.count, by: 2) {
      guard let store = StoreKind(rawValue: arguments[index]) else { exit(64) }
      let name = arguments[index + 1]
      let judge = ScenarioJudge(
        execute: { await ScenarioExecution.execute($0, on: $1) }, store: store, golden: golden,
        today: ScenarioJudge.day(of: Date()))
      let file = ScenarioFile(path: "\(scenarios)/\(name).yaml", name: name)
      let verdict = await judge.verdict(on: RunPlan.Entry(file: file))
      switch verdict.outcome {
      case .passed, .skipped, .expectedFailure: continue
      case .new, .failed, .invalid, .unexpectedPass, .broken:
        print(store.rawValue, name)
        exit(1)
      }
    }
    exit(0)
  }
}
