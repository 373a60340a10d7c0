public import Dispatch

/// The forms of requests for code that has no `async`, as MMRecord has them: thin wrappers around the others.
///
/// Contexts belong to the queue on which the handlers are called, the main queue if nothing else is said, which has to be
/// a serial one. Each request calls one of its handlers once. Rule: `request.callback`.
extension PersistentContainer {
  /// Starts a request.
  ///
  /// ```swift
  /// container.startRequest(
  ///   RecordRequest<Post>(urn: "stream/global"), context: context,
  ///   result: { show($0.records) }, failure: { show($0) })
  /// ```
  ///
  /// - Parameters:
  ///   - request: what to ask, and what to make of the answer.
  ///   - context: one that belongs to the callback queue.
  ///   - callbackQueue: where the handlers are called; a serial queue.
  ///   - result: gets the result, if there is one.
  ///   - failure: gets the failure otherwise.
  /// - Returns: the task that performs the request; cancelling it cancels the request.
  @discardableResult
  public func startRequest<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext, callbackQueue: DispatchQueue = .main,
    result: @escaping (RequestResult<Element>) -> Void, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(on: callbackQueue, domain: pipeline.domain(of: request), (context, result, failure)) {
      [self] bound, isolation in
      let (context, result, failure) = bound
      do {
        result(try await perform(request, context: context))
      } catch {
        failure(error)
      }
    }
  }

  /// Starts a request whose stored matches come first, before anything is sent. Rule: `request.fetch-first`.
  ///
  /// - Parameters:
  ///   - request: what to ask, and what to make of the answer.
  ///   - fetchFirst: what is looked for in the store.
  ///   - context: one that belongs to the callback queue.
  ///   - callbackQueue: where the handlers are called; a serial queue.
  ///   - stored: gets the records that match now.
  ///   - result: gets the result, if there is one.
  ///   - failure: gets the failure otherwise; what was handed over stands.
  @discardableResult
  public func startRequest<Element: Record>(
    _ request: RecordRequest<Element>, fetchFirst: RecordFetchRequest, context: ManagedObjectContext,
    callbackQueue: DispatchQueue = .main, stored: @escaping ([Element]) -> Void,
    result: @escaping (RequestResult<Element>) -> Void, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(on: callbackQueue, domain: pipeline.domain(of: request), (context, stored, result, failure)) {
      [self] bound, isolation in
      let (context, stored, result, failure) = bound
      do {
        result(try await perform(request, fetchFirst: fetchFirst, context: context, stored: stored))
      } catch {
        failure(error)
      }
    }
  }

  /// Starts a paged request.
  ///
  /// - Parameters:
  ///   - request: what to ask for the first page.
  ///   - context: one that belongs to the callback queue.
  ///   - callbackQueue: where the handlers are called; a serial queue.
  ///   - result: gets each page, and answers whether the next one is wanted. Rule: `request.page`.
  ///   - failure: gets the failure that ends the run.
  @discardableResult
  public func startPagedRequest<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext, callbackQueue: DispatchQueue = .main,
    result: @escaping (RequestResult<Element>) -> Bool, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(on: callbackQueue, domain: pipeline.domain(of: request), (context, result, failure)) {
      [self] bound, isolation in
      let (context, result, failure) = bound
      do {
        let pages = self.pages(request, context: context)
        while let page = try await pages.nextPage(), result(page) {}
      } catch {
        failure(error)
      }
    }
  }

  /// Starts a request for the details of a record, on whose queue this is called. Rule: `request.detail`.
  ///
  /// - Parameters:
  ///   - record: one whose context belongs to the callback queue.
  ///   - data: the parameters.
  ///   - options: what this request does otherwise than its record type; nil: the record type's own options.
  ///   - callbackQueue: where the handlers are called; a serial queue.
  ///   - result: gets the result, whose record is this one.
  ///   - failure: gets the failure otherwise.
  @discardableResult
  public func startDetailRequest<Element: Record>(
    of record: Element, data: [String: String] = [:], options: RequestOptions? = nil,
    callbackQueue: DispatchQueue = .main,
    result: @escaping (RequestResult<Element>) -> Void, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(
      on: callbackQueue, domain: pipeline.domain(ofDetailsOf: record, options), (record, result, failure)
    ) {
      [self] bound, isolation in
      let (record, result, failure) = bound
      do {
        result(try await requestDetail(of: record, data: data, options: options))
      } catch {
        failure(error)
      }
    }
  }

  /// Starts several requests at once. Rule: `request.batch`.
  ///
  /// - Parameters:
  ///   - options: what requests of the batch do that have no options of their own.
  ///   - context: one that belongs to the callback queue.
  ///   - callbackQueue: where the handlers are called; a serial queue.
  ///   - requests: adds the requests to the batch, on the callback queue.
  ///   - completion: is called once, behind every result and failure.
  @discardableResult
  public func startBatchedRequests(
    options: RequestOptions? = nil, context: ManagedObjectContext, callbackQueue: DispatchQueue = .main,
    _ requests: @escaping (RequestBatch) -> Void, completion: @escaping () -> Void
  ) -> Task<Void, Never> {
    start(on: callbackQueue, (context, requests, completion)) { [self] bound, isolation in
      let (context, requests, completion) = bound
      await batch(options: options, context: context, requests)
      completion()
    }
  }

  /// - Parameter domain: by which it can be cancelled from now on, also before the queue has come to it.
  private func start<Bound>(
    on queue: DispatchQueue, domain: String? = nil, _ bound: Bound,
    _ body: @escaping @Sendable (Bound, isolated QueueIsolation) async -> Void
  ) -> Task<Void, Never> {
    let bound = QueueBound(value: bound)
    let isolation = QueueIsolation(queue)
    let token = pipeline.inFlight.begin(domain)
    let task = Task {
      await isolation.run(bound, body)
      pipeline.inFlight.end(token)
    }
    token.onCancel { task.cancel() }
    return task
  }
}
