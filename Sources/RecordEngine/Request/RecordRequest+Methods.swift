/// Requests by their HTTP method.
///
/// ```swift
/// let label = RecordRequest<Label>.post("repos/1/labels", body: .json(["name": "bug"]))
/// let created = try await container.perform(label, context: context).inserted
/// ```
extension RecordRequest {
  /// Returns a `GET` request.
  ///
  /// - Parameters:
  ///   - urn: the address, relative to the location of the server.
  ///   - query: the parameters that are added to the address, by name.
  ///   - options: the options of the request; nil for the defaults of the record type.
  public static func get(
    _ urn: String, query: [String: String] = [:], options: RequestOptions? = nil
  ) -> RecordRequest {
    RecordRequest(urn: urn, query: query, options: options)
  }

  /// Returns a `POST` request.
  ///
  /// - Parameters:
  ///   - urn: the address, relative to the location of the server.
  ///   - query: the parameters that are added to the address, by name.
  ///   - body: the body, or nil for a request without one.
  ///   - options: the options of the request; nil for the defaults of the record type.
  public static func post(
    _ urn: String, query: [String: String] = [:], body: RequestBody? = nil, options: RequestOptions? = nil
  ) -> RecordRequest {
    RecordRequest(method: "POST", urn: urn, query: query, body: body, options: options)
  }

  /// Returns a `PUT` request. The parameters are those of ``post(_:query:body:options:)``.
  public static func put(
    _ urn: String, query: [String: String] = [:], body: RequestBody? = nil, options: RequestOptions? = nil
  ) -> RecordRequest {
    RecordRequest(method: "PUT", urn: urn, query: query, body: body, options: options)
  }

  /// Returns a `PATCH` request. The parameters are those of ``post(_:query:body:options:)``.
  public static func patch(
    _ urn: String, query: [String: String] = [:], body: RequestBody? = nil, options: RequestOptions? = nil
  ) -> RecordRequest {
    RecordRequest(method: "PATCH", urn: urn, query: query, body: body, options: options)
  }

  /// Returns a `DELETE` request, whose response may be empty. The parameters are those of
  /// ``post(_:query:body:options:)``. Rule: `response.no-content`.
  public static func delete(
    _ urn: String, query: [String: String] = [:], body: RequestBody? = nil, options: RequestOptions? = nil
  ) -> RecordRequest {
    RecordRequest(method: "DELETE", urn: urn, query: query, body: body, options: options)
  }
}
