package import Logging
import RecordModel

/// What a container tells its logger: failures as errors, diagnostics as warnings, requests at `info`, what each response
/// came to at `debug`, and each record of it at `trace`. Messages are few and always the same; what they are about is
/// metadata. Rule: `diagnostics.levels`.
package struct RequestLog: Sendable {
  private let logger: Logger?

  /// - Parameter logger: nil: nothing is told.
  package init(_ logger: Logger?) { self.logger = logger }

  /// A request is about to be sent.
  func requesting(_ request: ServerRequest, _ entity: EntityName) {
    logger?.info(
      "requesting records",
      metadata: ["entity": "\(entity)", "method": "\(request.method)", "urn": "\(request.urn)"])
  }

  /// A stored answer is used.
  func answered(_ request: ServerRequest, _ entity: EntityName, _ served: Served) {
    logger?.debug(
      "answered from the cache",
      metadata: ["entity": "\(entity)", "urn": "\(request.urn)", "served": "\(served.rawValue)"])
  }

  /// A response to a request that may be cached is not.
  func notKept(_ request: ServerRequest, _ entity: EntityName, _ reason: String) {
    logger?.debug(
      "not cached", metadata: ["entity": "\(entity)", "urn": "\(request.urn)", "reason": "\(reason)"])
  }

  /// A response has become records.
  func populated(_ request: PreparedRequest, _ result: PopulationResult, _ context: ManagedObjectContext) {
    guard let logger else { return }
    let urn = request.serverRequest.urn
    for diagnostic in result.diagnostics {
      logger.warning(diagnostic.logMessage, metadata: diagnostic.metadata)
    }
    let changes = result.summary
    logger.debug(
      "populated a response",
      metadata: [
        "entity": "\(request.schema.entities[request.entity].name)", "urn": "\(urn)",
        "records": "\(result.records.count)", "inserted": "\(changes.inserted.count)",
        "updated": "\(changes.updated.count)", "deleted": "\(changes.deleted.count)",
        "diagnostics": "\(result.diagnostics.count)",
      ])
    guard logger.logLevel == .trace else { return }
    func name(_ id: RecordID) -> Logger.MetadataValue {
      "\(context.record(with: id)?.entityName?.rawValue ?? "")"
    }
    for id in changes.inserted {
      logger.trace("inserted a record", metadata: ["entity": name(id), "urn": "\(urn)"])
    }
    for update in changes.updated {
      let properties = update.properties.map { Logger.MetadataValue.string($0.rawValue) }
      logger.trace(
        "updated a record",
        metadata: ["entity": name(update.id), "urn": "\(urn)", "properties": .array(properties)])
    }
    for row in result.changes.deleted {
      let entity = request.schema.entities[row.entity].name
      logger.trace("deleted a record", metadata: ["entity": "\(entity)", "urn": "\(urn)"])
    }
  }

  /// A request has failed.
  func failed(_ error: any Error, _ entity: EntityName?, urn: String?) {
    guard let logger else { return }
    guard let failure = error as? RequestFailure else {
      var metadata: Logger.Metadata = ["reason": "\(error)"]
      if let urn { metadata["urn"] = "\(urn)" }
      if let entity { metadata["entity"] = "\(entity)" }
      logger.error("the server failed", metadata: metadata)
      return
    }
    for diagnostic in failure.diagnostics where diagnostic != failure.primary {
      logger.warning(diagnostic.logMessage, metadata: diagnostic.metadata)
    }
    var metadata = failure.primary.metadata
    if let urn { metadata["urn"] = "\(urn)" }
    if let entity, metadata["entity"] == nil { metadata["entity"] = "\(entity)" }
    if let status = failure.status { metadata["status"] = "\(status)" }
    logger.error(failure.primary.logMessage, metadata: metadata)
  }
}

extension Diagnostic {
  /// The code; everything else is metadata.
  fileprivate var logMessage: Logger.Message { "\(code)" }

  fileprivate var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = ["reason": "\(message)"]
    if let entity { metadata["entity"] = "\(entity)" }
    if let property { metadata["property"] = "\(property)" }
    if let pointer { metadata["pointer"] = "\(pointer)" }
    if let otherPointer { metadata["otherPointer"] = "\(otherPointer)" }
    if let response { metadata["response"] = "\(response)" }
    return metadata
  }
}
