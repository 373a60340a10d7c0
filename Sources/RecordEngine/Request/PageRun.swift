/// How far a run of pages has come.
struct PageRun: Sendable {
  /// In normal form.
  private var visited: Set<ServerRequest> = []
  /// What its pages have brought; nil if it did not begin with the first page, so that nobody knows what it lacks.
  private var brought: BroughtRecords? = BroughtRecords()

  /// - Throws: `page-loop` if the page has been visited. Rule: `request.page.loop`.
  func check(_ page: PreparedRequest) throws(RequestFailure) {
    guard visited.contains(page.serverRequest.normalised) else { return }
    throw RequestFailure(
      Diagnostic(
        .pageLoop, entity: page.schema.entities[page.entity].name, response: page.serverRequest.urn,
        message: "the next page is one that has been visited already"))
  }

  /// What orphans are to be looked for in, on a page that comes next in the run. Rule: `orphans.pages`.
  func orphanPage(_ page: PageManager) -> OrphanPage {
    OrphanPage(
      isLast: page.isLastPage ?? (page.nextPage == nil), earlier: isBegunElsewhere(page) ? nil : brought)
  }

  /// The page has come.
  mutating func visit<Element>(_ request: ServerRequest, _ page: RequestResult<Element>) {
    brought = page.pageManager.map(isBegunElsewhere) ?? false ? nil : brought.flatMap { page.brought ?? $0 }
    visited.insert(request.normalised)
  }

  private func isBegunElsewhere(_ page: PageManager) -> Bool {
    visited.isEmpty && !(page.isFirstPage ?? (page.previousPage == nil))
  }
}
