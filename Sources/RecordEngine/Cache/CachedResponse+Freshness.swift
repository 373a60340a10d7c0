import Foundation

/// Ages and lifetimes are in seconds, from 0 to ``CacheDirectives/maximumSeconds``, whatever the dates of the response.
extension CachedResponse {
  /// The date on which the server created the response: its `Date` header, or the time of arrival if the header is
  /// missing or invalid (RFC 9110, section 6.6.1).
  var date: Date { date(of: "date") ?? responseTime }

  /// Returns the age of the response (RFC 9111, section 4.2.3), or nil if the response arrived later than `now`.
  /// Rules: `cache.clock`, `cache.freshness`.
  ///
  /// In that case the clock was set back by an unknown time. A response that arrived while the clock was years ahead
  /// would otherwise seem to be young for years.
  func age(_ now: Date) -> Double? {
    guard now >= responseTime else { return nil }
    let apparentAge = Self.seconds(from: date, to: responseTime)
    let delay = Self.seconds(from: requestTime, to: responseTime)
    let initialAge = max(apparentAge, ageHeader + delay)
    return min(initialAge + Self.seconds(from: responseTime, to: now), Self.maximum)
  }

  /// The freshness lifetime (RFC 9111, section 4.2.1). It is 0 if the value that specifies it is invalid, or if the
  /// response has no value to determine it. Rules: `cache.freshness`, `cache.heuristic`.
  var lifetime: Double {
    if let maxAge = control.maxAge { return Double(maxAge) }
    if headers["expires"] != nil {
      return date(of: "expires").map { Self.seconds(from: date, to: $0) } ?? 0
    }
    // Without an explicit lifetime, a response that has not changed for a long time is expected to stay the same for a
    // while (section 4.2.2). All statuses that are cached allow this.
    guard let lastModified = date(of: "last-modified") else { return 0 }
    return min(Self.seconds(from: lastModified, to: date) * Self.guessedShare, Self.longestGuess)
  }

  /// Returns a Boolean value that indicates whether the response is fresh, without regard to the request.
  func isFresh(_ now: Date) -> Bool { age(now).map { lifetime > $0 } ?? false }

  /// The part of the time since `Last-Modified` that is the lifetime of a response without an explicit lifetime.
  static let guessedShare = 0.1
  /// The longest estimated lifetime in seconds, one day.
  static let longestGuess = 86_400.0

  private static let maximum = Double(CacheDirectives.maximumSeconds)

  /// The seconds for which intermediate caches have stored the response. The first value of `Age` counts.
  private var ageHeader: Double {
    let first = (headers["age"] ?? "").split(separator: ",", omittingEmptySubsequences: false).first
    return Double(first.flatMap { CacheDirectives.seconds(HTTPText.trimmed($0)) } ?? 0)
  }

  /// Returns a date of the headers. The time of arrival determines the century of a two-digit year, so that the date
  /// does not change later.
  func date(of header: String) -> Date? { headers[header].flatMap { HTTPDate.date($0, now: responseTime) } }

  /// Returns the seconds from one date to another, or 0 if the end is not after the start or a date is not a number.
  private static func seconds(from start: Date, to end: Date) -> Double {
    let seconds = end.timeIntervalSince(start)
    return seconds > 0 ? min(seconds, maximum) : 0
  }
}
