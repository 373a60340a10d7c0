/// An adapter of an app, as the project's settings describe it.
package struct AdapterSettings: Hashable, Sendable {
  package var name: String
  /// The program and its arguments. It runs in ``folder``.
  package var command: [String]
  /// The folder of the settings.
  package var folder: String
  /// The time in which each message must be answered. Default 10 seconds.
  package var timeout: Duration = .seconds(10)

  package init(_ name: String, command: [String], folder: String) {
    (self.name, self.command, self.folder) = (name, command, folder)
  }
}
