import Foundation
package import Logging
import RecordModel

/// The log messages of a container. Rule: `diagnostics.levels`.
///
/// - `error`: failures
/// - `warning`: diagnostics
/// - `info`: requests
/// - `debug`: a summary of each response, and the use of the cache
/// - `trace`: each record of a response
///
/// Messages are few and have constant texts. Details are metadata. Addresses are logged without the values of their
/// parameters, and without user names and passwords, because these may be secrets.
package struct RequestLog: Sendable {
  private let logger: Logger?

  /// Creates a log.
  ///
  /// - Parameter logger: the logger; nil to log nothing.
  package init(_ logger: Logger?) { self.logger = logger }

  /// Logs a request that is about to be sent.
  func requesting(_ request: ServerRequest, _ entity: EntityName) {
    logger?.info(
      "requesting records", metadata: Self.metadata(request, entity, ["method": "\(request.method)"]))
  }

  /// Logs the use of a cached response.
  func answered(_ request: ServerRequest, _ entity: EntityName, _ served: Served) {
    logger?.debug(
      "served from the cache",
      metadata: Self.metadata(request, entity, ["served": "\(served.rawValue)"]))
  }

  /// Logs that the response to a request with caching is not cached.
  func notKept(_ request: ServerRequest, _ entity: EntityName, _ reason: String) {
    logger?.debug("not cached", metadata: Self.metadata(request, entity, ["reason": "\(reason)"]))
  }

  /// Logs the diagnostics of a response, and the changes that it made.
  func populated(_ populated: PopulatedRequest, _ context: ManagedObjectContext) {
    guard let logger else { return }
    let (request, answer) = (populated.answered.request, populated.answered.answer)
    let result = populated.population
    let urn = Self.address(request.serverRequest.urn)
    let diagnostics = answer.diagnostics + result.diagnostics
    for diagnostic in diagnostics {
      logger.warning(diagnostic.logMessage, metadata: Self.metadata(of: diagnostic))
    }
    guard answer.storedRecords == nil else { return }
    let changes = result.summary
    logger.debug(
      "populated a response",
      metadata: [
        "entity": "\(request.schema.entities[request.entity].name)", "urn": "\(urn)",
        "records": "\(result.records.count)", "inserted": "\(changes.inserted.count)",
        "updated": "\(changes.updated.count)", "deleted": "\(changes.deleted.count)",
        "diagnostics": "\(diagnostics.count)",
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

  /// Logs a failed request.
  func failed(_ error: any Error, _ entity: EntityName?, urn: String?) {
    guard let logger else { return }
    guard let failure = error as? RequestFailure else {
      var metadata: Logger.Metadata = ["reason": "\(Self.reason(error, urn))"]
      if let urn { metadata["urn"] = "\(Self.address(urn))" }
      if let entity { metadata["entity"] = "\(entity)" }
      logger.error("the server failed", metadata: metadata)
      return
    }
    for diagnostic in failure.diagnostics where diagnostic != failure.primary {
      logger.warning(diagnostic.logMessage, metadata: Self.metadata(of: diagnostic))
    }
    var metadata = Self.metadata(of: failure.primary)
    if let urn { metadata["urn"] = "\(Self.address(urn))" }
    if let entity, metadata["entity"] == nil { metadata["entity"] = "\(entity)" }
    if let status = failure.status { metadata["status"] = "\(status)" }
    logger.error(failure.primary.logMessage, metadata: metadata)
  }
}

// MARK: - Metadata

extension RequestLog {
  private static func metadata(
    _ request: ServerRequest, _ entity: EntityName, _ further: Logger.Metadata
  ) -> Logger.Metadata {
    ["entity": "\(entity)", "urn": "\(address(request.urn))"].merging(further) { $1 }
  }

  private static func metadata(of diagnostic: Diagnostic) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["reason": "\(text(diagnostic.message, diagnostic.response))"]
    if let entity = diagnostic.entity { metadata["entity"] = "\(entity)" }
    if let property = diagnostic.property { metadata["property"] = "\(property)" }
    if let pointer = diagnostic.pointer { metadata["pointer"] = "\(pointer)" }
    if let otherPointer = diagnostic.otherPointer { metadata["otherPointer"] = "\(otherPointer)" }
    if let response = diagnostic.response { metadata["response"] = "\(address(response))" }
    return metadata
  }

  /// Returns an address without its secrets: `users?token=…`. A parameter without a name is masked as a whole, because
  /// it may be a value. Fragments are omitted too, because they are never sent.
  private static func address(_ urn: String) -> String {
    var address = WebAddress(urn)
    let names = address.parameters.map { parameter in
      parameter.text.firstIndex(of: "=").map { parameter.text[...$0] + "…" } ?? "…"
    }
    address.query = nil
    if let authority = address.authority, let mark = authority.lastIndex(of: "@") {
      address.authority = String(authority[authority.index(after: mark)...])
    }
    return address.text + (names.isEmpty ? "" : "?" + names.joined(separator: "&"))
  }

  /// Returns the description of an error that a server has thrown. The full description of a `URLError` would contain
  /// the whole address and more.
  private static func reason(_ error: any Error, _ urn: String?) -> String {
    if let error = error as? URLError {
      return "URLError \(error.code.rawValue): \(error.localizedDescription)"
    }
    return text("\(error)", urn)
  }

  /// Returns a text without the secrets in the addresses that it contains.
  private static func text(_ text: String, _ urn: String?) -> String {
    var text = text
    if let urn, !urn.isEmpty { text = text.replacingOccurrences(of: urn, with: address(urn)) }
    return text.replacing(/([?&#][^=?&#\s'"]+=)[^&\s'"]+/) { "\($0.1)…" }
      .replacing(/:\/\/[^\/@\s'"]*@/) { _ in "://" }
  }
}

extension Diagnostic {
  /// The code of the diagnostic. Everything else is metadata.
  fileprivate var logMessage: Logger.Message { "\(code)" }
}
