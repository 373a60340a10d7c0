public import RecordModel

/// A request for records: what to ask a server, and what its answer is made into.
///
/// ```swift
/// var request = RecordRequest<Post>(urn: "stream/global", data: ["count": "20"])
/// request.options = RequestOptions()
/// let posts = try await container.perform(request, context: context).records
/// ```
public struct RecordRequest<Element: Record>: Sendable {
  /// What the server is asked.
  public var serverRequest: ServerRequest
  /// What this request does otherwise than its record type. Nil: the record type's own options, below the headers, the
  /// timeout and the domain of ``serverRequest``; those of options that are given stand above them.
  /// Rules: `request.options-once`, `request.defaults`.
  public var options: RequestOptions?
  /// The entity, where the record type does not say.
  let entity: EntityName?

  /// A request for records of a record type that the container knows.
  public init(
    _ type: Element.Type = Element.self, method: String = "GET", urn: String, data: [String: String] = [:],
    options: RequestOptions? = nil
  ) {
    serverRequest = ServerRequest(method: method, urn: urn, data: data)
    self.options = options
    entity = nil
  }
}

extension RecordRequest {
  /// The request of the same kind for another page. What options have said of the one that was sent is said again, by those
  /// of then.
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
  /// A request for records of an entity, whatever their type.
  public init(
    entity: EntityName, method: String = "GET", urn: String, data: [String: String] = [:],
    options: RequestOptions? = nil
  ) {
    serverRequest = ServerRequest(method: method, urn: urn, data: data)
    self.options = options
    self.entity = entity
  }
}
