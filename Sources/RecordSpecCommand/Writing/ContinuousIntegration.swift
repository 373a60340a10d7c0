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
    let options = scenarios == "Scenarios" ? "" : " --scenarios \(ShellText.quoted(scenarios))"
    let command = String(JSONValue.string("recordspec" + options).yamlText().dropLast())
    switch self {
    case .github:
      return """
        on: [push, pull_request]
        jobs:
          scenarios:
            runs-on: ubuntu-24.04
            container: swift:6.2-noble
            steps:
              - uses: actions/checkout@v4
              # Replace 'your-account' with the account that hosts your copy of RecordSpec.
              - uses: actions/checkout@v4
                with: {repository: your-account/RecordSpec, path: RecordSpec}
              - run: RecordSpec/scripts/setup
              # The first run builds the command, which takes minutes.
              - uses: actions/cache/restore@v4
                id: command
                with: {path: /opt/recordspec, key: "recordspec-6.2-${{ hashFiles('RecordSpec/Package.swift', 'RecordSpec/Sources/**') }}"}
              - if: steps.command.outputs.cache-hit != 'true'
                run: RecordSpec/scripts/install --prefix /opt/recordspec
              - if: steps.command.outputs.cache-hit != 'true'
                uses: actions/cache/save@v4
                with: {path: /opt/recordspec, key: "${{ steps.command.outputs.cache-primary-key }}"}
              - run: echo /opt/recordspec/bin >> "$GITHUB_PATH"
              - run: \(command)

        """
    case .gitlab:
      return """
        scenarios:
          image: swift:6.2-noble
          cache: {key: recordspec, paths: [recordspec-command], when: always}
          script:
            # Replace 'your-account' with the account that hosts your copy of RecordSpec.
            - git clone --depth 1 https://gitlab.com/your-account/RecordSpec.git
            - RecordSpec/scripts/setup
            # The first run builds the command, which takes minutes.
            - COMMAND="$PWD/recordspec-command/$(git -C RecordSpec rev-parse HEAD)"
            - test -x "$COMMAND/bin/recordspec" || { rm -rf recordspec-command; RecordSpec/scripts/install --prefix "$COMMAND"; }
            - PATH="$COMMAND/bin:$PATH"
            - \(command)

        """
    case .none: return ""
    }
  }
}
