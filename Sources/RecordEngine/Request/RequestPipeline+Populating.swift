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
    if let result = try population(of: answered).repeatedResult() {
      return PopulatedRequest(answered: answered, destination: destination, population: result)
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
    let drift = request.options.reportsDrift || recordsProvenance ? drift(of: answered) : nil
    do throws(RequestFailure) {
      let population = try population(of: answered).result(for: destination)
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

  private func population(of answered: AnsweredRequest) -> AnswerPopulation {
    AnswerPopulation(answered, populationOptions(of: answered), self)
  }

  private func populationOptions(of answered: AnsweredRequest) -> PopulationOptions {
    var options = PopulationOptions(answered.request.options, transformers: transformers, customization)
    options.recordsProvenance = recordsProvenance
    return options
  }

  /// Returns the differences between the response and the model. Rule: `diagnostics.drift`.
  private func drift(of answered: AnsweredRequest) -> DriftReport {
    guard let document = answered.document else { return DriftReport() }
    let request = answered.request
    var finder = DriftFinder(document, request.schema, populationOptions(of: answered))
    return finder.report(
      entity: request.entity, response: request.serverRequest.urn, mark: answered.answer.response?.mark,
      metaData: request.options.keyPathForMetaData)
  }
}
