import Foundation
import RecordEngine

/// A server with changing lists of posts, each with its own caching headers.
// Unchecked: all mutable state is accessed only under `lock`.
final class ListServer: Server, @unchecked Sendable {
  /// The caching headers of a list. Times are in seconds.
  struct Policy: Hashable {
    var maxAge: Int?
    /// The time from the request to the expiration of the list.
    var expires: Int?
    /// The age of the list when it is sent.
    var age: Int?
    var staleIfError: Int?
    var directives: Set<String> = []
    var varies = false
    var hasTag = false
    /// The time of the last modification, if the server sends it.
    var modified: Int?

    func has(_ directive: String) -> Bool { directives.contains(directive) }

    var cacheControl: String? {
      var texts = directives.sorted()
      if let maxAge { texts.append("max-age=\(maxAge)") }
      if let staleIfError { texts.append("stale-if-error=\(staleIfError)") }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
  }

  struct List {
    var ids: [Int]
    var version = 0
    var policy: Policy

    /// Returns the posts of the list. If the list varies, they depend on the language.
    func ids(_ language: String?) -> [Int] {
      guard policy.varies, let language else { return ids }
      return ids.filter { $0 % 2 == (language == "de" ? 0 : 1) }
    }

    func tag(_ language: String?) -> String? {
      policy.hasTag ? "\"\(version)\(policy.varies ? language ?? "" : "")\"" : nil
    }
  }

  private let lock = NSLock()
  private let now: @Sendable () -> Int
  private var lists: [List]
  private var isDown = false
  private var count = 0

  init(_ lists: [List], now: @escaping @Sendable () -> Int) {
    self.lists = lists
    self.now = now
  }

  func set(_ number: Int, _ list: List) { lock.withLock { lists[number] = list } }
  func setDown(_ isDown: Bool) { lock.withLock { self.isDown = isDown } }
  func list(_ number: Int) -> List { lock.withLock { lists[number] } }
  var fails: Bool { lock.withLock { isDown } }
  /// The number of requests to the server.
  var requestCount: Int { lock.withLock { count } }

  func description(of request: ServerRequest) -> ServerRequest? { request }

  func response(to request: ServerRequest) -> ServerResponse {
    let (list, isDown) = lock.withLock {
      count += 1
      return (lists[Int(request.urn) ?? 0], self.isDown)
    }
    if isDown { return ServerResponse(.bytes([]), status: 503) }
    let language = request.header("Accept-Language")
    var headers: [String: String] = [:]
    headers["Cache-Control"] = list.policy.cacheControl
    headers["ETag"] = list.tag(language)
    headers["Age"] = list.policy.age.map(String.init)
    headers["Expires"] = list.policy.expires.map { Self.date(now() + $0) }
    headers["Last-Modified"] = list.policy.modified.map(Self.date)
    if list.policy.varies { headers["Vary"] = "Accept-Language" }
    // The entity tag takes precedence over the date (RFC 9110, section 13.2.2).
    let isKnown =
      request.header("If-None-Match").map { $0 == list.tag(language) }
      ?? request.header("If-Modified-Since").map { $0 == headers["Last-Modified"] } ?? false
    if isKnown { return ServerResponse(.bytes([]), status: 304, headers: headers) }
    let posts = list.ids(language).map { id -> JSONValue in
      ["id": .number(JSONNumber(Int64(id))), "text": .string("\(request.urn), version \(list.version)")]
    }
    return ServerResponse(.json(.array(posts)), headers: headers)
  }

  /// The start of the clock.
  static let start = Date(timeIntervalSince1970: 1_000_000_000)

  private static func date(_ seconds: Int) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: start.addingTimeInterval(Double(seconds)))
  }
}
