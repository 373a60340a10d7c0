import Testing

/// Tests that a label of a parent entity leads to the record of the sub-entity.
struct SubEntityLabelTests {
  private func suite(_ steps: String = "", _ expect: String = "") throws -> CommandSuite {
    try CommandSuite([
      "a": """
      title: Cars
      model:
        entities:
          Vehicle: {abstract: true, primaryKey: id, attributes: {id: int64}}
          Car: {parent: Vehicle, usedWhen: wheels != nil, attributes: {wheels: int32}}
      responses: {cars: {body: [{id: 9, wheels: 4}]}}
      steps: [{request: Vehicle, urn: cars}\(steps)]
      \(expect)
      """
    ])
  }

  @Test(arguments: [
    (["explain", "a", "Vehicle/9"], "no record has the label 'Vehicle/9'; did you mean 'Car/9'?"),
    (
      ["explain", "a", "Vehicle/9.wheels"],
      "no record has the label 'Vehicle/9.wheels'; did you mean 'Car/9.wheels'?"
    ),
    (["show", "a", "Vehicle/9"], "there is no record 'Vehicle/9' after step 1; did you mean 'Car/9'?"),
  ])
  func aCommandSuggestsTheLabel(arguments: [String], message: String) async throws {
    let outcome = await (try suite()).recordspec(arguments)
    #expect(outcome == .init(status: 64, output: "", errors: "error: \(message)\n"))
  }

  @Test func aChangeSuggestsTheLabel() async throws {
    let outcome = await (try suite(", {change: {delete: [Vehicle/9]}}")).recordspec("run")
    #expect(
      outcome.output.contains("error: no record has the label 'Vehicle/9' at this point [unknown-record]")
        && outcome.output.contains("= help: did you mean 'Car/9'?"), "\(outcome.output)")
  }

  @Test func anAbsentRecordIsReported() async throws {
    let outcome = await (try suite("", "expect: {graph: {Vehicle: {absent: [Vehicle/9]}}}")).recordspec("run")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("Scenarios/a.yaml:8:37: error: Car/9: unexpected record [extra]"),
      "\(outcome.output)")
  }
}
