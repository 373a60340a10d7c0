/// The state of a run of pages. A request that is not paged is a run of one page.
struct PageRunState: Sendable {
  /// A Boolean value that indicates whether no page has been delivered.
  private(set) var isBeginning = true
  /// The records of its pages; nil if the run did not begin with the first page, because it is then unknown which
  /// records are missing.
  private var mentioned: MentionedRecords? = MentionedRecords()
  /// The lists that its pages replace. Rule: `relationships.replace`.
  private(set) var replacedLists = ReplacedLists()
  /// The records saved since the first page was requested; nil if the run deletes no orphans.
  private(set) var newRecords: NewRecords?

  /// A Boolean value that indicates whether new records are collected.
  var collectsNewRecords: Bool { newRecords != nil }

  /// Begins to collect the records that are saved after the first request. Rule: `orphans.scope`.
  mutating func collect(_ newRecords: NewRecords) { self.newRecords = newRecords }

  /// Replaces records by those that they have become.
  mutating func replaceRecords(_ current: (RecordID) -> RecordID) {
    if let records = mentioned?.records { mentioned?.records = Set(records.map(current)) }
    replacedLists.replaceRecords(current)
  }

  /// Returns the description of the next page for the deletion of orphans. Rule: `orphans.pages`.
  ///
  /// - Parameter isPaged: a Boolean value that indicates whether the pages after it can be requested.
  func orphanPage(_ page: PageManager, isPaged: Bool) -> OrphanPage {
    OrphanPage(
      isLast: page.isLastPage ?? (page.nextPage == nil), canContinue: isPaged && page.nextPage != nil,
      isBeginning: isBeginning, earlier: isBegunElsewhere(page) ? nil : mentioned)
  }

  /// Adds a page that has been delivered.
  ///
  /// - Parameter sent: the state that its request carried.
  mutating func visit<Element>(_ sent: PageRunState, _ page: RequestResult<Element>) {
    mentioned =
      page.pageManager.map(isBegunElsewhere) == true ? nil : mentioned.flatMap { page.mentioned ?? $0 }
    if let lists = page.replacedLists {
      replacedLists = lists
    } else {
      replacedLists.insertUnreadPage()
    }
    newRecords = sent.newRecords
    isBeginning = false
  }

  private func isBegunElsewhere(_ page: PageManager) -> Bool {
    isBeginning && !(page.isFirstPage ?? (page.previousPage == nil))
  }
}
