/// How far a run of pages has come; a request that is not paged is a run of its own.
struct PageRun: Sendable {
  /// In normal form, as the server tells addresses apart.
  private var visited: Set<ServerRequest> = []
  /// What its pages have brought; nil if it did not begin with the first page, so that nobody knows what it lacks.
  private var brought: BroughtRecords? = BroughtRecords()
  /// What has come into the store since its first page was asked for; nil where nobody asks for orphans.
  private(set) var newRecords: NewRecords?

  /// It is going to be sent. Rule: `orphans.scope`.
  mutating func begin(_ newRecords: @autoclosure () -> NewRecords) {
    if self.newRecords == nil { self.newRecords = newRecords() }
  }

  /// - Throws: `page-loop` if the page has been visited. Rule: `request.page.loop`.
  func check(_ page: PreparedRequest) throws(RequestFailure) {
    guard visited.contains(page.page) else { return }
    throw RequestFailure(
      Diagnostic(
        .pageLoop, entity: page.schema.entities[page.entity].name, response: page.serverRequest.urn,
        message: "the next page is one that has been visited already"))
  }

  /// What orphans are to be looked for in, on a page that comes next in the run. Rule: `orphans.pages`.
  ///
  /// - Parameter isPaged: whether the pages behind it can be asked for.
  func orphanPage(_ page: PageManager, isPaged: Bool) -> OrphanPage {
    OrphanPage(
      isLast: page.isLastPage ?? (page.nextPage == nil), goesOn: isPaged && page.nextPage != nil,
      isBeginning: visited.isEmpty, earlier: isBegunElsewhere(page) ? nil : brought)
  }

  /// The page has come.
  mutating func visit<Element>(_ request: PreparedRequest, _ page: RequestResult<Element>) {
    brought = page.pageManager.map(isBegunElsewhere) ?? false ? nil : brought.flatMap { page.brought ?? $0 }
    newRecords = request.run.newRecords
    visited.insert(request.page)
  }

  private func isBegunElsewhere(_ page: PageManager) -> Bool {
    visited.isEmpty && !(page.isFirstPage ?? (page.previousPage == nil))
  }
}

extension PreparedRequest {
  /// What tells the page from others.
  fileprivate var page: ServerRequest {
    var page = serverRequest.normalised
    page.urn = server.address(of: page)
    return page
  }
}
