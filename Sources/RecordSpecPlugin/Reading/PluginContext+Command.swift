import Foundation
import PackagePlugin

extension PluginContext {
  /// Replaces the process of the plugin with `recordspec`. The exit code, the output and signals are then those of the
  /// command. Returns only by throwing an error.
  func becomeCommand(with arguments: [String]) throws {
    let path = try tool(named: "RecordSpecCommand").url.path
    // The package manager passes on its own options, too, if they follow the name of the plugin.
    let arguments = arguments.filter { $0 != "--allow-writing-to-package-directory" }
    var pointers = ([path] + arguments).map { strdup($0) }
    pointers.append(nil)
    execv(path, pointers)
    throw CommandFailure(description: "cannot start '\(path)': \(String(cString: strerror(errno)))")
  }
}

private struct CommandFailure: Error, CustomStringConvertible {
  let description: String
}
