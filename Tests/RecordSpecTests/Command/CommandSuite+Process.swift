import Foundation

extension CommandSuite {
  /// Runs a line of bash in the suite's folder, in which `$recordspec` is the command.
  func bash(_ line: String) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "-c", line]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    // In CI nothing is blessed at all.
    var environment = ProcessInfo.processInfo.environment.filter { !["CI", "TF_BUILD"].contains($0.key) }
    environment["recordspec"] = Self.command
    process.environment = environment
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let outputText = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: outputText, errors: errorText)
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
