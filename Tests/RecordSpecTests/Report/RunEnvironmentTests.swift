import Testing

@testable import ScenarioFormat
@testable import ScenarioReport

struct RunEnvironmentTests {
  @Test(arguments: [
    ([:], false), (["CI": ""], false), (["CI": "0"], false), (["CI": "false"], false), (["CI": "true"], true),
    (["CI": "1"], true), (["CI": "woodpecker"], true), (["TF_BUILD": "True"], true),
    (["TF_BUILD": ""], false),
  ])
  func whatCountsAsCI(variables: [String: String], isCI: Bool) {
    #expect(RunEnvironment(variables: variables).isCI == isCI)
  }

  @Test(arguments: [
    ([:], true), (["CI": "1"], false), (["RECORDSPEC_READ_ONLY": "1"], false),
    (["RECORDSPEC_READ_ONLY": "0"], true),
    (["RECORDSPEC_READ_ONLY": ""], true),
  ])
  func whereFailuresAreRemembered(variables: [String: String], isRemembering: Bool) {
    let environment = RunEnvironment(variables: variables, isTerminal: true, hasTerminalInput: true)
    #expect(environment.remembersFailures == isRemembering)
    #expect(environment.isInteractive == isRemembering)
  }

  @Test(arguments: [
    (ColorChoice.auto, [:], true, true), (.auto, [:], false, false),
    (.always, ["NO_COLOR": "1"], false, true),
    (.never, ["CLICOLOR_FORCE": "1"], true, false),
    (.auto, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false),
    (.auto, ["NO_COLOR": ""], true, true), (.auto, ["CLICOLOR_FORCE": "1"], false, true),
    (.auto, ["CLICOLOR_FORCE": "0"], false, false), (.auto, ["CLICOLOR": "0"], true, false),
    (.auto, ["TERM": "dumb"], true, false), (.auto, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true, true),
  ])
  func whatIsColored(choice: ColorChoice, variables: [String: String], isTerminal: Bool, isColored: Bool) {
    let environment = RunEnvironment(variables: variables, isTerminal: isTerminal)
    #expect(environment.isColored(choice) == isColored)
  }
}
