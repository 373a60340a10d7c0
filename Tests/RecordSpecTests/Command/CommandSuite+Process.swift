import Foundation

extension CommandSuite {
  /// Runs a line of bash in the suite's folder, in which `$recordspec` is the command.
  func bash(_ line: String) throws -> Outcome { try RunningCommand(process(line)).end() }

  /// A line of bash that is to be run in the suite's folder.
  func process(_ line: String) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "-c", line]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    // In CI nothing is blessed at all.
    var environment = ProcessInfo.processInfo.environment.filter { !["CI", "TF_BUILD"].contains($0.key) }
    environment["recordspec"] = Self.command
    process.environment = environment
    return process
  }

  /// Beside the tests in the folder of products.
  private static var command: String {
    #if os(Linux)
      let folder = Bundle.main.bundleURL
    #else
      let folder = Bundle(for: TemporaryFolder.self).bundleURL.deletingLastPathComponent()
    #endif
    return folder.appendingPathComponent("recordspec").path
  }
}
