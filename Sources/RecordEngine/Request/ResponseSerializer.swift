public import Foundation
import RecordModel

/// A serializer that creates records from responses that other code has fetched. It corresponds to
/// MMRecordResponseSerializer.
///
/// ```swift
/// let serializer = try container.makeSerializer([("stream/global", "Post"), ("users", "User")])
/// let (data, response) = try await URLSession.shared.data(from: url)
/// let posts = try await serializer.records(from: data, url: response.url, context: context).records
/// ```
///
/// The entity is the one registered for the longest fragment that the URL contains, including its query. Of several
/// fragments of the same length, the first one counts. The response is handled like the response to a request.
///
/// Rules: `serializer.entity`, `serializer.invalid`, `serializer.save`.
public struct ResponseSerializer: Sendable {
  private let pipeline: RequestPipeline
  private let entities: [(fragment: String, entity: EntityIndex)]

  init(
    _ pipeline: RequestPipeline, _ entities: [(fragment: String, entity: EntityName)]
  ) throws(RequestFailure) {
    self.pipeline = pipeline
    self.entities = try entities.map { fragment, name throws(RequestFailure) in
      (fragment, try pipeline.coordinator.entity(name).index)
    }
  }

  /// Creates records from a response and saves them, as a request does.
  ///
  /// - Parameters:
  ///   - bytes: the body of the response.
  ///   - url: the URL of the response. It determines the entity of the records, and appears in diagnostics.
  ///   - status: the HTTP status. A status of 206, or of 300 and above, fails as it does for a request.
  ///   - error: an error that occurred while fetching the response. It is thrown unchanged, and everything else is
  ///     ignored.
  ///   - options: the options; nil for the defaults of the entity.
  ///   - context: the context of the records in the result.
  ///   - isolation: the isolation in which the context is used, by default that of the caller.
  /// - Throws: `error`, if it is not nil; ``RequestFailure`` with `invalid-entity` if the URL contains no registered
  ///   fragment, or with `invalid-response-format` and the text of the body if the body is not JSON or cannot become
  ///   records; otherwise the errors of a request.
  public func records(
    from bytes: [UInt8], url: URL?, status: Int = 200, error: (any Error)? = nil,
    options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    precondition(context.coordinator === pipeline.coordinator, "the context belongs to another container")
    let address = url?.absoluteString ?? ""
    if let error {
      pipeline.log.failed(error, nil, urn: address)
      throw error
    }
    guard let entity = entity(of: address) else {
      let fragments = entities.map { "'\($0.fragment)'" }.joined(separator: ", ")
      let failure = RequestFailure(
        Diagnostic(
          .invalidEntity, response: address,
          message: "no entity is registered for '\(address)'; the registered fragments are \(fragments)"))
      pipeline.log.failed(failure, nil, urn: address)
      throw failure
    }
    var options = options ?? pipeline.defaults.options(of: entity)
    // Code that fetches responses itself also decides how to cache them.
    options.isRecordLevelCachingEnabled = false
    let request = try pipeline.prepare(
      ServerRequest(urn: address), entity, options,
      server: ReceivedResponse(bytes: bytes, status: status))
    return try await pipeline.perform(request, context)
  }

  /// Creates records from a response whose body is `Data`, and saves them. Otherwise the same as with bytes.
  public func records(
    from data: Data, url: URL?, status: Int = 200, error: (any Error)? = nil, options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    try await records(
      from: Array(data), url: url, status: status, error: error, options: options, context: context)
  }

  private func entity(of address: String) -> EntityIndex? {
    // Of several longest fragments, the first one counts.
    entities.filter { address.contains($0.fragment) }.max { $0.fragment.count < $1.fragment.count }?.entity
  }
}

/// A server that returns a response which other code has fetched.
private struct ReceivedResponse: Server {
  let bytes: [UInt8]
  let status: Int

  func response(to request: ServerRequest) -> ServerResponse { ServerResponse(.bytes(bytes), status: status) }
}
