extension ServerRequest {
  /// The names of the headers that make the response depend on the data that the sender already has (RFC 9110, section
  /// 13.1).
  var conditions: [String] {
    ["If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since"].filter {
      header($0) != nil
    }
  }
}
