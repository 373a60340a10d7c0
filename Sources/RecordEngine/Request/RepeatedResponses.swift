import Foundation
import OrderedCollections
import RecordModel

/// The last responses that changed nothing, by request. If a server sends the same bytes again, they need not be parsed
/// and populated again.
///
/// Population is a function of the response, the request, the model and the records of the store. As long as nothing is
/// saved, a response that changed nothing changes nothing again, and it has the same records.
// Unchecked: `responses` and `recordCount` are accessed only while `lock` is held.
final class RepeatedResponses: @unchecked Sendable {
  private let lock = NSLock()
  /// The responses, the oldest first.
  private var responses: OrderedDictionary<RepeatableRequest, RepeatedResponse> = [:]
  private var recordCount = 0
  private let limit: Int

  /// Creates a collection without responses.
  ///
  /// - Parameter limit: the maximum number of records of all responses; 0 to recognize no response.
  init(limit: Int = 100_000) { self.limit = limit }

  /// Returns the last response to a request if the request has been answered with the same bytes again, regardless of later
  /// saves.
  func response(to answered: AnsweredRequest) -> RepeatedResponse? {
    guard let request = RepeatableRequest(answered), let response = lock.withLock({ responses[request] }),
      response.bytes.isDigest(of: answered.answer.body.bytes)
    else { return nil }
    return response
  }

  /// Adds a response in place of the last one to the same request, if it changed nothing. If the responses have too many
  /// records together, the oldest ones are removed.
  func add(_ result: PopulationResult, of answered: AnsweredRequest, _ generation: StoreGeneration) {
    guard let request = RepeatableRequest(answered),
      let response = RepeatedResponse(
        result, generation, bytes: answered.repeated?.bytes ?? BytesDigest(answered.answer.body.bytes))
    else { return }
    lock.withLock {
      if let former = responses.removeValue(forKey: request) { recordCount -= former.recordCount }
      guard response.recordCount <= limit else { return }
      responses[request] = response
      recordCount += response.recordCount
      while recordCount > limit { recordCount -= responses.removeFirst().value.recordCount }
    }
  }
}

/// A response that changed nothing.
struct RepeatedResponse: Sendable {
  let bytes: BytesDigest
  /// The generation of the store in which it changed nothing.
  let generation: StoreGeneration
  let result: PopulationResult

  /// Creates a response from its result; nil if it has changed something, or has diagnostics that name the address.
  init?(_ result: PopulationResult, _ generation: StoreGeneration, bytes: @autoclosure () -> BytesDigest) {
    guard result.changes.isEmpty, result.noticed.isEmpty, result.diagnostics.isEmpty else { return nil }
    var result = result
    // The rows would take more memory than everything else.
    result.rows = nil
    self.result = result
    self.generation = generation
    self.bytes = bytes()
  }

  /// The number of records, and 1 so that a response without records counts too.
  fileprivate var recordCount: Int { result.known.count + 1 }
}

/// A request whose response is populated in the same way each time. It includes all that determines the population, except
/// for the response and the records of the store.
struct RepeatableRequest: Hashable, Sendable {
  private let request: ServerRequest
  private let entity: EntityIndex
  private let responseKeyPath: MappingPath?
  private let failWhen: RecordPredicate?
  private let mergeStrategy: MergeStrategy?
  private let tweaks: [UInt8]
  private let expectsItems: Bool

  /// Creates the repeatable part of an answered request; nil if its population also depends on code of the app or on other
  /// responses, or reports more than its records.
  init?(_ answered: AnsweredRequest) {
    let (request, options) = (answered.request, answered.request.options)
    guard options.automaticallyPersistsRecords, !options.isDryRun, options.hooks.isEmpty,
      !options.reportsDrift,
      options.debugger == nil, options.orphans == nil, request.record == nil, request.paging == nil,
      !request.serverRequest.isChange
    else { return nil }
    self.request = request.serverRequest
    entity = request.entity
    responseKeyPath = options.keyPathForResponseObject
    failWhen = options.failWhen
    mergeStrategy = options.mergeStrategy
    tweaks = request.schema.tweaks
    expectsItems = answered.expectsItems
  }
}

/// A digest of bytes, which is valid in one process.
struct BytesDigest: Sendable {
  private let count: Int
  /// A hash with a random seed for each process, so that a server cannot construct collisions.
  private let hash: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count
    hash = Self.hash(bytes)
  }

  func isDigest(of bytes: [UInt8]) -> Bool { count == bytes.count && hash == Self.hash(bytes) }

  private static func hash(_ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
