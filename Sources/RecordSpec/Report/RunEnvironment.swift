/// What the context of a run say: environment variables, and whether someone looks at a terminal.
package struct RunEnvironment: Sendable {
  package var variables: [String: String]
  /// Whether standard output is a terminal.
  package var isTerminal: Bool

  package init(variables: [String: String] = [:], isTerminal: Bool = false) {
    self.variables = variables
    self.isTerminal = isTerminal
  }

  /// Whether nobody is there: nothing is asked then, and nothing is written beside the sources.
  package var isCI: Bool {
    let isSet = variables["CI"].map { !["", "0", "false"].contains($0.lowercased()) } ?? false
    return isSet || !(variables["TF_BUILD"] ?? "").isEmpty
  }

  package var isGitHubActions: Bool { variables["GITHUB_ACTIONS"] == "true" }

  /// The flag decides, then `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`, then whether it is a terminal that can.
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

package enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never
}
