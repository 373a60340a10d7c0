import Foundation
import Testing

/// The executable `CrashingSaver`, running.
final class SaverProcess {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var buffer = Data()

  /// - Parameters:
  ///   - point: the change of a file before which it ends itself; 0: it prints at its end how many there are.
  ///   - limit: the greatest size in bytes of the files that it may write.
  init(_ command: String, _ file: URL, endingAt point: Int? = nil, limit: Int? = nil) throws {
    process.executableURL = try Self.executable()
    process.arguments = [command, file.path] + (point.map { ["\($0)"] } ?? [])
    var environment = ProcessInfo.processInfo.environment
    // The backtracer would hold a process that is killed.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["FILE_SIZE_LIMIT"] = limit.map { "\($0)" }
    process.environment = environment
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    // Nobody waits for ever.
    let identifier = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [weak process] in
      if process?.isRunning ?? false { _ = Foundation.kill(identifier, SIGKILL) }
    }
  }

  /// Beside the tests in the folder of products.
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

  /// The next line it prints; nil at the end.
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

  /// The lines that it has yet to print, when it has ended.
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
