import JSONTree
import ScenarioFormat

/// A service that runs the scenarios of a repository after each push.
enum ContinuousIntegration: String, CaseIterable, Sendable {
  case github, gitlab, none

  /// The path of the file with the job, below the folder of the repository; nil for no service.
  var file: String? {
    switch self {
    case .github: ".github/workflows/scenarios.yml"
    case .gitlab: ".gitlab-ci.yml"
    case .none: nil
    }
  }

  /// Returns the text of the file.
  ///
  /// - Parameter scenarios: the folder of scenarios, relative to that of the repository.
  func text(running scenarios: String) -> String {
    var command = "recordspec"
    if scenarios != "Scenarios" { command += " --scenarios \(ShellText.quoted(scenarios))" }
    command = String(JSONValue.string(command).yamlText().dropLast())
    switch self {
    case .github:
      return """
        on: [push, pull_request]
        jobs:
          scenarios:
            runs-on: ubuntu-latest
            container: swift:6.2
            steps:
              - uses: actions/checkout@v4
              # Replace 'your-account' with the account that hosts your copy of RecordSpec.
              - uses: actions/checkout@v4
                with: {repository: your-account/RecordSpec, path: RecordSpec}
              - run: RecordSpec/scripts/install
              - run: \(command)

        """
    case .gitlab:
      return """
        scenarios:
          image: swift:6.2
          script:
            # Replace 'your-account' with the account that hosts your copy of RecordSpec.
            - git clone --depth 1 https://gitlab.com/your-account/RecordSpec.git
            - RecordSpec/scripts/install
            - \(command)

        """
    case .none: return ""
    }
  }
}
