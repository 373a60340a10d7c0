public import Foundation
import RecordModel

/// Makes records of responses that somebody else has fetched: MMRecordResponseSerializer's place.
///
/// ```swift
/// let serializer = try container.makeSerializer([("stream/global", "Post"), ("users", "User")])
/// let (data, response) = try await URLSession.shared.data(from: url)
/// let posts = try await serializer.records(from: data, url: response.url, context: context).records
/// ```
///
/// The entity is the one registered for the longest fragment that stands in the URL, the query included; of fragments of
/// one length the first. What comes of the response is what would come of it as the answer to a request.
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

  /// Makes records of a response and saves them, as those of a request.
  ///
  /// - Parameters:
  ///   - bytes: the body as it came.
  ///   - url: the response's URL. It says which entity the records are of, and stands in diagnostics.
  ///   - status: the HTTP status; 300 and above, and 206, fail as a request's would.
  ///   - error: what went wrong on the way. It is thrown as it is, and nothing else is looked at.
  ///   - options: as of a request; nil: those of requests for the entity.
  ///   - context: whose records the result holds.
  ///   - isolation: where the context is used; the caller's, if nothing else is said.
  /// - Throws: `error`, if there is one; ``RequestFailure`` with `invalid-entity` if no registered fragment is in the URL,
  ///   with `invalid-response-format` and the text of the body if it is no JSON, or none that can be records; otherwise as
  ///   requests do.
  public func records(
    from bytes: [UInt8], url: URL?, status: Int = 200, error: (any Error)? = nil,
    options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    precondition(context.coordinator === pipeline.coordinator, "the context is one of another container")
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
          message: "no entity is registered for '\(address)'; there are \(fragments)"))
      pipeline.log.failed(failure, nil, urn: address)
      throw failure
    }
    var options = options ?? pipeline.defaults.options(of: entity)
    // Whoever has fetched it has a cache, or has none.
    options.isRecordLevelCachingEnabled = false
    let request = try pipeline.prepare(
      ServerRequest(urn: address), entity, options,
      server: ReceivedResponse(bytes: bytes, status: status))
    return try await pipeline.perform(request, context)
  }

  /// Makes records of a response whose body came as data, and saves them; otherwise as of bytes.
  public func records(
    from data: Data, url: URL?, status: Int = 200, error: (any Error)? = nil, options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    try await records(
      from: Array(data), url: url, status: status, error: error, options: options, context: context)
  }

  private func entity(of address: String) -> EntityIndex? {
    // Of several that are the longest, the first.
    entities.filter { address.contains($0.fragment) }.max { $0.fragment.count < $1.fragment.count }?.entity
  }
}

/// The answer of a server that was asked by somebody else.
private struct ReceivedResponse: Server {
  let bytes: [UInt8]
  let status: Int

  func response(to request: ServerRequest) -> ServerResponse { ServerResponse(.bytes(bytes), status: status) }
}
