import Foundation
import PackagePlugin

/// The plugin for `swift package recordspec`. It needs no permission, and refuses the commands that write files.
@main struct ReadingPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    // The package manager keeps the plugin from writing only on macOS, where it has a sandbox.
    setenv("RECORDSPEC_READ_ONLY", "1", 1)
    try context.becomeCommand(with: arguments)
  }
}
