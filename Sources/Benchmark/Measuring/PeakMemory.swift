import Foundation

/// The peak memory of a process, including all of its parts.
enum PeakMemory {
  /// The line with which peaks are compared.
  static let responseLine = Line(.peak, "response")

  /// Returns the peak memory of a process that does only one fresh import. The process runs this program again.
  static func ofProcess(importingAs name: String, feed: String, database: String) throws -> Int {
    guard let program = Bundle.main.executableURL else { throw BenchmarkFailure("this program has no path") }
    let process = Process()
    process.executableURL = program
    process.arguments = ["--import-as", name, "--feed", feed, "--database", database]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0, let bytes = Int(text.filter { $0 != "\n" }) else {
      throw BenchmarkFailure("peak.\(name): the import in a process of its own failed: \(text)")
    }
    return bytes
  }

  /// Imports a file in this process, and returns the peak memory of the process.
  static func ofImport<Subject: Contender>(
    by type: Subject.Type, feed: String, database: String
  ) async throws -> Int {
    var subject = try Subject(path: database)
    try await subject.importResponse(try bytes(of: feed))
    let peak = try ofThisProcess()
    try subject.close()
    return peak
  }

  /// Returns the bytes of a file, without a second copy in memory.
  private static func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw BenchmarkFailure("\(path) cannot be read") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }

  private static func ofThisProcess() throws -> Int {
    #if os(Linux)
      // Not `getrusage`, because a process inherits that figure from its parent.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let words = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split { " \t".contains($0) }
      guard let kilobytes = words?.dropFirst().first.flatMap({ Int($0) }) else {
        throw BenchmarkFailure("/proc/self/status does not say VmHWM")
      }
      return kilobytes * 1024
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss)
    #endif
  }
}
