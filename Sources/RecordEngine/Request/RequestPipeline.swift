import Foundation
import JSONTree
import RecordModel

/// The way of a request from the server to its result.
///
/// What happens away from the caller, asking and populating, hands over values that are Sendable; what touches the
/// caller's context happens in the caller's isolation, in one piece at the end. So several requests of one context may
/// be under way at once.
final class RequestPipeline: Sendable {
  let coordinator: PersistentStoreCoordinator
  let servers: ServerRegistry
  let defaults: RequestDefaultsRegistry
  let underway = RequestsUnderway()
  let sessionTimeout: SessionTimeoutRegistration
  /// Who answers: the servers, or something before them.
  let source: any ResponseSource
  let transformers: [String: any RecordValueTransformer]
  let customisation: Customisation
  /// Judges responses whose requests bring no debugger of their own.
  let debugger: (any Debugger)?
  let tweaks: TweakFile?
  let log: RequestLog

  init(
    _ coordinator: PersistentStoreCoordinator, server: (any Server)?, source: any ResponseSource,
    sessionTimeout: SessionTimeoutRegistration, transformers: [String: any RecordValueTransformer],
    _ customisation: Customisation,
    debugger: (any Debugger)?, tweaks: TweakFile?, log: RequestLog
  ) {
    self.coordinator = coordinator
    servers = ServerRegistry(coordinator, server: server)
    defaults = RequestDefaultsRegistry(coordinator)
    self.source = source
    self.sessionTimeout = sessionTimeout
    self.transformers = transformers
    self.customisation = customisation
    self.debugger = debugger
    self.tweaks = tweaks
    self.log = log
  }

  /// Performs one request from its beginning to its end.
  ///
  /// There is no closure in here: the context is the caller's isolation's, and a closure would be nobody's.
  ///
  /// - Parameter token: that of the request, if it has begun before.
  func perform<Element: Record>(
    _ request: PreparedRequest, _ context: ManagedObjectContext, token: RequestToken? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    let delivery = RequestDelivery(request, context, log)
    let token = token ?? underway.begin(request.serverRequest.domain)
    defer { underway.end(token) }
    do {
      let answer = try await self.answer(request, token)
      try await context.deliveryTurn.take(token)
      defer { context.deliveryTurn.end() }
      while true {
        let populated = try await self.populate(answer, delivery.destination, token)
        if Task.isCancelled { token.cancel() }
        if let result: RequestResult<Element> = try delivery.result(populated, token) { return result }
      }
    } catch {
      throw failed(error, request)
    }
  }

}

/// A request whose entity, options and server are settled.
struct PreparedRequest: Sendable {
  /// The model's, and from when it is sent what tweaks make of it.
  var schema: Schema
  var entity: EntityIndex
  var serverRequest: ServerRequest
  var options: RequestOptions
  var server: any Server
  /// How there are pages; nil if the request is not paged, and nobody asks for orphans.
  var paging: Paging?
  /// The record that the response has to be of. Rule: `request.detail`.
  var record: RecordID?
  /// The run of pages that it goes on with, or which it begins.
  var run: PageRun
  /// Whether the response is to be cached, and a cached one may answer. Rule: `cache.store`.
  var isCached = false
}

/// What a server has answered, read but not populated.
struct ServerAnswer: Sendable {
  var request: PreparedRequest
  /// Nil for an empty body, and for records that are stored already.
  var document: JSONDocument?
  /// The records of the answer, if it needs no populating.
  var storedRecords: StoredRecords?
  var body = ResponseBody.empty
  var headers: [String: String] = [:]
  /// Where it has come from over redirects; nil: from where the request was sent.
  var address: String?
  var served: Served
  var keeper: (any ResponseKeeper)?
  var diagnostics: [Diagnostic] = []
  /// Nil where ``PreparedRequest/paging`` is.
  var pageManager: PageManager?
}

/// An answer and what has come of it.
struct PopulatedAnswer: Sendable {
  var answer: ServerAnswer
  var destination: PopulationDestination
  var population: PopulationResult
  /// Nil where nobody asks for it.
  var drift: DriftReport?
}

/// What becomes of a populated response.
enum PopulationDestination: Sendable {
  /// It is saved for a context, which has unsaved changes, level by level. They are left out where none of them comes from
  /// a response.
  case save(by: ContextID, unsaved: [UnsavedChanges], generation: Int)
  /// It becomes unsaved changes over those that are there, level by level.
  case keep(over: [UnsavedChanges], version: Int)
  /// It is shown over unsaved changes, level by level, and fails where a save would.
  case show(over: [UnsavedChanges], version: Int)
}
