#if os(Linux)
  import Foundation
  import RecordEngine
  import RecordEngineCurl

  extension CurlTransfer {
    /// Throws an error if libcurl finds another host in the URL than Foundation, whose host determined the headers.
    static func checkHost(of url: String, is expected: String) throws {
      let parts = curl_url()
      defer { curl_url_cleanup(parts) }
      var host: UnsafeMutablePointer<CChar>?
      guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
        curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK, let host
      else { throw URLError(.badURL) }
      defer { curl_free(host) }
      guard areOneHost(String(cString: host), expected) else { throw URLError(.badURL) }
    }

    /// Returns a Boolean value that indicates whether two texts name the same host. libcurl normalizes addresses, such
    /// as `127.1` and `0:0:0:0:0:0:0:1`, and removes the zone of an IPv6 address from the host.
    static func areOneHost(_ left: String, _ right: String) -> Bool {
      if let address = address(left) { return address == self.address(right) }
      return left.utf8.map(\.asciiLowercased) == right.utf8.map(\.asciiLowercased)
    }

    /// Returns the bytes of a numeric host without its zone, or nil for a name.
    private static func address(_ host: String) -> [UInt8]? {
      if host.utf8.contains(UInt8(ascii: ":")) {
        let text = String(host.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" })
        return bytes(of: in6_addr()) { inet_pton(AF_INET6, text, $0) }
      }
      // An IPv4 address consists of one to four numbers in decimal, octal or hexadecimal. inet_aton ignores text after
      // a space.
      guard host.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: ".") }) else { return nil }
      return bytes(of: in_addr()) { inet_aton(host, $0) }
    }

    /// Returns the bytes of an address after `read` has filled it in, or nil if `read` does not return 1.
    private static func bytes<Address>(
      of address: Address, read: (UnsafeMutablePointer<Address>) -> Int32
    ) -> [UInt8]? {
      var address = address
      guard read(&address) == 1 else { return nil }
      return withUnsafeBytes(of: address) { Array($0) }
    }
  }
#endif
