extension ServerRequest {
  /// The headers of the request that make its answer depend on what whoever sent it has already (RFC 9110, section 13.1).
  var conditions: [String] {
    ["If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since"].filter {
      header($0) != nil
    }
  }
}
