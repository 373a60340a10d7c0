public import Dispatch

/// Requests for code without `async`, as in MMRecord. They are thin wrappers around the `async` methods.
///
/// A context belongs to the queue on which the handlers are called. This is a serial queue, by default the main queue.
/// Each request calls one of its handlers once. Rule: `request.callback`.
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
  ///   - request: the request to perform.
  ///   - context: a context that belongs to the callback queue.
  ///   - callbackQueue: the serial queue on which the handlers are called.
  ///   - result: a closure that receives the result.
  ///   - failure: a closure that receives the error if there is no result.
  /// - Returns: the task that performs the request. Canceling it cancels the request.
  @discardableResult
  public func startRequest<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext, callbackQueue: DispatchQueue = .main,
    result: @escaping (RequestResult<Element>) -> Void, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(on: callbackQueue, domain: pipeline.domain(of: request), (context, result), failure) {
      [self] bound, isolation in
      let (context, result) = bound
      result(try await perform(request, context: context))
    }
  }

  /// Starts a request, and passes the matching stored records to a handler before anything is sent.
  /// Rule: `request.fetch-first`.
  ///
  /// - Parameters:
  ///   - request: the request to perform.
  ///   - fetchFirst: the description of the stored records.
  ///   - context: a context that belongs to the callback queue.
  ///   - callbackQueue: the serial queue on which the handlers are called.
  ///   - stored: a closure that receives the stored records.
  ///   - result: a closure that receives the result.
  ///   - failure: a closure that receives the error if there is no result. The stored records stay valid.
  /// - Returns: the task that performs the request. Canceling it cancels the request.
  @discardableResult
  public func startRequest<Element: Record>(
    _ request: RecordRequest<Element>, fetchFirst: RecordFetchRequest, context: ManagedObjectContext,
    callbackQueue: DispatchQueue = .main, stored: @escaping ([Element]) -> Void,
    result: @escaping (RequestResult<Element>) -> Void, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(on: callbackQueue, domain: pipeline.domain(of: request), (context, stored, result), failure) {
      [self] bound, isolation in
      let (context, stored, result) = bound
      result(try await perform(request, fetchFirst: fetchFirst, context: context, stored: stored))
    }
  }

  /// Starts a paged request.
  ///
  /// - Parameters:
  ///   - request: the request for the first page.
  ///   - context: a context that belongs to the callback queue.
  ///   - callbackQueue: the serial queue on which the handlers are called.
  ///   - result: a closure that receives each page, and returns whether to request the next one. Rule: `request.page`.
  ///   - failure: a closure that receives the error that ends the run.
  /// - Returns: the task that performs the requests. Canceling it cancels them.
  @discardableResult
  public func startPagedRequest<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext, callbackQueue: DispatchQueue = .main,
    result: @escaping (RequestResult<Element>) -> Bool, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(on: callbackQueue, domain: pipeline.domain(of: request), (context, result), failure) {
      [self] bound, isolation in
      let (context, result) = bound
      let pages = self.pages(request, context: context)
      while let page = try await pages.nextPage(), result(page) {}
    }
  }

  /// Starts a request for the details of a record, or one that changes it on the server. Call this method on the queue of
  /// the record. Rules: `request.detail`, `request.detail.change`.
  ///
  /// - Parameters:
  ///   - record: a record whose context belongs to the callback queue.
  ///   - method: the HTTP method; `POST` or another one that is not safe to change the record on the server.
  ///   - urn: the address, relative to the server; nil for the address of the record's details.
  ///   - query: the parameters that are added to the address, by name.
  ///   - body: the body, or nil for a request without one.
  ///   - options: the options of this request; nil for the defaults of the record type.
  ///   - callbackQueue: the serial queue on which the handlers are called.
  ///   - result: a closure that receives the result with the record.
  ///   - failure: a closure that receives the error if there is no result.
  /// - Returns: the task that performs the request. Canceling it cancels the request.
  @discardableResult
  public func startDetailRequest<Element: Record>(
    of record: Element, method: String = "GET", urn: String? = nil, query: [String: String] = [:],
    body: RequestBody? = nil, options: RequestOptions? = nil,
    callbackQueue: DispatchQueue = .main,
    result: @escaping (RequestResult<Element>) -> Void, failure: @escaping (any Error) -> Void
  ) -> Task<Void, Never> {
    start(
      on: callbackQueue, domain: pipeline.domain(ofDetailsOf: record, options), (record, result), failure
    ) {
      [self] bound, isolation in
      let (record, result) = bound
      result(
        try await requestDetail(
          of: record, method: method, urn: urn, query: query, body: body, options: options))
    }
  }

  /// Starts several requests at the same time. Rule: `request.batch`.
  ///
  /// - Parameters:
  ///   - options: the options of requests that have none.
  ///   - context: a context that belongs to the callback queue.
  ///   - callbackQueue: the serial queue on which the handlers are called.
  ///   - requests: a closure that adds the requests to the batch. It is called on the callback queue.
  ///   - completion: a closure that is called once, after all results and failures.
  /// - Returns: the task that performs the requests. Canceling it cancels them.
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

  /// Starts a task that runs a closure on a queue.
  ///
  /// - Parameters:
  ///   - domain: the domain by which the task can be canceled from now on, even before the queue runs it.
  ///   - bound: the values that belong to the queue.
  ///   - failure: a closure that receives the error of the body.
  private func start<Bound>(
    on queue: DispatchQueue, domain: String? = nil, _ bound: Bound,
    _ failure: @escaping (any Error) -> Void = { _ in },
    _ body: @escaping @Sendable (Bound, isolated QueueIsolation) async throws -> Void
  ) -> Task<Void, Never> {
    let bound = QueueBound(value: (bound, failure))
    let isolation = QueueIsolation(queue)
    let token = pipeline.inFlight.begin(domain)
    let task = Task {
      await isolation.run(bound) { bound, isolation in
        do { try await body(bound.0, isolation) } catch { bound.1(error) }
      }
      pipeline.inFlight.end(token)
    }
    token.onCancel { task.cancel() }
    return task
  }
}
