import Dispatch
import Foundation
import RecordEngine

/// A hook that blocks the first population of a response until the test releases it.
// Unchecked: `isOver` is accessed only while `lock` is held.
final class Holdup: @unchecked Sendable {
  private let begun = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private var isOver = false

  var options: RequestOptions {
    var options = RequestOptions()
    options.prePopulation = { [self] _ in
      let isFirst = lock.withLock {
        defer { isOver = true }
        return !isOver
      }
      if isFirst {
        begun.signal()
        end.wait()
      }
      return nil
    }
    return options
  }

  /// Waits until the population is blocked.
  func pass() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [begun] in
        begun.wait()
        continuation.resume()
      }
    }
  }

  func letGo() { end.signal() }

  /// A value that is nested so deeply that its response is populated on a separate thread. A hook that blocks this thread
  /// blocks nothing else.
  static let deepValue = (1...30).reduce(JSONValue.null) { value, _ in [value] }

  /// A response with the address as the key, and the deep value.
  static let echo: @Sendable (ServerRequest) -> ServerResponse = { request in
    ServerResponse(.json(["id": .string(request.urn), "deep": deepValue]))
  }
}
