package import ScenarioFormat

/// The environment of a run: environment variables, and whether standard output is a terminal.
package struct RunEnvironment: Sendable {
  package var variables: [String: String]
  /// A Boolean value that indicates whether standard output is a terminal.
  package var isTerminal: Bool
  /// A Boolean value that indicates whether a person can answer questions: standard input and standard output are
  /// terminals, and the run is neither in CI nor read-only.
  package var isInteractive: Bool { isTerminal && hasTerminalInput && !isCI && !isReadOnly }
  private let hasTerminalInput: Bool
  /// The number of columns of the terminal of standard output; nil if there is none, or if the number is unknown.
  package let terminalWidth: Int?

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - isTerminal: a Boolean value that indicates whether standard output is a terminal.
  ///   - hasTerminalInput: a Boolean value that indicates whether standard input is a terminal.
  ///   - terminalWidth: the number of columns of the terminal of standard output.
  package init(
    variables: [String: String] = [:], isTerminal: Bool = false, hasTerminalInput: Bool = false,
    terminalWidth: Int? = nil
  ) {
    self.variables = variables
    self.isTerminal = isTerminal
    self.hasTerminalInput = hasTerminalInput
    // A narrower terminal has no room for tables.
    self.terminalWidth = terminalWidth.flatMap { isTerminal && $0 >= 20 ? $0 : nil }
  }

  /// A Boolean value that indicates whether the run is in CI. In CI, golden files are not blessed.
  package var isCI: Bool {
    isSet("CI") || !(variables["TF_BUILD"] ?? "").isEmpty
  }

  /// Returns a Boolean value that indicates whether a variable is set and not empty, `0` or `false`.
  package func isSet(_ name: String) -> Bool {
    variables[name].map { !["", "0", "false"].contains($0.lowercased()) } ?? false
  }

  /// A Boolean value that indicates whether commands that write files are refused. The plugin for `swift package`, which
  /// may not write in the package, sets the variable.
  package var isReadOnly: Bool { isSet("RECORDSPEC_READ_ONLY") }

  /// A Boolean value that indicates whether the results of failed scenarios are stored in the folder `.recordspec`.
  package var remembersFailures: Bool { !isCI && !isReadOnly }

  package var isGitHubActions: Bool { variables["GITHUB_ACTIONS"] == "true" }

  /// The file for the summary of a step on GitHub; nil if there is none.
  package var gitHubSummary: String? {
    guard isGitHubActions, let path = variables["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
    return path
  }

  /// Returns a Boolean value that indicates whether output is colored. The choice decides, then `NO_COLOR`,
  /// `CLICOLOR_FORCE`, `CLICOLOR`, then whether standard output is a terminal that supports colors.
  package func isColored(_ choice: ColorChoice) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if !(variables["NO_COLOR"] ?? "").isEmpty { return false }
    if let force = variables["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
    if variables["CLICOLOR"] == "0" || variables["TERM"] == "dumb" { return false }
    return isTerminal
  }
}
