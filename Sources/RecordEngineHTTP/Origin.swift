import Foundation

/// Who is asked: scheme, host and port of a URL.
struct Origin: Hashable {
  private let scheme: String
  private let host: String
  private let port: Int

  /// Nil for a URL that is not one of HTTP.
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
