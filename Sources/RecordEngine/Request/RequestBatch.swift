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

  /// One request: what is asked away from the context, and what then happens with the answer.
  private struct Entry {
    let ask: @Sendable () async throws -> ServerAnswer
    let token: RequestToken
    /// Where the answer is to go, as the context is now.
    let destination: () -> PopulationDestination
    /// Takes what has come of the answer. False: the context has changed meanwhile, and it has to be populated once more.
    let deliver: (PopulatedAnswer) -> Bool
    let fail: (any Error) -> Void
  }

  /// How far a task of the batch has brought a request.
  private enum Progress: Sendable {
    case answered(ServerAnswer)
    /// It is the answer's turn to be populated.
    case isNext(ServerAnswer)
    case populated(PopulatedAnswer)
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
    let request = withOptions(request)
    // It has begun: what is stored may be looked at by somebody who cancels it.
    let token = pipeline.underway.begin(pipeline.domain(of: request))
    do {
      stored(try pipeline.stored(fetchFirst, for: request, context))
    } catch {
      return add(.failure(error), begun: token, completion)
    }
    add(prepared(request), begun: token, completion)
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
      var run = run
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

  /// - Parameter begun: the token of a request that has begun.
  private func add<Element: Record>(
    _ prepared: Result<PreparedRequest, any Error>, begun: RequestToken? = nil,
    _ completion: @escaping (Result<RequestResult<Element>, any Error>) -> Void
  ) {
    guard !isOver else { return completion(.failure(Self.isOverFailure)) }
    let request: PreparedRequest
    do {
      request = try prepared.get()
    } catch {
      if let begun { pipeline.underway.end(begun) }
      return refused.append { completion(.failure(error)) }
    }
    // It has begun: from now on it can be cancelled.
    let token = begun ?? pipeline.underway.begin(request.serverRequest.domain)
    let delivery = RequestDelivery(request, context, pipeline.log)
    func end(_ result: Result<RequestResult<Element>, any Error>) {
      pipeline.underway.end(token)
      completion(result)
    }
    waiting.append(
      Entry(
        ask: { [pipeline] in try await pipeline.answer(request, token) }, token: token,
        destination: { delivery.destination },
        deliver: { [pipeline] populated in
          do {
            guard let result: RequestResult<Element> = try delivery.result(populated, token) else {
              return false
            }
            end(.success(result))
          } catch {
            end(.failure(pipeline.failed(error, request)))
          }
          return true
        },
        fail: { [pipeline] in end(.failure(pipeline.failed($0, request))) }))
  }

  /// Runs everything, and what is added meanwhile.
  func run(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskGroup(of: (Int, Result<Progress, any Error>).self) { group in
      // A closure is of the isolation that it names, and the context and the handlers are the caller's.
      isolation?.preconditionIsolated()
      var underway: [Int: Entry] = [:]
      var populating: Int?
      var count = 0
      while true {
        while !refused.isEmpty { refused.removeFirst()() }
        for entry in waiting {
          let (number, ask) = (count, entry.ask)
          count += 1
          underway[number] = entry
          group.addTask { (number, await Self.result { .answered(try await ask()) }) }
        }
        waiting = []
        guard let (number, progress) = await group.next() else { break }
        guard let entry = underway[number] else { continue }
        let token = entry.token
        var next: ServerAnswer?
        switch progress {
        case .success(.answered(let answer)):
          let turn = context.deliveryTurn
          if let place = turn.join() {
            group.addTask {
              let result = await Self.result {
                try await turn.wait(place, token)
                return .isNext(answer)
              }
              return (number, result)
            }
          } else {
            next = answer
          }
        case .success(.isNext(let answer)): next = answer
        case .success(.populated(let populated)):
          if entry.deliver(populated) { underway[number] = nil } else { next = populated.answer }
        case .failure(let error):
          underway[number] = nil
          entry.fail(error)
        }
        if let next {
          populating = number
          let destination = entry.destination()
          group.addTask { [pipeline] in
            let result = await Self.result {
              .populated(try await pipeline.populate(next, destination, token))
            }
            return (number, result)
          }
        } else if populating == number {
          populating = nil
          context.deliveryTurn.end()
        }
      }
    }
    isOver = true
  }

  private static func result(
    _ work: @Sendable () async throws -> Progress
  ) async -> Result<Progress, any Error> {
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }
}
