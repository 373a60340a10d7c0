#if os(Linux)
  import Foundation
  import FoundationNetworking
  import RecordEngineCurl

  /// A transport that sends requests with libcurl. `URLSession` on Linux ends the process if a connection ends within
  /// the head of a response, or if a response has trailers (swift-corelibs-foundation, issue 5285).
  ///
  /// One thread performs all requests. It starts with the first request.
  // Unchecked: all mutable state is accessed only under `lock` or on that thread.
  final class CurlTransport: HTTPTransport, @unchecked Sendable {
    private enum Command {
      case start(CurlTransfer, end: @Sendable (CurlTransfer.Outcome) -> Void)
      case cancel(CurlTransfer)
    }

    private let maximumConnectionsPerHost: Int
    private let cookies: HTTPCookieStorage?

    private let lock = NSLock()
    private var commands: [Command] = []
    private var hasThread = false
    private var isFinishing = false
    /// The multi handle of libcurl, which a command wakes. Nil if there is no thread.
    private var multi: UnsafeMutableRawPointer?

    /// The started transfers by handle. They are accessed only on the thread.
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    init(_ configuration: URLSessionConfiguration) {
      _ = Self.isSetUp
      maximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
      cookies = configuration.httpCookieAcceptPolicy == .never ? nil : configuration.httpCookieStorage
    }

    /// A Boolean value that indicates whether libcurl is set up. It is computed once per process, before another thread
    /// uses libcurl.
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    func response(
      to request: URLRequest, maximumBodySize: Int, urn: String
    ) async throws -> (HTTPURLResponse, [UInt8]) {
      let transfer = CurlTransfer(
        request, body: try await Self.body(of: request, urn: urn), maximumBodySize: maximumBodySize, urn: urn)
      let (head, body) = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          send(.start(transfer, end: { continuation.resume(with: $0) }))
        }
      } onCancel: {
        send(.cancel(transfer))
      }
      guard let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: head.status, httpVersion: head.version, headerFields: head.headers)
      else { throw URLError(.badServerResponse) }
      if request.httpShouldHandleCookies { keepCookies(of: head, from: url) }
      return (response, body)
    }

    func finish() {
      lock.withLock {
        isFinishing = true
        if let multi { curl_multi_wakeup(multi) }
      }
    }

    private static func body(of request: URLRequest, urn: String) async throws -> [UInt8] {
      if request.httpMethod == "HEAD" { return [] }
      if let body = request.httpBody { return Array(body) }
      guard let stream = request.httpBodyStream else { return [] }
      return try await CurlBodyReader(stream, timeout: request.timeout, urn: urn).content()
    }

    private func keepCookies(of head: HTTPHead, from url: URL) {
      guard let cookies else { return }
      for line in head.cookieLines {
        let found = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: url)
        cookies.setCookies(found, for: url, mainDocumentURL: nil)
      }
    }

    private func send(_ command: Command) {
      let needsThread = lock.withLock {
        commands.append(command)
        if let multi { curl_multi_wakeup(multi) }
        defer { hasThread = true }
        return !hasThread
      }
      if needsThread { Thread.detachNewThread { self.run() } }
    }

    // MARK: Thread

    private func run() {
      // A broken connection is an error of its transfer, and not a signal that ends the process. Closing a connection
      // may write to it, so that this thread also cleans up.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      guard let multi = curl_multi_init() else {
        let commands = lock.withLock {
          defer { (self.commands, hasThread) = ([], false) }
          return self.commands
        }
        for case .start(_, let end) in commands { end(.failure(Self.failure("curl_multi_init"))) }
        return
      }
      record_engine_curl_set_multi_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maximumConnectionsPerHost)
      lock.withLock { self.multi = multi }
      while let commands = nextCommands() {
        for command in commands { perform(command, multi) }
        performTransfers(multi)
      }
      curl_multi_cleanup(multi)
    }

    /// Returns the new commands, or nil if nothing is left to do and no request will follow.
    private func nextCommands() -> [Command]? {
      lock.withLock {
        if isFinishing, commands.isEmpty, transfers.isEmpty {
          (multi, hasThread) = (nil, false)
          return nil
        }
        defer { commands = [] }
        return commands
      }
    }

    private func perform(_ command: Command, _ multi: UnsafeMutableRawPointer) {
      switch command {
      case .start(let transfer, let end):
        transfer.onEnd(end)
        do {
          if transfer.isCancelled { throw CancellationError() }
          let handle = try transfer.prepare()
          let code = curl_multi_add_handle(multi, handle)
          guard code == CURLM_OK else { throw Self.failure("curl_multi_add_handle", code) }
          transfers[handle] = transfer
        } catch {
          transfer.end(with: .failure(error))
          transfer.free()
        }
      case .cancel(let transfer):
        transfer.isCancelled = true
        if let handle = transfer.handle { end(handle, multi, with: .failure(CancellationError())) }
      }
    }

    /// Performs the transfers as far as possible, and waits for further events.
    private func performTransfers(_ multi: UnsafeMutableRawPointer) {
      var count: Int32 = 0
      let performed = curl_multi_perform(multi, &count)
      endCompletedTransfers(multi)
      endSilentTransfers(multi)
      if performed != CURLM_OK {
        return endAllTransfers(multi, Self.failure("curl_multi_perform", performed))
      }
      if transfers.isEmpty, lock.withLock({ isFinishing }) { return }
      let milliseconds = Self.millisecondsToWait(until: transfers.values.compactMap(\.deadline), from: .now)
      let polled = curl_multi_poll(multi, nil, 0, milliseconds, nil)
      if polled != CURLM_OK { endAllTransfers(multi, Self.failure("curl_multi_poll", polled)) }
    }

    /// Returns the milliseconds until the next deadline, at most one hour, because a command ends the wait. The result
    /// is never negative, because libcurl refuses negative values.
    static func millisecondsToWait(
      until deadlines: [ContinuousClock.Instant], from now: ContinuousClock.Instant
    ) -> Int32 {
      let longest = Duration.seconds(3600)
      let wait = deadlines.min().map { now.duration(to: $0) } ?? longest
      return Int32((max(.zero, min(wait, longest)) / .milliseconds(1)).rounded(.up))
    }

    private func endCompletedTransfers(_ multi: UnsafeMutableRawPointer) {
      var remaining: Int32 = 0
      while let message = curl_multi_info_read(multi, &remaining) {
        guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
          let transfer = transfers[handle]
        else { continue }
        end(handle, multi, with: transfer.outcome(message.pointee.data.result))
      }
    }

    private func endSilentTransfers(_ multi: UnsafeMutableRawPointer) {
      let now = ContinuousClock.now
      for (handle, transfer) in transfers {
        guard let deadline = transfer.deadline, deadline <= now else { continue }
        end(handle, multi, with: .failure(URLError(.timedOut)))
      }
    }

    /// Ends all transfers after an error of libcurl itself, such as a lack of memory.
    private func endAllTransfers(_ multi: UnsafeMutableRawPointer, _ error: URLError) {
      for handle in transfers.keys { end(handle, multi, with: .failure(error)) }
      Thread.sleep(forTimeInterval: 0.01)
    }

    private func end(
      _ handle: UnsafeMutableRawPointer, _ multi: UnsafeMutableRawPointer, with outcome: CurlTransfer.Outcome
    ) {
      let transfer = transfers.removeValue(forKey: handle)
      // The outcome is reported first, because removing a handle waits for its host lookup before libcurl 7.87.
      transfer?.end(with: outcome)
      curl_multi_remove_handle(multi, handle)
      transfer?.free()
    }

    private static func failure(_ call: String, _ code: CURLMcode? = nil) -> URLError {
      let reason = code.map { ": " + String(cString: curl_multi_strerror($0)) } ?? ""
      return URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "\(call) failed\(reason)"])
    }
  }
#endif
