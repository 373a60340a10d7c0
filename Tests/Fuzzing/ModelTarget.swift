import Foundation
import RecordModel
import RecordSpec

/// Models in separate YAML files.
struct ModelTarget: FuzzTarget {
  private let reading: ScenarioReading
  private let file: URL
  private let scenario = Array("title: A model\nmodel: input.model.yaml\nsteps: [save]\n".utf8)

  init() throws {
    reading = try ScenarioReading()
    file = reading.folder.appendingPathComponent("input.model.yaml")
  }

  func check(_ input: [UInt8]) {
    expectNoError("the model cannot be written") { try Data(input).write(to: file) }
    let loaded = reading.load(scenario, others: [file.path: input.count])
    if let scenario = loaded.scenario { SchemaOracle.check(scenario.model) }
  }
}
