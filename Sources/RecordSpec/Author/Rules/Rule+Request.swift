extension Rule {
  static let request = [
    Rule(
      "request.server",
      """
      The server of a record type is the one registered for it or its entity, or for the nearest ancestor, and
      can be taken away again. Without one the request fails with `undefined-server` before anything is sent.
      """),
    Rule(
      "request.options-once",
      """
      The options of one request are those of that request alone, also while others are under way. The next
      one starts from its record type's own again.
      """),
    Rule(
      "request.options-batch",
      """
      The options of a batch are those of every request in it that has none of its own, those of further pages
      included, and of none after it.
      """),
    Rule(
      "request.defaults", .differs("Some of them are ignored."),
      """
      A request without options starts from those of its entity, else of the nearest ancestor, else of its
      record type: key paths, merging, paging, headers and all others. What the request itself says of its headers,
      its timeout and its domain stands above them.
      """),
    Rule(
      "request.batch",
      """
      The requests of a batch all run, whatever becomes of the others. It ends once, behind every result and
      failure, those of further pages and of fetch-first requests in it included.
      """),
    Rule(
      "request.detail", .differs("Whatever record comes first is handed back, and no address is not told."),
      """
      A record is brought up to date from the address that it has for its details, and handed back as the
      same record. Without such an address the request fails with `undefined-detail-urn` before anything is
      sent, and with `unsaved-record` if its records are saved and that one is not. An item that nothing identifies
      is that record; one of another record fails it with `record-mismatch`.
      """),
    Rule(
      "request.page", .differs("A missing page manager is not told."),
      """
      A page manager made from a paged response and its request knows the pages around it, as far as the
      server says: the next address and data, how many results there are, how many to a page, and which page it
      is. An address that it names is relative to where the response has come from, over redirects too. The next page
      has the same options, and one that failed is asked for again. Where nobody says how
      there are pages, the request fails with `undefined-page-manager`.
      """),
    Rule(
      "request.page.option",
      "A way of paging in the options of a request takes the place of the server's, for all pages of that run."
    ),
    Rule(
      "request.page.loop", .new,
      """
      A next page that has been visited already is not asked for and ends the run with `page-loop`, however its
      parameters are written. Where pages come by offset or number, the same ends a run behind a page that brings nothing
      new: it has records, and each of them came with a former page of the run.
      """),
    Rule(
      "request.page.limit", .new,
      """
      A run has no more pages than its options allow with `maxPages`, 10,000 by default. A next page beyond is not asked for
      and ends the run with `page-limit`.
      """),
    Rule(
      "request.fetch-first",
      """
      The records that match in the store are handed over before anything is sent, and those of the response
      when it comes. If the request fails, the first answer stands.
      """),
    Rule(
      "request.cancel",
      """
      A request cancelled by its domain or with its task ends with the failure `cancelled` and saves
      nothing: at once where it waits for its server, for another request or for the page before. While its response
      is populated it is cancelled until the save takes effect; one that is saved or has ended is not cancelled any more.
      """
    ),
    Rule(
      "request.session-timeout",
      """
      When a server says that the session has timed out, the handler registered for that may have the request
      made once more, as it was. Without a handler, or if it times out again, the request fails with that. The
      handler is asked by one request at a time, and what it answers holds for those that time out meanwhile.
      """
    ),
    Rule(
      "request.failure",
      """
      What a server throws reaches the caller as it is, and nothing is saved. An HTTP status of 300 or more
      is the failure `http-status`, whatever its body; 304 too where no question of the cache's is answered, also to
      conditions of the request's own: nothing has come that could be records. So is 206 without a `Range` in the request.
      """),
    Rule(
      "request.once", .differs("In several cases it never ends."),
      "A request ends once, with a result or with a failure, whatever goes wrong."),
    Rule(
      "request.callback", provenBy: "CallbackTests",
      """
      Results and failures arrive where the caller is, or on the queue that it names; by default on the main
      actor.
      """),
    Rule(
      "request.changes", .new,
      """
      A result says which records were inserted, deleted, left as they were, and updated: in which properties,
      from what and to what. What changed on the other side of a relationship does not count. The same
      response again writes no row, if its items have keys or parents.
      """),
    Rule(
      "request.dry-run", .new,
      """
      A dry run reports what the request would change, and shows the records as its context would then show
      them. It writes nothing and leaves the context unchanged. It fails if the request, or a save of its
      response, would fail.
      """),
  ]
}
