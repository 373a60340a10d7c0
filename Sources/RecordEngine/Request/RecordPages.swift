/// The pages of a list, requested one after the other on demand.
///
/// ```swift
/// for try await page in container.pages(Post.self, urn: "stream/global", context: context) {
///   show(page.records)
///   if isFull { break }
/// }
/// ```
///
/// The sequence keeps its position: a second loop, or ``nextPage(isolation:)``, continues after the last page. If a
/// page fails, the next attempt requests it again. Use the sequence in the isolation of its context. A call during the
/// request for a page returns the page after it.
///
/// Rules: `request.page`, `request.page.option`, `request.page.loop`, `request.page.limit`.
public final class RecordPages<RecordType: Record>: AsyncSequence, AsyncIteratorProtocol {
  public typealias Element = RequestResult<RecordType>

  /// The request for the next page; nil after the last one.
  public var nextRequest: ServerRequest? { next?.serverRequest }

  private let pipeline: RequestPipeline
  private let context: ManagedObjectContext
  private var next: RecordRequest<RecordType>?
  private let run = PageRun()
  private let mutex = TaskMutex()

  init(_ pipeline: RequestPipeline, _ request: RecordRequest<RecordType>, _ context: ManagedObjectContext) {
    self.pipeline = pipeline
    self.context = context
    next = request
  }

  /// Requests the next page.
  ///
  /// - Returns: the page; nil after the last one.
  /// - Throws: ``RequestFailure`` with `undefined-page-manager` if neither the options nor the server define the
  ///   paging, with `page-loop` if the page was visited before or the last page contained nothing new, and with
  ///   `page-limit` after ``RequestOptions/maxPages`` pages. Otherwise the errors of a single request.
  public func nextPage(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<RecordType>? {
    guard let last = next else { return nil }
    // The request begins here, so that it can be canceled while it waits for the previous page.
    let token = pipeline.inFlight.begin(pipeline.domain(of: last))
    defer { pipeline.inFlight.end(token) }
    do throws(RequestFailure) {
      try await mutex.enqueue()?.wait(token)
    } catch {
      throw pipeline.failed(error, last)
    }
    defer { mutex.unlock() }
    guard let request = next else { return nil }
    let prepared = try pipeline.prepare(request, run: run, token: token)
    let page: RequestResult<RecordType> = try await pipeline.perform(prepared, context)
    run.visit(prepared, page)
    next = page.pageManager?.nextPage.map { request.following($0, prepared) }
    return page
  }

  public func makeAsyncIterator() -> RecordPages { self }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func next(isolation: isolated (any Actor)?) async throws -> RequestResult<RecordType>? {
    try await nextPage(isolation: isolation)
  }

  public nonisolated(nonsending) func next() async throws -> RequestResult<RecordType>? {
    try await nextPage(isolation: #isolation)
  }
}
