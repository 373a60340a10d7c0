/// A message of the argument parser that is reported in the words of RecordSpec.
enum ParserMessage {
  /// An option that the parser does not know, and the one that it suggests.
  case unknownOption(String, nearest: String?)
  /// A value that is not one of those of an option or argument.
  case unknownValue(String, argument: String, values: [String])

  /// Creates a message from the text of the parser. Returns nil for a message about something else.
  ///
  /// - Parameter arguments: the arguments that were parsed.
  init?(_ text: String, _ arguments: [String]) {
    // A line about a missing value may follow.
    let line = text.prefix { $0 != "\n" }
    if let match = line.wholeMatch(of: /Unknown option '(.+?)'(?:\. Did you mean '([^']+)'\?)?/) {
      self = .unknownOption(String(match.1), nearest: match.2.map(String.init))
      return
    }
    // The parser reads '-json' as '-j' with a value.
    if let match = line.wholeMatch(of: /The value '([^']+)' is invalid for '-j <.*/),
      let option = arguments.first(where: { $0 == "-j" + match.1 }),
      ["-jobs", "-json", "-junit"].contains(where: option.hasPrefix)
    {
      self = .unknownOption(option, nearest: "--jobs")
      return
    }
    let list = /The value '(.*?)' is invalid for '([^ ']+)(?: [^']*)?'\. Please provide one of (.+)/
      .dotMatchesNewlines()
    guard let match = text.wholeMatch(of: list) else { return nil }
    // Many values are one below the other, and few ones in quotes.
    let values = match.3.matches(of: /'([^']+)'|- (\S+)/).compactMap { $0.1 ?? $0.2 }.map(String.init)
    self = .unknownValue(String(match.1), argument: String(match.2), values: values)
  }
}
