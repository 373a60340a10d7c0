import ScenarioFormat

/// A command that the user wrote after its options, where it would name a scenario.
struct MisplacedCommand {
  let name: String
  private let arguments: [String]
  /// A Boolean value that indicates whether the command accepts the options.
  var acceptsOptions = true

  /// Creates a command from the arguments. Returns nil if they do not start with an option, or contain no command.
  init?(in arguments: [String], among names: [String]) {
    guard arguments.first?.hasPrefix("-") == true,
      let index = arguments.firstIndex(where: names.contains)
    else { return nil }
    name = arguments[index]
    self.arguments = Array(arguments[..<index] + arguments[(index + 1)...])
  }

  /// The arguments in the valid order.
  var reordered: [String] { [name] + arguments }

  var message: String {
    acceptsOptions
      ? "put options after the command: recordspec \(reordered.map(ShellText.quoted).joined(separator: " "))"
      : "put options after the command; 'recordspec help \(name)' lists its options"
  }
}
