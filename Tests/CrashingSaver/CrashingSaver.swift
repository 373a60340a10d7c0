import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// A process that tests start, and kill while it saves.
///
/// - `save FILE`: saves one generation of a graph after the other, and prints the number of each saved generation.
/// - `check FILE`: prints the generation in the file. If the file is invalid, prints the problem and exits with 1.
/// - `migrate FILE`: opens the file with an extended model, and prints `open`.
/// - `hold FILE`: opens the file, prints `open`, and keeps the file open until its input ends.
/// - `cache FILE`: opens the file as a record cache, prints `open`, and keeps the file open until its input ends.
/// - `keep FILE`: adds one response after the other to a record cache, and prints the number of each cached response.
/// - `kept FILE`: prints the number of responses that the cache returns. If one is invalid, prints the problem and
///   exits with 1.
/// - `open FILE`: opens the file as a user without privileges, and prints `open` or the error.
///
/// With a number after the file, the process kills itself at that ``CrashPoint``. With 0, it prints the number of crash
/// points at its end. `FILE_SIZE_LIMIT` is the maximum size in bytes of the files that it may write.
@main struct CrashingSaver {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let point = arguments.count == 3 ? Int(arguments[2]) : nil
    guard arguments.count == 2 || point != nil else {
      print("usage: CrashingSaver save|check|migrate|hold|cache|keep|kept|open FILE [POINT]")
      exit(64)
    }
    if let point { CrashPoint.set(point) }
    if let limit = ProcessInfo.processInfo.environment["FILE_SIZE_LIMIT"].flatMap({ rlim_t($0) }) {
      limitFileSize(limit)
    }
    do {
      try await run(arguments[0], URL(fileURLWithPath: arguments[1]))
      if point == 0 { say("\(CrashPoint.changeCount)") }
    } catch let error as PersistentStoreError {
      say("\(error.kind.rawValue): \(error.message)")
      exit(1)
    } catch let error as RecordCacheError {
      say("\(error.kind.rawValue): \(error.message)")
      exit(1)
    } catch {
      say("\(error)")
      exit(1)
    }
  }

  private static func limitFileSize(_ size: rlim_t) {
    // Exceeding the limit must be an error in the store and not end the process.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: size, rlim_max: size)
    #if canImport(Glibc)
      let isSet = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    #else
      let isSet = setrlimit(RLIMIT_FSIZE, &limit) == 0
    #endif
    guard isSet else {
      say("The size of files cannot be limited.")
      exit(1)
    }
  }

  private static func run(_ command: String, _ url: URL) async throws {
    switch command {
    case "save": try Generations(url).save()
    case "check": say("\(try Generations(url).check())")
    case "migrate":
      say("opening")
      _ = try Generations(url, isExtended: true)
      say("open")
    case "hold":
      let generations = try Generations(url)
      say("open")
      _ = readLine()
      withExtendedLifetime(generations) {}
    case "cache":
      let cache = try RecordCache(url: url)
      say("open")
      _ = readLine()
      withExtendedLifetime(cache) {}
    case "keep": try await KeptResponses(url).keep()
    case "kept": say("\(try await KeptResponses(url).rounds().count)")
    case "open":
      // Root ignores permissions, so become another user.
      if getuid() == 0 { guard setuid(65534) == 0 else { return say("cannot become another user") } }
      _ = try Generations(url)
      say("open")
    default: exit(64)
    }
  }

  static func say(_ text: String) {
    print(text)
    fflush(nil)
  }
}
