/// Several requests that run at the same time. Rules: `request.batch`, `request.options-batch`.
///
/// Add requests in the closure of ``PersistentContainer/batch(options:context:isolation:_:)``, or in the handlers of
/// its requests while the batch runs. Handlers are called in the isolation of the batch, one at a time, in the order in
/// which the responses arrive. A failure is reported as soon as it is known.
///
/// The servers are asked at the same time, and their responses are populated one after the other. Each response is
/// populated over the results of the previous ones. A response that is not saved is populated again if other code
/// changes the context in the meantime.
public final class RequestBatch {
  private let pipeline: RequestPipeline
  private let context: ManagedObjectContext
  /// The options of requests that have none.
  private let options: RequestOptions?
  /// The requests that have not been sent yet.
  private var pending: [Entry] = []
  /// The completions of requests that could not be prepared.
  private var failedCompletions: [() -> Void] = []
  private var isOver = false

  /// One request, with any type of records.
  private struct Entry {
    /// The next step, which runs outside the isolation of the context.
    let work: RequestWork
    let token: RequestToken
    /// Processes the outcome of the step. Returns the next step; nil if the request has ended.
    let advance: (Result<RequestOutcome, any Error>) -> RequestWork?
  }

  init(_ pipeline: RequestPipeline, _ options: RequestOptions?, _ context: ManagedObjectContext) {
    self.pipeline = pipeline
    self.options = options
    self.context = context
  }

  /// Adds a request.
  ///
  /// - Parameters:
  ///   - request: the request to perform.
  ///   - completion: a closure that receives the result or the failure, once.
  public func request<Element: Record>(
    _ request: RecordRequest<Element>,
    completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    add(prepared(request), completion)
  }

  /// Adds a request, and passes the matching stored records to `stored` immediately. Rule: `request.fetch-first`.
  public func request<Element: Record>(
    _ request: RecordRequest<Element>, fetchFirst: RecordFetchRequest, stored: ([Element]) -> Void,
    completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    guard !isOver else { return completion(.failure(Self.isOverFailure)) }
    add(
      Result {
        try pipeline.prepare(withOptions(request), fetchFirst: fetchFirst, context, stored: stored)
      }, completion)
  }

  /// Adds a request for the details of a record, or one that changes it on the server. The record must belong to the
  /// context of the batch. Rules: `request.detail`, `request.detail.change`.
  public func requestDetail<Element: Record>(
    of record: Element, method: String = "GET", urn: String? = nil, query: [String: String] = [:],
    body: RequestBody? = nil, options: RequestOptions? = nil,
    completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    precondition(record.context === context, "the record belongs to another context than the batch")
    add(
      Result {
        try pipeline.prepareDetail(
          of: record, method: method, urn: urn, query: query, body: body, options ?? self.options)
      }, completion)
  }

  /// Adds a paged request.
  ///
  /// - Parameters:
  ///   - request: the request for the first page.
  ///   - completion: a closure that receives each page, or the failure that ends the run, and returns whether to
  ///     request the next page. Rule: `request.page`.
  public func pages<Element: Record>(
    _ request: RecordRequest<Element>,
    completion: @escaping (Result<RequestResult<Element>, any Error>) -> Bool
  ) {
    page(request, PageRun(), completion)
  }

  private func page<Element: Record>(
    _ request: RecordRequest<Element>, _ run: PageRun,
    _ completion: @escaping (Result<RequestResult<Element>, any Error>) -> Bool
  ) {
    let prepared = prepared(request, run: run)
    add(prepared) { [self] (result: Result<RequestResult<Element>, any Error>) in
      guard completion(result), case .success(let page) = result, case .success(let prepared) = prepared,
        let next = page.pageManager?.nextPage
      else { return }
      run.visit(prepared, page)
      self.page(request.following(next, prepared), run, completion)
    }
  }

  private func prepared<Element: Record>(
    _ request: RecordRequest<Element>, run: PageRun? = nil
  ) -> Result<PreparedRequest, any Error> {
    Result { try pipeline.prepare(withOptions(request), run: run) }
  }

  private func withOptions<Element: Record>(_ request: RecordRequest<Element>) -> RecordRequest<Element> {
    var request = request
    request.options = request.options ?? options
    return request
  }

  private static let isOverFailure = RequestFailure(
    Diagnostic(.unknown, message: "requests cannot be added to a finished batch"))

  private func add<Element: Record>(
    _ prepared: Result<PreparedRequest, any Error>,
    _ completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    guard !isOver else { return completion(.failure(Self.isOverFailure)) }
    let request: PreparedRequest
    do {
      request = try prepared.get()
    } catch {
      return failedCompletions.append { completion(.failure(error)) }
    }
    var operation = RequestOperation<Element>(request, context, pipeline)
    pending.append(
      Entry(work: operation.work, token: request.token) { outcome in
        guard let end = operation.advance(outcome) else { return operation.work }
        completion(end)
        return nil
      })
  }

  /// Runs all requests, including those that are added in the meantime.
  func run(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskGroup(of: (Int, Result<RequestOutcome, any Error>).self) { group in
      // Naming `isolation` lets the closure run in the caller's isolation, which owns the context and the handlers.
      isolation?.preconditionIsolated()
      var inFlight: [Int: Entry] = [:]
      var count = 0
      while true {
        while !failedCompletions.isEmpty { failedCompletions.removeFirst()() }
        for entry in pending {
          begin(entry.work, count, entry.token)
          inFlight[count] = entry
          count += 1
        }
        pending = []
        guard let (number, outcome) = await group.next(), let entry = inFlight[number] else { break }
        if let work = entry.advance(outcome) {
          begin(work, number, entry.token)
        } else {
          inFlight[number] = nil
        }
      }
      func begin(_ work: RequestWork, _ number: Int, _ token: RequestToken) {
        group.addTask { [pipeline] in (number, await pipeline.perform(work, token)) }
      }
    }
    isOver = true
  }
}
