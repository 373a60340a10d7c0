package import RecordModel

/// The provenance of the result of one request.
package struct ResponseProvenance: Sendable {
  /// The request, with its options applied.
  package let request: ServerRequest
  package let entity: EntityName
  /// The address that a redirect led to; nil without a redirect.
  package let redirection: String?
  package let served: Served
  /// The mark of the server on its response; nil if it has none, and for a cached response.
  package let mark: Int?
  /// The mark of the response that redirected the request first; nil without a redirect, and for a cached response.
  package let redirectMark: Int?
  /// The cache entry in which the response was stored, or from which the request was answered; nil if there is none.
  package let cacheEntry: CacheEntryID?
  /// The records of the result, one for each item.
  package let results: [RecordID]
  /// The provenance of the populated records; nil for a cached response, which populates none.
  package var population: PopulationProvenance?
  /// The differences between the response and the model; nil for a cached response, which populates no records.
  package let drift: DriftReport?
}

extension ResponseProvenance {
  init(_ populated: PopulatedRequest, results: [RecordID]) {
    let answer = populated.answered.answer
    request = populated.answered.request.serverRequest
    entity = populated.answered.request.schema.entities[populated.answered.request.entity].name
    redirection = RequestPipeline.redirection(of: answer, to: populated.answered.request)
    served = answer.served
    mark = answer.response?.mark
    redirectMark = answer.response?.redirectMark
    cacheEntry = answer.cacheEntry ?? populated.population.cacheEntry
    self.results = results
    population = populated.population.provenance
    drift = populated.drift
  }
}
