import ArgumentParser

extension RootCommand {
  /// The option that prints a completion script.
  static let completionOption = "--generate-completion-script"

  /// Returns the completion script for a shell.
  static func completions(for shell: CompletionShell) -> String {
    completingHelp(in: completionScript(for: shell))
  }

  /// Returns a completion script of the parser in which the names of commands complete `help`. The parser declares this
  /// command itself, without completions.
  static func completingHelp(in script: String) -> String {
    let names = commandNames.joined(separator: " ")
    guard let function = script.firstRange(of: "\n_recordspec_help() {\n") else {
      // The script of fish contains no functions for commands.
      guard script.contains("complete -c 'recordspec'") else { return script }
      let lines = script.reversed().drop { $0 == "\n" }.reversed()
      return String(lines)
        + "\ncomplete -c 'recordspec' -n '__fish_seen_subcommand_from help' -fa '\(names)'\n"
    }
    var result = script
    let rest = function.upperBound..<script.endIndex
    if let words = script[rest].firstRange(of: "'*:subcommands:'") {
      result.replaceSubrange(words, with: "'*:command:(\(names))'")
    } else if let end = script[rest].firstRange(of: "\n}\n") {
      result.insert(
        contentsOf: "\n    COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))", at: end.lowerBound)
    }
    return result
  }
}
