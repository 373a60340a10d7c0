import PackagePlugin

/// The plugin for `swift package recordspec-write`. The package manager asks for the permission to write in the package.
@main struct WritingPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try context.becomeCommand(with: arguments)
  }
}
