import Foundation

/// Ages and lifetimes are seconds from 0 to ``CacheDirectives/maximumSeconds``, whatever dates they come from.
extension CachedResponse {
  /// When the server made the response: its `Date`, or else when it came (RFC 9110, section 6.6.1).
  var date: Date { date(of: "date") ?? responseTime }

  /// How old the response is (RFC 9111, section 4.2.3); nil if it came later than now.
  /// Rules: `cache.clock`, `cache.freshness`.
  ///
  /// Then the clock has gone back, and nobody knows how far: a response that came while the clock was years ahead would be
  /// young for years.
  func age(_ now: Date) -> Double? {
    guard now >= responseTime else { return nil }
    let apparentAge = Self.seconds(from: date, to: responseTime)
    let delay = Self.seconds(from: requestTime, to: responseTime)
    let initialAge = max(apparentAge, ageHeader + delay)
    return min(initialAge + Self.seconds(from: responseTime, to: now), Self.maximum)
  }

  /// How old it may become (RFC 9111, section 4.2.1). What is said about it wrongly makes it 0.
  /// Rules: `cache.freshness`, `cache.heuristic`.
  var lifetime: Double {
    if let maxAge = control.maxAge { return Double(maxAge) }
    if headers["expires"] != nil {
      return date(of: "expires").map { Self.seconds(from: date, to: $0) } ?? 0
    }
    // Nothing is said: what has long been the same is taken to stay so for a while (section 4.2.2). Each status that is
    // kept allows it.
    guard let lastModified = date(of: "last-modified") else { return 0 }
    return min(Self.seconds(from: lastModified, to: date) * Self.guessedShare, Self.longestGuess)
  }

  /// Whether the response still holds by what it says itself.
  func isFresh(_ now: Date) -> Bool { age(now).map { lifetime > $0 } ?? false }

  /// The part of the time since `Last-Modified` for which a response is fresh that says nothing about it.
  static let guessedShare = 0.1
  /// A day: a longer guess is too bold.
  static let longestGuess = 86_400.0

  private static let maximum = Double(CacheDirectives.maximumSeconds)

  /// The seconds that a cache in between has had the response for: the first value, if there are several.
  private var ageHeader: Double {
    let first = (headers["age"] ?? "").split(separator: ",", omittingEmptySubsequences: false).first
    return Double(first.flatMap { CacheDirectives.seconds(HTTPText.trimmed($0)) } ?? 0)
  }

  /// A date of the headers. A year of two digits is read as it was when the response came: it does not change with time.
  func date(of header: String) -> Date? { headers[header].flatMap { HTTPDate.date($0, now: responseTime) } }

  /// 0 if it is before, or no time at all.
  private static func seconds(from start: Date, to end: Date) -> Double {
    let seconds = end.timeIntervalSince(start)
    return seconds > 0 ? min(seconds, maximum) : 0
  }
}
