import ArgumentParser

@main
struct RecordSpecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordspec", abstract: "Runs scenarios against the record engine.")
}
