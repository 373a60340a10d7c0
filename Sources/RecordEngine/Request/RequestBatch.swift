/// Several requests that run at once. Rules: `request.batch`, `request.options-batch`.
///
/// It is filled in the closure of ``PersistentContainer/batch(options:context:isolation:_:)``, and by the handlers of its
/// own requests while it runs. Handlers are called in the isolation of the batch, one at a time, in the order in which
/// the answers come; a failure is told as soon as it is known.
///
/// Servers are asked at once, and what they answer is populated one after the other: each response once, over all that the
/// ones before have brought, unless somebody else changes the context meanwhile.
public final class RequestBatch {
  private let pipeline: RequestPipeline
  private let context: ManagedObjectContext
  /// What the requests do that say nothing themselves.
  private let options: RequestOptions?
  /// Requests that are yet to be sent.
  private var waiting: [Entry] = []
  /// The ends of requests that could not be made.
  private var refused: [() -> Void] = []
  private var isOver = false

  /// One request, whatever its records are.
  private struct Entry {
    /// What is due away from the context.
    let work: RequestWork
    let token: RequestToken
    /// Takes the outcome of the work. Returns what is due then; nil if the request has ended.
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
  ///   - request: what to ask, and what to make of the answer.
  ///   - completion: gets the result or the failure, once.
  public func request<Element: Record>(
    _ request: RecordRequest<Element>,
    completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    add(prepared(request), completion)
  }

  /// Adds a request whose stored matches are handed over at once. Rule: `request.fetch-first`.
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

  /// Adds a request for the details of a record, which is one of the batch's context. Rule: `request.detail`.
  public func requestDetail<Element: Record>(
    of record: Element, data: [String: String] = [:], options: RequestOptions? = nil,
    completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    precondition(record.context === context, "the record is one of another context than the batch")
    add(
      Result { try pipeline.prepareDetail(of: record, data: data, options ?? self.options) },
      completion)
  }

  /// Adds a paged request.
  ///
  /// - Parameters:
  ///   - request: what to ask for the first page.
  ///   - completion: gets each page, or the failure that ends the run, and answers whether the next page is wanted.
  ///     Rule: `request.page`.
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
    Diagnostic(.unknown, message: "the batch has ended, and takes no more requests"))

  private func add<Element: Record>(
    _ prepared: Result<PreparedRequest, any Error>,
    _ completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    guard !isOver else { return completion(.failure(Self.isOverFailure)) }
    let request: PreparedRequest
    do {
      request = try prepared.get()
    } catch {
      return refused.append { completion(.failure(error)) }
    }
    var operation = RequestOperation<Element>(request, context, pipeline)
    waiting.append(
      Entry(work: operation.work, token: request.token) { outcome in
        guard let end = operation.advance(outcome) else { return operation.work }
        completion(end)
        return nil
      })
  }

  /// Runs everything, and what is added meanwhile.
  func run(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskGroup(of: (Int, Result<RequestOutcome, any Error>).self) { group in
      // A closure is of the isolation that it names, and the context and the handlers are the caller's.
      isolation?.preconditionIsolated()
      var inFlight: [Int: Entry] = [:]
      var count = 0
      while true {
        while !refused.isEmpty { refused.removeFirst()() }
        for entry in waiting {
          begin(entry.work, count, entry.token)
          inFlight[count] = entry
          count += 1
        }
        waiting = []
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
