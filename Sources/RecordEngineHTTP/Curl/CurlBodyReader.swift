#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A reader for the body of a request from a stream. It uses its own thread, because reads block.
  // Unchecked: the stream is used only on that thread, and all mutable state is accessed only under `lock`.
  final class CurlBodyReader: @unchecked Sendable {
    /// The maximum size of a stream in bytes.
    static let maximumSize = 256 << 20

    private typealias Outcome = Result<[UInt8], any Error>

    private let stream: InputStream
    private let maximumSize: Int
    private let timeout: Duration
    private let urn: String
    private let lock = NSLock()
    private var continuation: CheckedContinuation<[UInt8], any Error>?
    private var outcome: Outcome?
    /// The time at which the request fails, unless bytes are read before.
    private var deadline: ContinuousClock.Instant

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - maximumSize: the number of bytes beyond which the request fails.
    ///   - timeout: the time without bytes after which the request fails.
    ///   - urn: the address as the caller wrote it, for errors.
    init(_ stream: InputStream, maximumSize: Int = CurlBodyReader.maximumSize, timeout: Duration, urn: String)
    {
      self.stream = stream
      self.maximumSize = maximumSize
      self.timeout = timeout
      self.urn = urn
      deadline = .now + timeout
    }

    /// Returns all bytes of the stream. This method must be called only once.
    func content() async throws -> [UInt8] {
      let timer = Task { try await self.endAfterSilence() }
      defer { timer.cancel() }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let outcome = lock.withLock {
            if self.outcome == nil { self.continuation = continuation }
            return self.outcome
          }
          if let outcome { return continuation.resume(with: outcome) }
          Thread.detachNewThread { self.end(with: Outcome { try self.read() }) }
        }
      } onCancel: {
        end(with: .failure(CancellationError()))
      }
    }

    /// Ends the reading. Only the first call has an effect.
    private func end(with outcome: Outcome) {
      let continuation = lock.withLock {
        self.outcome = self.outcome ?? outcome
        defer { self.continuation = nil }
        return self.continuation
      }
      continuation?.resume(with: outcome)
    }

    private func endAfterSilence() async throws {
      while true {
        let deadline = lock.withLock { self.deadline }
        if deadline <= .now { return end(with: .failure(URLError(.timedOut))) }
        try await Task.sleep(until: deadline, clock: .continuous)
      }
    }

    // MARK: Thread

    private func read() throws -> [UInt8] {
      stream.open()
      defer { stream.close() }
      var content: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = stream.read(&buffer, maxLength: buffer.count)
        guard count >= 0 else { throw stream.streamError ?? URLError(.cannotOpenFile) }
        if count == 0 { return content }
        if count > maximumSize - content.count {
          throw HTTPServerError(
            .bodyTooLarge, urn, "the body of the request has more than \(maximumSize) bytes")
        }
        content += buffer.prefix(count)
        let isAwaited = lock.withLock {
          deadline = .now + timeout
          return outcome == nil
        }
        if !isAwaited { throw CancellationError() }
      }
    }
  }
#endif
