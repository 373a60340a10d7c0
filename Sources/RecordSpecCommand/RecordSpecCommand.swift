import ArgumentParser

@main
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordspec", abstract: "Runs scenarios against the record engine.")
}
