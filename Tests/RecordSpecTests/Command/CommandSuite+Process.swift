import Foundation

extension CommandSuite {
  /// Runs a line of bash in the suite's folder. `$recordspec` is the path of the command.
  func bash(_ line: String) throws -> Outcome { try RunningCommand(process(line)).end() }

  /// Returns a process that runs a line of bash in the suite's folder.
  func process(_ line: String) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "-c", line]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    // In CI, recordspec refuses to bless golden files. On GitHub, it prints annotations.
    var environment = ProcessInfo.processInfo.environment.filter {
      !["CI", "TF_BUILD"].contains($0.key) && !$0.key.hasPrefix("GITHUB_")
    }
    environment["recordspec"] = Self.command
    process.environment = environment
    return process
  }

  /// The path of the command, which is next to the tests in the folder of build products.
  private static var command: String {
    #if os(Linux)
      let folder = Bundle.main.bundleURL
    #else
      let folder = Bundle(for: TemporaryFolder.self).bundleURL.deletingLastPathComponent()
    #endif
    return folder.appendingPathComponent("recordspec").path
  }
}
