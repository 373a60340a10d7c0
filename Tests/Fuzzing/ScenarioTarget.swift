import RecordModel
import RecordSpec

/// Scenario files: YAML that is read, or refused with diagnostics.
struct ScenarioTarget: FuzzTarget {
  private let reading: ScenarioReading

  init() throws { reading = try ScenarioReading() }

  func check(_ input: [UInt8]) {
    if let scenario = reading.load(input).scenario { SchemaOracle.check(scenario.model) }
  }
}
