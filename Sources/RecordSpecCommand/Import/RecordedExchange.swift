import RecordModel
import ScenarioComparison
import ScenarioFormat

/// A request and its response, as a recording contains them.
struct RecordedExchange: Sendable {
  /// A body and its media type.
  struct Body: Sendable {
    var bytes: [UInt8]
    /// The media type with its parameters, as recorded; empty if it is unknown.
    var mediaType: String
  }

  struct Response: Sendable {
    /// The status as recorded, which may be invalid.
    var status: Int
    var headers = RecordedHeaders()
    /// The body without transfer and content encodings; nil if the recording does not contain it.
    var body: Body?
    /// The media type of a body that the recording does not contain; empty if it is unknown.
    var mediaType = ""
  }

  enum Outcome: Sendable {
    case response(Response)
    case failure(ServerFailure)
    /// A request that was blocked or canceled.
    case aborted
    /// A response whose body cannot be decoded.
    case undecodable(mediaType: String)
    /// A response to the requests of many addresses, such as all that match a pattern.
    case pattern
  }

  var method: String
  /// The absolute URL.
  var url: String
  var requestHeaders: RecordedHeaders
  var requestBody: Body?
  var outcome: Outcome
  /// The time of the request in seconds since 1970; nil if it is unknown.
  var time: Double?
  /// A Boolean value that indicates whether the recording contains no URL, so that one was made up.
  var hasGuessedURL = false
  /// The path of an existing file with the body, relative to the scenario; nil if the scenario gets a new file.
  var bodyFile: String?
  /// The kind of the requested resource, if a browser recorded it: `xhr`, `image`.
  var resourceType: String?
}

/// The headers of a request or response, in the order of the recording.
struct RecordedHeaders: Sendable {
  private(set) var fields: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

  /// Returns the value of a header; the values of several headers with the name are joined by commas (RFC 9110, section
  /// 5.3).
  subscript(name: String) -> String? {
    let values = fields.filter { areOneHeader($0.name, name) }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

extension RecordedExchange {
  /// Returns a Boolean value that indicates whether a response has no content: one to `HEAD`, or with the status 204, 205 or
  /// 304 (RFC 9110, sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5).
  static func hasNoContent(_ status: Int, to method: String) -> Bool {
    method == "HEAD" || [204, 205, 304].contains(status)
  }

  /// Returns a Boolean value that indicates whether the headers state that a body is compressed.
  static func isCompressed(_ headers: RecordedHeaders) -> Bool {
    let encoding = headers["Content-Encoding"]?.lowercased() ?? ""
    return ["gzip", "br", "deflate", "zstd", "compress"].contains { encoding.contains($0) }
  }
}
