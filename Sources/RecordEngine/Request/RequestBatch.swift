/// Several requests that run at once. Rules: `request.batch`, `request.options-batch`.
///
/// It is filled in the closure of ``PersistentContainer/batch(options:context:isolation:_:)``, and by the handlers of its
/// own requests while it runs. Handlers are called in the isolation of the batch, one at a time, in the order in which
/// the answers come.
public final class RequestBatch {
  private let pipeline: RequestPipeline
  private let context: ManagedObjectContext
  /// What the requests do that say nothing themselves.
  private let options: RequestOptions?
  /// Requests that are yet to be started.
  private var waiting: [Entry] = []
  private var isOver = false

  /// One request: what happens away from the context, and what then happens with it.
  private struct Entry {
    let work: @Sendable () async -> Result<PopulatedAnswer, any Error>
    let finish: (Result<PopulatedAnswer, any Error>) -> Void
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
    do {
      stored(try context.fetch(fetchFirst).compactMap { $0 as? Element })
    } catch {
      waiting.append(Entry(work: { .failure(error) }, finish: { _ in completion(.failure(error)) }))
      return
    }
    add(prepared(request), completion)
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
      var run = run
      run.visit(prepared.serverRequest, page)
      self.page(request.following(next), run, completion)
    }
  }

  private func prepared<Element: Record>(
    _ request: RecordRequest<Element>, run: PageRun? = nil
  ) -> Result<PreparedRequest, any Error> {
    var request = request
    request.options = request.options ?? options
    return Result { try pipeline.prepare(request, run: run) }
  }

  private func add<Element: Record>(
    _ prepared: Result<PreparedRequest, any Error>,
    _ completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    guard !isOver else {
      return completion(
        .failure(
          RequestFailure(Diagnostic(.unknown, message: "the batch has ended, and takes no more requests"))))
    }
    switch prepared {
    case .success(let request):
      // It has begun: from now on it can be cancelled.
      let token = pipeline.underway.begin(request.serverRequest.domain)
      let delivery = RequestDelivery(request, context, pipeline.log)
      let destination = delivery.destination
      waiting.append(
        Entry { [pipeline] in
          await pipeline.outcome(request, destination, token)
        } finish: { [self] in
          finish($0, delivery, token, completion)
        })
    case .failure(let error):
      waiting.append(Entry(work: { .failure(error) }, finish: { _ in completion(.failure(error)) }))
    }
  }

  private func finish<Element: Record>(
    _ outcome: Result<PopulatedAnswer, any Error>, _ delivery: RequestDelivery, _ token: RequestToken,
    _ completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    let end: Result<RequestResult<Element>, any Error>
    switch outcome {
    case .failure(let error): end = .failure(error)
    case .success(let populated):
      do {
        guard let result: RequestResult<Element> = try delivery.result(populated, token) else {
          let destination = delivery.destination
          waiting.append(
            Entry { [pipeline] in
              await pipeline.outcome(populated.answer, destination, token)
            } finish: { [self] in
              finish($0, delivery, token, completion)
            })
          return
        }
        end = .success(result)
      } catch {
        end = .failure(pipeline.failed(error, populated.answer.request))
      }
    }
    pipeline.underway.end(token)
    completion(end)
  }

  /// Runs everything, and what is added meanwhile.
  func run(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskGroup(of: (Int, Result<PopulatedAnswer, any Error>).self) { group in
      // A closure is of the isolation that it names, and the context and the handlers are the caller's.
      isolation?.preconditionIsolated()
      var finishes: [Int: (Result<PopulatedAnswer, any Error>) -> Void] = [:]
      var count = 0
      while true {
        for entry in waiting {
          let (number, work) = (count, entry.work)
          count += 1
          finishes[number] = entry.finish
          group.addTask { (number, await work()) }
        }
        waiting = []
        guard let (number, outcome) = await group.next() else { break }
        finishes.removeValue(forKey: number)?(outcome)
      }
    }
    isOver = true
  }
}
