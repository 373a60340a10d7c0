import JSONTree
import RecordModel

/// A request with its entity, options and server.
struct PreparedRequest: Sendable {
  /// The schema of the model, with the tweaks applied as soon as the request is sent.
  var schema: Schema
  var entity: EntityIndex
  var serverRequest: ServerRequest
  var options: RequestOptions
  var server: any Server
  /// The paging; nil if the request is not paged and deletes no orphans.
  var paging: Paging?
  /// The record that the response must contain. Rule: `request.detail`.
  var record: RecordID?
  /// The state of the run of pages that the request continues or begins.
  var run: PageRunState
  /// A Boolean value that indicates whether the response is to be cached, and a cached response can answer the request.
  /// Rule: `cache.store`.
  var isCached: Bool
  /// The token by which the request is canceled.
  var token: RequestToken
}

/// A request with its answer, ready to be populated.
struct AnsweredRequest: Sendable {
  var request: PreparedRequest
  var answer: RequestAnswer
  /// The position of the page; nil if ``PreparedRequest/paging`` is nil.
  var pageManager: PageManager?
  /// The last response to the same request, if it had the same bytes and changed nothing.
  var repeated: RepeatedResponse?

  /// A Boolean value that indicates whether the response is expected to have items, so that `empty-result-set` reports
  /// their absence. Rule: `response.no-content`.
  var expectsItems: Bool {
    if ["DELETE", "HEAD"].contains(request.serverRequest.method) { return false }
    guard case .response(let response) = answer.content else { return true }
    return response.canHaveContent
  }
}

extension AnsweredRequest {
  /// The document of the answer, with the context of its values if the model reads it. Rule: `mapping.around`.
  var document: JSONDocument? {
    guard request.schema.readsAroundItems else { return answer.document }
    return answer.document?.inContext(ofRequest: JSONDocument(request.serverRequest.context))
  }
}

/// A request with its populated answer.
struct PopulatedRequest: Sendable {
  var answered: AnsweredRequest
  var destination: PopulationDestination
  var population: PopulationResult
  /// The drift report; nil if neither the options nor provenance require it.
  var drift: DriftReport?
}

/// The destination of a populated response.
struct PopulationDestination: Sendable {
  enum Purpose: Sendable {
    /// A save to the store for a context.
    case save(by: ContextID)
    /// Unsaved changes of the context.
    case keep
    /// A preview of what would be saved or left unsaved.
    case dryRun(isSaved: Bool)
  }

  var purpose: Purpose
  /// The unsaved changes of the context and its parents, the root context first; empty for a response that is or would be saved.
  var unsaved: [ChangeSet]
  /// The ``ManagedObjectContext/revision`` of the context with these changes.
  var revision: Int
}

/// A step of a request outside the caller's isolation. Its input and its outcome are values.
enum RequestWork: Sendable {
  /// The retrieval of the answer, and its parsing.
  case answer(PreparedRequest)
  /// The wait for the delivery of earlier responses of the context.
  case wait(TaskMutex.Waiter, AnsweredRequest)
  /// The population of the answer, and the save if that is its destination.
  case populate(AnsweredRequest, PopulationDestination)
}

/// The outcome of a step.
enum RequestOutcome: Sendable {
  case answered(AnsweredRequest)
  /// The acquisition of the delivery mutex, after which the answer can be populated.
  case ownsMutex(AnsweredRequest)
  case populated(PopulatedRequest)
}
