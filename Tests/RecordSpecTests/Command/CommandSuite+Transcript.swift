extension CommandSuite {
  /// Runs the commands of a console listing one by one in the suite's folder. Returns them with their output, in the
  /// form of the listing.
  ///
  /// - Parameters:
  ///   - listing: Commands after `$ `; all other lines are ignored.
  ///   - status: The exit status of the last command, which is `$?` in the next one.
  func transcript(of listing: String, status: inout Int32) throws -> String {
    var transcript = ""
    for line in listing.split(separator: "\n") where line.hasPrefix("$ ") {
      let setup = "unset GITHUB_ACTIONS; recordspec() { \"$recordspec\" \"$@\"; }; (exit \(status))"
      let outcome = try bash("\(setup)\n\(line.dropFirst(2))")
      status = outcome.status
      transcript += line + "\n" + outcome.output + outcome.errors
    }
    return transcript
  }
}
