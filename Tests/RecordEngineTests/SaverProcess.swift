import Foundation
import Testing

/// A running process of the executable `CrashingSaver`.
final class SaverProcess {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var buffer = Data()

  /// - Parameters:
  ///   - point: The number of the file change before which the process kills itself. With 0 the process prints the
  ///     number of its file changes at the end.
  ///   - limit: The maximum size in bytes of the files that the process can write.
  init(_ command: String, _ file: URL, endingAt point: Int? = nil, limit: Int? = nil) throws {
    process.executableURL = try Self.executable()
    process.arguments = [command, file.path] + (point.map { ["\($0)"] } ?? [])
    var environment = ProcessInfo.processInfo.environment
    // The backtracer would delay the end of a killed process.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["FILE_SIZE_LIMIT"] = limit.map { "\($0)" }
    process.environment = environment
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    // A process that hangs is killed.
    let identifier = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [weak process] in
      if process?.isRunning ?? false { _ = Foundation.kill(identifier, SIGKILL) }
    }
  }

  /// Returns the path of the executable, which is next to the tests in the folder of build products.
  private static func executable() throws -> URL {
    #if os(Linux)
      let folder = Bundle.main.bundleURL
    #else
      let folder = Bundle(for: SaverProcess.self).bundleURL.deletingLastPathComponent()
    #endif
    let url = folder.appendingPathComponent("CrashingSaver")
    try #require(FileManager.default.isExecutableFile(atPath: url.path), "\(url.path) is missing")
    return url
  }

  /// Returns the next line of the output, or nil at the end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer = Data(buffer[(end + 1)...]) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      buffer.append(data)
    }
  }

  /// Waits for the end of the process, and returns the remaining lines of its output.
  func rest() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  func kill() -> [String] {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    return rest()
  }

  func endInput() -> [String] {
    try? input.fileHandleForWriting.close()
    return rest()
  }

  var status: Int32 { process.terminationStatus }
}
