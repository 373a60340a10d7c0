import JSONTree
import RecordModel

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
  var run: PageRunState
  /// Whether the response is to be cached, and a cached one may answer. Rule: `cache.store`.
  var isCached: Bool
  /// By which it is cancelled.
  var token: RequestToken
}

/// A request and its answer, which can be populated.
struct AnsweredRequest: Sendable {
  var request: PreparedRequest
  var answer: RequestAnswer
  /// Nil where ``PreparedRequest/paging`` is.
  var pageManager: PageManager?
}

/// A request and what has come of its answer.
struct PopulatedRequest: Sendable {
  var answered: AnsweredRequest
  var destination: PopulationDestination
  var population: PopulationResult
  /// Nil where nobody asks for it.
  var drift: DriftReport?
}

/// What becomes of a populated response.
struct PopulationDestination: Sendable {
  enum Purpose: Sendable {
    /// It is saved for a context.
    case save(by: ContextID)
    /// It becomes unsaved changes.
    case keep
    /// It is shown as it would be saved or kept, and fails where a save would.
    case dryRun(isSaved: Bool)
  }

  var purpose: Purpose
  /// The unsaved changes of the context, level by level; for a response that is saved, or would be, only where some of
  /// them come from a response.
  var unsaved: [UnsavedChanges]
  var revision: ContextRevision
}

/// A step of a request away from its caller: values come in, and values come out.
enum RequestWork: Sendable {
  /// Asks for the answer, and reads it.
  case answer(PreparedRequest)
  /// Waits until the responses of the context that came before are delivered.
  case wait(TaskMutex.Waiter, AnsweredRequest)
  /// Populates the answer, and saves what comes of it if that is its destination.
  case populate(AnsweredRequest, PopulationDestination)
}

/// What a step has come to.
enum RequestOutcome: Sendable {
  case answered(AnsweredRequest)
  /// It is the request's turn to be populated.
  case ownsMutex(AnsweredRequest)
  case populated(PopulatedRequest)
}
