import Foundation

/// The scheme, host and port of a URL.
struct Origin: Hashable {
  private let scheme: String
  private let host: String
  private let port: Int

  /// Creates the origin of a URL, or returns nil if it is not an HTTP URL.
  init?(_ url: URL?) {
    guard let url, let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    switch scheme {
    case "http": port = url.port ?? 80
    case "https": port = url.port ?? 443
    default: return nil
    }
    self.scheme = scheme
    self.host = host
  }
}
