import RecordModel

/// The pages that a run has visited, and the records in them. The requests carry only ``PageRunState``.
final class PageRun {
  /// The state that the request for the next page carries.
  private(set) var state = PageRunState()
  /// The visited pages in normal form, so that addresses compare as the server compares them.
  private var visited: Set<ServerRequest> = []
  private var records: Set<Identity> = []
  /// A Boolean value that indicates whether the last page brought nothing new, although another one would follow.
  private var isStuck = false

  /// The identity of a record in all pages. After a dry run, and after the caller has rolled back, the same item becomes
  /// another unsaved record.
  private enum Identity: Hashable {
    case saved(RecordID)
    case unsaved(TreeIndex, RecordKey)
  }

  /// Checks that a page can be requested.
  ///
  /// - Throws: `page-loop` or `page-limit` if it cannot. Rules: `request.page.loop`, `request.page.limit`.
  func check(_ page: PreparedRequest) throws(RequestFailure) {
    let limit = page.options.maxPages
    let (code, message): (DiagnosticCode, String)
    if visited.contains(page.page) {
      (code, message) = (.pageLoop, "the next page has already been visited")
    } else if isStuck {
      (code, message) = (.pageLoop, "every record of the last page was in an earlier page of the run")
    } else if visited.count >= limit {
      (code, message) = (.pageLimit, "the run has \(visited.count) pages, and 'maxPages' is \(limit)")
    } else {
      return
    }
    throw RequestFailure(
      Diagnostic(
        code, entity: page.schema.entities[page.entity].name, response: page.serverRequest.urn,
        message: message))
  }

  /// Adds a page that has been delivered.
  func visit<Element>(_ request: PreparedRequest, _ page: RequestResult<Element>) {
    state.visit(request.run, page)
    visited.insert(request.page)
    guard page.pageManager?.isNextPageComputed == true else { return }
    // The rows of saved records need not be read for this.
    let isSaved = request.options.automaticallyPersistsRecords && !request.options.isDryRun
    // A page whose items became no records may be followed by one with records.
    var bringsNothingNew = !page.recordIDs.isEmpty
    var brought: [Identity] = []
    for id in page.recordIDs {
      let identity = isSaved ? Identity.saved(id) : Self.unsaved(id, page.context)
      if let identity, records.contains(identity) { continue }
      bringsNothingNew = false
      if let identity { brought.append(identity) }
    }
    records.formUnion(brought)
    isStuck = bringsNothingNew
  }

  /// Returns the identity of an unsaved record; nil without a key, because each page then creates another record.
  private static func unsaved(_ id: RecordID, _ context: ManagedObjectContext) -> Identity? {
    guard let key = context.row(id)?.key(in: context.schema) else { return nil }
    return .unsaved(id.tree, key)
  }
}

extension PreparedRequest {
  /// The request in the form that distinguishes its page from others.
  fileprivate var page: ServerRequest {
    var page = serverRequest.normalized
    page.urn = server.address(of: page)
    return page
  }
}
