import Dispatch
import Foundation
import RecordEngine

/// A hook that blocks the first population of a response until the test releases it.
final class Holdup: @unchecked Sendable {
  private let begun = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  /// Accessed only while `lock` is held.
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

  /// A response that is nested so deeply that it is populated on a separate thread. A hook that blocks this thread
  /// blocks nothing else.
  static let echo: @Sendable (ServerRequest) -> ServerResponse = { request in
    let deep = (1...30).reduce(JSONValue.null) { value, _ in [value] }
    return ServerResponse(.json(["id": .string(request.urn), "deep": deep]))
  }
}
