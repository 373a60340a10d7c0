#if os(Linux)
  import Foundation
  import FoundationNetworking
  import RecordEngine
  import RecordEngineCurl

  /// A request and its response, sent with libcurl.
  // Unchecked: all mutable state is accessed only on the thread of its CurlTransport.
  final class CurlTransfer: @unchecked Sendable {
    typealias Outcome = Result<(HTTPHead, [UInt8]), any Error>

    /// The maximum size of all heads of a transfer in bytes, including trailers.
    static let maximumHeadSize = 256 << 10

    private let request: URLRequest
    private let requestBody: [UInt8]
    private let maximumBodySize: Int
    private let urn: String
    private let timeout: Duration
    private var end: (@Sendable (Outcome) -> Void)?

    private(set) var handle: UnsafeMutableRawPointer?
    var isCancelled = false
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    private var head = HTTPHead()
    private var headSize = 0
    private var body: [UInt8] = []
    private var bytesMoved: Int64 = 0
    /// The error that ended the transfer while the response was arriving.
    private var refusal: HTTPServerError?
    /// The time at which the request fails, unless there is progress before. Nil while the transfer waits for a
    /// connection.
    private(set) var deadline: ContinuousClock.Instant?

    /// Creates a transfer.
    ///
    /// - Parameters:
    ///   - request: the request, which is sent with its headers. libcurl adds `Host`, `Accept-Encoding` and
    ///     `Content-Length`. By default, `User-Agent` is the name of the process.
    ///   - body: the body of the request, which has already been read.
    init(_ request: URLRequest, body: [UInt8], maximumBodySize: Int, urn: String) {
      self.request = request
      requestBody = body
      self.maximumBodySize = maximumBodySize
      self.urn = urn
      timeout = request.timeout
    }

    /// Sets the closure that receives the outcome.
    ///
    /// - Parameter end: a closure that is called once with the outcome.
    func onEnd(_ end: @escaping @Sendable (Outcome) -> Void) { self.end = end }

    /// Reports the outcome. Only the first call has an effect.
    func end(with outcome: Outcome) {
      end?(outcome)
      end = nil
    }

    /// Frees the handle, which must no longer belong to a multi handle.
    func free() {
      if let handle { curl_easy_cleanup(handle) }
      curl_slist_free_all(headerLines)
      (handle, headerLines, body) = (nil, nil, [])
    }

    // MARK: Request

    /// Returns a handle that is ready to be performed.
    func prepare() throws -> UnsafeMutableRawPointer {
      guard let url = request.url, Origin(url) != nil, let handle = curl_easy_init() else {
        throw URLError(.unsupportedURL)
      }
      self.handle = handle
      try check(record_engine_curl_set_text(handle, CURLOPT_URL, url.absoluteString))
      try Self.checkHost(of: url.absoluteString, is: url.host ?? "")
      try setHeaders(handle)
      try setMethodAndBody(handle)
      // Without this option, the end of a transfer waits for its host lookup. The option is unknown before libcurl
      // 7.87.
      _ = record_engine_curl_set_number(handle, CURLOPT_QUICK_EXIT, 1)
      // A handler of SIGALRM would belong to the process and not only to this thread.
      try check(record_engine_curl_set_number(handle, CURLOPT_NOSIGNAL, 1))
      try check(record_engine_curl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
      // An empty text stands for all encodings that this libcurl can decompress.
      try check(record_engine_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, ""))
      try check(
        record_engine_curl_set_callbacks(
          handle, { CurlTransfer.transfer($3)?.receive(headerLine: CurlTransfer.bytes($0, $1, $2)) ?? 0 },
          { CurlTransfer.transfer($3)?.receive(body: CurlTransfer.bytes($0, $1, $2)) ?? 0 },
          { context, _, received, _, sent in
            CurlTransfer.transfer(context)?.progress(received &+ sent)
            return 0
          }, Unmanaged.passUnretained(self).toOpaque()))
      return handle
    }

    private func setHeaders(_ handle: UnsafeMutableRawPointer) throws {
      let headers = request.allHTTPHeaderFields ?? [:]
      var lines = ["Expect:"]
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        // libcurl sends a header without a value only in this form.
        lines.append(value.isEmpty ? name + ";" : name + ": " + value)
      }
      for (name, value) in [("Content-Type", ""), ("User-Agent", ProcessInfo.processInfo.processName)]
      where headers.header(name) == nil {
        lines.append("\(name):\(value)")
      }
      for line in lines {
        guard let longer = curl_slist_append(headerLines, line) else { throw URLError(.unknown) }
        headerLines = longer
      }
      try check(record_engine_curl_set_list(handle, CURLOPT_HTTPHEADER, headerLines))
    }

    private func setMethodAndBody(_ handle: UnsafeMutableRawPointer) throws {
      let method = request.httpMethod ?? "GET"
      if method == "HEAD" { return try check(record_engine_curl_set_number(handle, CURLOPT_NOBODY, 1)) }
      // These methods send `Content-Length: 0` for an empty body (RFC 9110, section 8.6).
      if !requestBody.isEmpty || ["POST", "PUT", "PATCH"].contains(method) {
        try check(record_engine_curl_set_body(handle, requestBody, requestBody.count))
      }
      try check(record_engine_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method))
    }

    // MARK: Response

    /// Returns the outcome of a transfer that libcurl has ended.
    func outcome(_ code: CURLcode) -> Outcome {
      if let refusal { return .failure(refusal) }
      // libcurl has a limit for the size of one header.
      if !head.isComplete, code == CURLE_TOO_LARGE || code == CURLE_OUT_OF_MEMORY {
        return .failure(HTTPServerError(.headTooLarge, urn, "a header has more than 100 KiB"))
      }
      if code != CURLE_OK { return .failure(URLError(curl: code)) }
      // libcurl treats a connection that ends within the head as a response without a body.
      guard head.isComplete, head.status >= 200 else { return .failure(URLError(curl: CURLE_RECV_ERROR)) }
      return .success((head, body))
    }

    /// Receives a line of the head. Returns the number of bytes, or another number to end the transfer.
    private func receive(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Int {
      keepAlive()
      headSize += bytes.count
      if headSize > Self.maximumHeadSize {
        return refuse(.headTooLarge, "the headers have more than \(Self.maximumHeadSize) bytes")
      }
      head.add(line: bytes)
      return bytes.count
    }

    /// Receives bytes of the body. Returns the number of bytes, or another number to end the transfer.
    private func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Int {
      keepAlive()
      if bytes.count > maximumBodySize - body.count {
        return refuse(.bodyTooLarge, "the body has more than \(maximumBodySize) bytes")
      }
      body.append(contentsOf: bytes)
      return bytes.count
    }

    private func refuse(_ kind: HTTPServerError.Kind, _ message: String) -> Int {
      refusal = HTTPServerError(kind, urn, message)
      return 0
    }

    /// Moves the deadline if there is progress. libcurl calls this as soon as the transfer has a connection, new or
    /// reused, and not while it waits for one.
    private func progress(_ bytes: Int64) {
      if deadline == nil || bytes != bytesMoved { keepAlive() }
      bytesMoved = bytes
    }

    private func keepAlive() { deadline = .now + timeout }

    // MARK: libcurl

    private func check(_ code: CURLcode) throws {
      if code != CURLE_OK { throw URLError(curl: code) }
    }

    private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
      context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func bytes(
      _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int
    ) -> UnsafeBufferPointer<UInt8> {
      let raw = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size * count)
      return raw.bindMemory(to: UInt8.self)
    }
  }

  extension URLRequest {
    /// The time without progress after which the request fails.
    var timeout: Duration {
      timeoutInterval > 0 ? .seconds(min(timeoutInterval, 30 * 24 * 3600)) : .zero
    }
  }

  extension URLError {
    /// Creates the error of `URLSession` that corresponds to an error of libcurl.
    fileprivate init(curl code: CURLcode) {
      let same: URLError.Code =
        switch code {
        case CURLE_URL_MALFORMAT: .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
        case CURLE_COULDNT_CONNECT: .cannotConnectToHost
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: .networkConnectionLost
        case CURLE_SSL_CONNECT_ERROR: .secureConnectionFailed
        case CURLE_PEER_FAILED_VERIFICATION: .serverCertificateUntrusted
        case CURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM:
          .badServerResponse
        default: .unknown
        }
      self.init(same, userInfo: [NSLocalizedDescriptionKey: String(cString: curl_easy_strerror(code))])
    }
  }
#endif
