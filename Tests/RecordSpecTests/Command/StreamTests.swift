import Foundation
import Testing

@testable import RecordSpec

/// The command as a process of its own, whose streams may be closed or lead nowhere.
struct StreamTests {
  @Test(
    arguments: [
      (">/dev/full", 3, "error: the report cannot be written: No space left on device\n"),
      ("| true", 141, ""), ("2>&-", 0, ""),
    ] as [(String, Int32, String)])
  func aReportThatNobodySeesEndsTheRun(redirection: String, status: Int32, errors: String) throws {
    #if !os(Linux)
      // What is always full is Linux's.
      if redirection.contains("/dev/full") { return }
    #endif
    let suite = try CommandSuite(["a": scenario()])
    // 'rules' says more than a pipe holds.
    let outcome = try run(
      "'\(command())' rules \(redirection); exit ${PIPESTATUS[0]}", in: suite.folder.path)
    #expect(outcome.status == status)
    #expect(outcome.errors == errors)
  }

  #if os(Linux)
    @Test func nothingIsBlessedThatNobodyHasSeen() throws {
      let suite = try CommandSuite(["a": scenario()])
      #expect(try run("'\(command())' bless >/dev/full", in: suite.folder.path).status == 3)
      #expect(suite.written == [])
    }
  #endif

  private func run(_ line: String, in folder: String) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "-c", line]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    // In CI nothing is blessed at all.
    process.environment = ProcessInfo.processInfo.environment.filter { !["CI", "TF_BUILD"].contains($0.key) }
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// Beside the tests in the folder of products.
  private func command() -> String {
    #if os(Linux)
      let folder = Bundle.main.bundleURL
    #else
      let folder = Bundle(for: TemporaryFolder.self).bundleURL.deletingLastPathComponent()
    #endif
    return folder.appendingPathComponent("recordspec").path
  }
}
