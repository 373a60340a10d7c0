public import RecordModel

/// A request for records: the request to the server, and the handling of its response.
///
/// ```swift
/// let request = RecordRequest<Post>.get("stream/global", query: ["count": "20"])
/// let posts = try await container.perform(request, context: context).records
/// ```
public struct RecordRequest<Element: Record>: Sendable {
  /// The request to the server.
  public var serverRequest: ServerRequest
  /// The options of this request; nil for the defaults of the record type. The headers, the timeout and the domain of
  /// ``serverRequest`` override those of the defaults. Options that you pass override both.
  /// Rules: `request.options-once`, `request.defaults`.
  public var options: RequestOptions?
  /// The entity; nil to use that of the record type.
  let entity: EntityName?

  /// Creates a request for records of a record type that the container was created with.
  ///
  /// - Parameters:
  ///   - type: the record type.
  ///   - method: the HTTP method.
  ///   - urn: the address, relative to the location of the server.
  ///   - query: the parameters that are added to the address, by name.
  ///   - body: the body, or nil for a request without one.
  ///   - options: the options of the request; nil for the defaults of the record type.
  public init(
    _ type: Element.Type = Element.self, method: String = "GET", urn: String, query: [String: String] = [:],
    body: RequestBody? = nil, options: RequestOptions? = nil
  ) {
    serverRequest = ServerRequest(method: method, urn: urn, query: query, body: body)
    self.options = options
    entity = nil
  }
}

extension RecordRequest {
  /// Returns the same request for another page. It leaves out the headers, the timeout and the domain that the options
  /// have added to the sent request, because the current options add them again.
  func following(_ page: ServerRequest, _ sent: PreparedRequest) -> RecordRequest {
    var request = self
    request.serverRequest = page
    request.serverRequest.headers = page.headers.filter { name, value in
      sent.serverRequest.headers[name] != value || serverRequest.headers[name] == value
    }
    if [nil, sent.serverRequest.timeout].contains(page.timeout) {
      request.serverRequest.timeout = serverRequest.timeout
    }
    if [nil, sent.serverRequest.domain].contains(page.domain) {
      request.serverRequest.domain = serverRequest.domain
    }
    request.serverRequest.tag = serverRequest.tag
    return request
  }
}

extension RecordRequest where Element == Record {
  /// Creates a request for records of an entity with any record type.
  ///
  /// - Parameters:
  ///   - entity: the entity of the requested records.
  ///   - method: the HTTP method.
  ///   - urn: the address, relative to the location of the server.
  ///   - query: the parameters that are added to the address, by name.
  ///   - body: the body, or nil for a request without one.
  ///   - options: the options of the request; nil for the defaults of the entity.
  public init(
    entity: EntityName, method: String = "GET", urn: String, query: [String: String] = [:],
    body: RequestBody? = nil, options: RequestOptions? = nil
  ) {
    serverRequest = ServerRequest(method: method, urn: urn, query: query, body: body)
    self.options = options
    self.entity = entity
  }
}
