import RecordModel

/// The steps from the answer to changes of the store, outside the caller's isolation.
extension RequestPipeline {
  func populate(
    _ answered: AnsweredRequest, _ destination: PopulationDestination
  ) async throws(RequestFailure) -> PopulatedRequest {
    let answer = answered.answer
    try answered.request.token.check()
    if let records = answer.storedRecords {
      return PopulatedRequest(
        answered: answered, destination: destination, population: PopulationResult(stored: records.ids))
    }
    do throws(RequestFailure) {
      // Population recurses into nested items, and the threads of the pool have small stacks.
      guard let document = answer.document, document.depth > 24 else {
        return try populated(answered, destination)
      }
      let result = await DeepStack.run { () throws(RequestFailure) in
        try self.populated(answered, destination)
      }
      if let result { return try result.get() }
      throw RequestFailure(
        Diagnostic(
          .unknown, entity: answered.request.schema.entities[answered.request.entity].name,
          response: answered.request.serverRequest.urn,
          message: "not enough memory for the thread that a response of this depth needs"))
    } catch {
      var failure = error
      failure.responseObject = answer.document?.root
      if failure.primary.code == .invalidResponseFormat {
        failure.responseText = answer.document.map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      throw failure.following(answer.diagnostics)
    }
  }

  private func populated(
    _ answered: AnsweredRequest, _ destination: PopulationDestination
  ) throws(RequestFailure) -> PopulatedRequest {
    let request = answered.request
    var options = PopulationOptions(request.options, transformers: transformers, customization)
    options.recordsProvenance = recordsProvenance
    let drift = request.options.reportsDrift || recordsProvenance ? drift(of: answered, options) : nil
    do throws(RequestFailure) {
      let population = try AnswerPopulation(answered, options, coordinator).result(for: destination)
      return PopulatedRequest(
        answered: answered, destination: destination, population: population, drift: drift)
    } catch {
      // If the request is canceled, no other error matters.
      try request.token.check()
      var failure = error
      failure.drift = request.options.reportsDrift ? drift : nil
      throw failure
    }
  }

  /// Returns the differences between the response and the model. Rule: `diagnostics.drift`.
  private func drift(of answered: AnsweredRequest, _ options: PopulationOptions) -> DriftReport {
    guard let document = answered.document else { return DriftReport() }
    let request = answered.request
    var finder = DriftFinder(document, request.schema, options)
    return finder.report(
      entity: request.entity, response: request.serverRequest.urn, mark: answered.answer.response?.mark,
      metaData: request.options.keyPathForMetaData)
  }
}
