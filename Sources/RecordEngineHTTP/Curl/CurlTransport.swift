#if os(Linux)
  import CCurl
  import Foundation
  import FoundationNetworking

  /// Sends requests with libcurl, which `URLSession` on Linux uses as well. That one ends the process where a connection
  /// ends within the head of a response, and for a response with trailers (swift-corelibs-foundation, issue 5285).
  ///
  /// One thread performs all requests; it starts with the first of them.
  // Unchecked: what changes is read and written under `lock`, or on that thread alone.
  final class CurlTransport: HTTPTransport, @unchecked Sendable {
    private enum Command {
      case start(CurlTransfer)
      case cancel(CurlTransfer)
    }

    private let multi: UnsafeMutableRawPointer?
    private let cookies: HTTPCookieStorage?

    private let lock = NSLock()
    private var commands: [Command] = []
    private var hasThread = false
    private var isFinishing = false

    /// The transfers that have started, by handle. Used on the thread alone.
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    init(_ configuration: URLSessionConfiguration) {
      _ = Self.isSetUp
      multi = curl_multi_init()
      ccurl_set_multi_number(
        multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.httpMaximumConnectionsPerHost)
      cookies = configuration.httpCookieAcceptPolicy == .never ? nil : configuration.httpCookieStorage
    }

    deinit { curl_multi_cleanup(multi) }

    /// Once a process, before any other thread uses libcurl.
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    func response(
      to request: URLRequest, headers: [String: String], maximumBodySize: Int, urn: String
    ) async throws -> (HTTPURLResponse, [UInt8]) {
      guard multi != nil else { throw URLError(.unknown) }
      let transfer = CurlTransfer(
        request, headers: headers, maximumBodySize: maximumBodySize, urn: urn)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          transfer.onEnd { continuation.resume(with: $0) }
          send(.start(transfer))
        }
      } onCancel: {
        send(.cancel(transfer))
      }
    }

    func finish() {
      lock.withLock { isFinishing = true }
      curl_multi_wakeup(multi)
    }

    private func send(_ command: Command) {
      let needsThread = lock.withLock {
        commands.append(command)
        defer { hasThread = true }
        return !hasThread
      }
      if needsThread { Thread.detachNewThread { self.run() } }
      curl_multi_wakeup(multi)
    }

    // MARK: The thread

    private func run() {
      // A connection that has gone is an error of its transfer, not a signal that ends the process.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      while true {
        let (commands, isFinishing) = lock.withLock {
          defer { self.commands = [] }
          return (self.commands, self.isFinishing)
        }
        for command in commands { perform(command) }
        var count: Int32 = 0
        let isPerformed = curl_multi_perform(multi, &count) == CURLM_OK
        endCompletedTransfers()
        endSilentTransfers()
        if isFinishing, transfers.isEmpty { return }
        let hasWaited = curl_multi_poll(multi, nil, 0, millisecondsToWait, nil) == CURLM_OK
        if !isPerformed || !hasWaited {
          // There is no memory left, for example.
          for handle in transfers.keys { end(handle, with: .failure(URLError(.unknown))) }
          Thread.sleep(forTimeInterval: 0.01)
        }
      }
    }

    private func perform(_ command: Command) {
      switch command {
      case .start(let transfer):
        do {
          if transfer.isCancelled { throw CancellationError() }
          let handle = try transfer.prepare()
          guard curl_multi_add_handle(multi, handle) == CURLM_OK else { throw URLError(.unknown) }
          transfers[handle] = transfer
        } catch { transfer.end(with: .failure(error)) }
      case .cancel(let transfer):
        transfer.isCancelled = true
        if let handle = transfer.handle { end(handle, with: .failure(CancellationError())) }
      }
    }

    private func endCompletedTransfers() {
      var rest: Int32 = 0
      while let message = curl_multi_info_read(multi, &rest) {
        guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
          let transfer = transfers[handle]
        else { continue }
        let outcome = transfer.outcome(message.pointee.data.result)
        if case .success((let response, _)) = outcome { keepCookies(of: transfer, response) }
        end(handle, with: outcome)
      }
    }

    private func endSilentTransfers() {
      let now = ContinuousClock.now
      for (handle, transfer) in transfers where transfer.deadline <= now {
        end(handle, with: .failure(URLError(.timedOut)))
      }
    }

    private func end(_ handle: UnsafeMutableRawPointer, with outcome: CurlTransfer.Outcome) {
      curl_multi_remove_handle(multi, handle)
      transfers.removeValue(forKey: handle)?.end(with: outcome)
    }

    private func keepCookies(of transfer: CurlTransfer, _ response: HTTPURLResponse) {
      guard let cookies, let url = response.url else { return }
      for line in transfer.cookieLines {
        let found = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: url)
        cookies.setCookies(found, for: url, mainDocumentURL: nil)
      }
    }

    /// Until the next deadline; a command ends the wait.
    private var millisecondsToWait: Int32 {
      guard let next = transfers.values.map(\.deadline).min() else { return 3_600_000 }
      let wait = ContinuousClock.now.duration(to: next)
      return Int32(clamping: Int64(wait / .milliseconds(1)) + 1)
    }
  }
#endif
