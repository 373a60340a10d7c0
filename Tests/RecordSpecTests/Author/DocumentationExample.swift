import RecordSpec

// The example programs of the library's landing page. A test compares them with the page.

func printWhatIsWrong() {
  // Documentation begin
  for file in ScenarioFiles(below: "Scenarios").files {
    let loaded = Scenario.load(file)
    print(DiagnosticRenderer().text(of: loaded.diagnostics), terminator: "")
  }
  // Documentation end
}

func printRules() throws {
  // Documentation begin
  let scenarios = ScenarioFiles(below: "Scenarios").files.compactMap { Scenario.load($0).scenario }
  print(try RuleListing(RuleCoverage(scenarios), of: "identity").text)
  // Documentation end
}
