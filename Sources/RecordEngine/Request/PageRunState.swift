/// How far a run of pages has come; a request that is not paged is a run of its own.
struct PageRunState: Sendable {
  private var isBeginning = true
  /// What its pages have brought; nil if it did not begin with the first page, so that nobody knows what it lacks.
  private var brought: BroughtRecords? = BroughtRecords()
  /// What has come into the store since its first page was asked for; nil where nobody asks for orphans.
  private(set) var newRecords: NewRecords?

  /// It is going to be sent. Rule: `orphans.scope`.
  mutating func begin(_ newRecords: @autoclosure () -> NewRecords) {
    if self.newRecords == nil { self.newRecords = newRecords() }
  }

  /// What orphans are to be looked for in, on a page that comes next in the run. Rule: `orphans.pages`.
  ///
  /// - Parameter isPaged: whether the pages behind it can be asked for.
  func orphanPage(_ page: PageManager, isPaged: Bool) -> OrphanPage {
    OrphanPage(
      isLast: page.isLastPage ?? (page.nextPage == nil), goesOn: isPaged && page.nextPage != nil,
      isBeginning: isBeginning, earlier: isBegunElsewhere(page) ? nil : brought)
  }

  /// The page has come.
  ///
  /// - Parameter sent: the state that its request was made with.
  mutating func visit<Element>(_ sent: PageRunState, _ page: RequestResult<Element>) {
    brought = page.pageManager.map(isBegunElsewhere) ?? false ? nil : brought.flatMap { page.brought ?? $0 }
    newRecords = sent.newRecords
    isBeginning = false
  }

  private func isBegunElsewhere(_ page: PageManager) -> Bool {
    isBeginning && !(page.isFirstPage ?? (page.previousPage == nil))
  }
}
