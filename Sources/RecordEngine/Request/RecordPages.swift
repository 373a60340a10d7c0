/// The pages of an answer, asked for one after the other as they are wanted.
///
/// ```swift
/// for try await page in container.pages(Post.self, urn: "stream/global", context: context) {
///   show(page.records)
///   if isFull { break }
/// }
/// ```
///
/// It remembers where it is: a second loop, or ``nextPage(isolation:)``, goes on behind the last page. A page that failed
/// is asked for again by the next attempt. It belongs to the isolation of its context. Who asks while a page is under way
/// gets the one after it.
///
/// Rules: `request.page`, `request.page.option`, `request.page.loop`, `request.page.limit`.
public final class RecordPages<RecordType: Record>: AsyncSequence, AsyncIteratorProtocol {
  public typealias Element = RequestResult<RecordType>

  /// What the next page is asked for with; nil behind the last one.
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

  /// The next page; nil behind the last one.
  ///
  /// - Throws: ``RequestFailure`` with `undefined-page-manager` if nobody says how there are pages, with `page-loop` if the
  ///   page was visited before or the last one brought nothing new, and with `page-limit` behind
  ///   ``RequestOptions/maxPages`` pages; otherwise as a single request.
  public func nextPage(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<RecordType>? {
    guard let last = next else { return nil }
    // It has begun: who waits for the page before can be cancelled.
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
