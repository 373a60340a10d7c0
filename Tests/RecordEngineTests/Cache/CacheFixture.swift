import Foundation

@testable import RecordEngine

/// Returns a date on the clock of these tests, which starts with the year 2000.
func moment(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 946_684_800 + seconds) }

/// Returns a date in the preferred format of HTTP.
func httpText(_ seconds: Double) -> String { HTTPDateText.fixdate.text(moment(seconds)) }

/// The three date formats of HTTP, written by Foundation.
enum HTTPDateText: String, CaseIterable {
  case fixdate = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
  case rfc850 = "EEEE, dd-MMM-yy HH:mm:ss 'GMT'"
  case asctime = "EEE MMM d HH:mm:ss yyyy"

  func text(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = rawValue
    let text = formatter.string(from: date)
    guard self == .asctime else { return text }
    // The day has two characters, padded with a space.
    var words = text.split(separator: " ").map(String.init)
    if words[2].count == 1 { words[2] = " " + words[2] }
    return words.joined(separator: " ")
  }
}

func asking(_ headers: [String: String] = [:], method: String = "GET") -> ServerRequest {
  ServerRequest(method: method, urn: "https://a/posts", headers: headers)
}

func answering(_ headers: [String: String], status: Int = 200) -> ServerResponse {
  ServerResponse(.bytes([]), status: status, headers: headers)
}

/// Returns the cached form of a response that was received at `seconds`, whether or not it is worth storing.
func cached(
  _ headers: [String: String], to request: ServerRequest = asking(), delay: Double = 0,
  at seconds: Double = 0
) -> CachedResponse {
  let headers = CachedResponse.keptHeaders(headers)
  return CachedResponse(
    status: 200, headers: headers, requestTime: moment(seconds - delay), responseTime: moment(seconds),
    selectingHeaders: CachedResponse.selectingHeaders(of: request, for: headers))
}
