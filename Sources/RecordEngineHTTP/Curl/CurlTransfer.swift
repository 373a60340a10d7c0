#if os(Linux)
  import CCurl
  import Foundation
  import FoundationNetworking

  /// One request and its response, over libcurl. Used on the thread of its ``CurlTransport`` alone.
  // Unchecked: handed to that thread once, and never used elsewhere again.
  final class CurlTransfer: @unchecked Sendable {
    typealias Outcome = Result<(HTTPURLResponse, [UInt8]), any Error>

    private let request: URLRequest
    private let headers: [String: String]
    private let maximumBodySize: Int
    private let urn: String
    private let timeout: Duration
    private var end: ((Outcome) -> Void)?

    private(set) var handle: UnsafeMutableRawPointer?
    var isCancelled = false
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    private var head = HTTPHead()
    private var body: [UInt8] = []
    private var bytesMoved: Int64 = 0
    private var isTooLarge = false
    /// The time after which the request fails, unless something happens before.
    private(set) var deadline = ContinuousClock.now

    init(_ request: URLRequest, headers: [String: String], maximumBodySize: Int, urn: String) {
      self.request = request
      self.headers = headers
      self.maximumBodySize = maximumBodySize
      self.urn = urn
      let seconds = request.timeoutInterval
      timeout = seconds > 0 ? .seconds(min(seconds, 30 * 24 * 3600)) : .zero
    }

    /// - Parameter end: called once, with the outcome.
    func onEnd(_ end: @escaping (Outcome) -> Void) { self.end = end }

    /// Frees the handle and reports the outcome. The first outcome counts.
    func end(with outcome: Outcome) {
      if let handle { curl_easy_cleanup(handle) }
      curl_slist_free_all(headerLines)
      (handle, headerLines, body) = (nil, nil, [])
      end?(outcome)
      end = nil
    }

    // MARK: The request

    /// Returns a handle that is ready to be performed.
    func prepare() throws -> UnsafeMutableRawPointer {
      guard let url = request.url, Origin(url) != nil, let handle = curl_easy_init() else {
        throw URLError(.unsupportedURL)
      }
      self.handle = handle
      try check(ccurl_set_text(handle, CURLOPT_URL, url.absoluteString))
      try Self.checkHost(of: url)
      try setHeaders(handle)
      try setMethodAndBody(handle)
      // A handler of SIGALRM would be the process's, not this thread's.
      try check(ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1))
      try check(ccurl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
      // All that this libcurl can decompress.
      try check(ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, ""))
      try check(
        ccurl_set_callbacks(
          handle, { CurlTransfer.transfer($3)?.receive(headerLine: CurlTransfer.bytes($0, $1, $2)) ?? 0 },
          { CurlTransfer.transfer($3)?.receive(body: CurlTransfer.bytes($0, $1, $2)) ?? 0 },
          { context, _, received, _, sent in
            CurlTransfer.transfer(context)?.progress(received &+ sent)
            return 0
          }, Unmanaged.passUnretained(self).toOpaque()))
      keepAlive()
      return handle
    }

    private func setHeaders(_ handle: UnsafeMutableRawPointer) throws {
      var lines = ["Expect:"]
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        // libcurl sends a header without a value only if it is written like this.
        lines.append(value.isEmpty ? name + ";" : name + ": " + value)
      }
      for (name, value) in [("Content-Type", ""), ("User-Agent", ProcessInfo.processInfo.processName)]
      where !headers.keys.contains(where: { $0.lowercased() == name.lowercased() }) {
        lines.append("\(name):\(value)")
      }
      for line in lines {
        guard let longer = curl_slist_append(headerLines, line) else { throw URLError(.unknown) }
        headerLines = longer
      }
      try check(ccurl_set_list(handle, CURLOPT_HTTPHEADER, headerLines))
    }

    private func setMethodAndBody(_ handle: UnsafeMutableRawPointer) throws {
      let method = request.httpMethod ?? "GET"
      if method == "HEAD" { return try check(ccurl_set_number(handle, CURLOPT_NOBODY, 1)) }
      let body = try request.httpBody ?? request.httpBodyStream.map(Self.content) ?? Data()
      // These say that their body is empty (RFC 9110, section 8.6).
      if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) {
        try check(ccurl_set_body(handle, Array(body), body.count))
      }
      try check(ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, method))
    }

    private static func content(of stream: InputStream) throws -> Data {
      stream.open()
      defer { stream.close() }
      var content = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = stream.read(&buffer, maxLength: buffer.count)
        guard count >= 0 else { throw stream.streamError ?? URLError(.cannotOpenFile) }
        if count == 0 { return content }
        content.append(contentsOf: buffer[..<count])
      }
    }

    /// Whom a URL asks was decided by Foundation: libcurl must not find another host in it.
    private static func checkHost(of url: URL) throws {
      let parts = curl_url()
      defer { curl_url_cleanup(parts) }
      var host: UnsafeMutablePointer<CChar>?
      guard curl_url_set(parts, CURLUPART_URL, url.absoluteString, 0) == CURLUE_OK,
        curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK, let host
      else { throw URLError(.badURL) }
      defer { curl_free(host) }
      let brackets = CharacterSet(charactersIn: "[]")
      let names = [String(cString: host), url.host ?? ""].map {
        $0.lowercased().trimmingCharacters(in: brackets)
      }
      guard names[0] == names[1] else { throw URLError(.badURL) }
    }

    // MARK: The response

    /// What the transfer has come to, which libcurl says is over.
    func outcome(_ code: CURLcode) -> Outcome {
      if isTooLarge {
        return .failure(
          HTTPServerError(.bodyTooLarge, urn, "the body has more than \(maximumBodySize) bytes"))
      }
      if code != CURLE_OK { return .failure(URLError(curl: code)) }
      // libcurl takes a connection that ends within the head for a response without a body.
      guard head.isComplete, head.status >= 200, let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: head.status, httpVersion: head.version, headerFields: head.headers)
      else { return .failure(URLError(curl: CURLE_RECV_ERROR)) }
      return .success((response, body))
    }

    /// The values of `Set-Cookie`, each of which is a header of its own. Those that are not ASCII, as RFC 6265 has it, are left
    /// out: FoundationNetworking ends the process for some of them.
    var cookieLines: [String] {
      head.fields.filter { $0.name.lowercased() == "set-cookie" && $0.value.utf8.allSatisfy { $0 < 0x80 } }
        .map(\.value)
    }

    private func receive(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Int {
      keepAlive()
      head.add(line: bytes)
      return bytes.count
    }

    /// Returns the number of bytes, or 0 to end the transfer.
    private func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Int {
      keepAlive()
      isTooLarge = bytes.count > maximumBodySize - body.count
      if isTooLarge { return 0 }
      body.append(contentsOf: bytes)
      return bytes.count
    }

    private func progress(_ bytes: Int64) {
      if bytes != bytesMoved { keepAlive() }
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

  extension URLError {
    /// The error of `URLSession` that means the same as one of libcurl.
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
