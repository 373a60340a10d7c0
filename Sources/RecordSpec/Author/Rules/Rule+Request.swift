extension Rule {
  static let request = [
    Rule(
      "request.server",
      """
      A request uses the server that is registered for its record type or entity, or for the nearest ancestor of
      these. A registration can be removed. Without a server, the request fails with `undefined-server` before
      anything is sent.
      """),
    Rule(
      "request.options-once",
      """
      The options of a request apply only to that request, even while others are in flight. The next request
      starts again from the defaults of its record type.
      """),
    Rule(
      "request.options-batch",
      """
      The options of a batch apply to each of its requests that does not have its own options, including requests
      for further pages. They do not apply to later requests.
      """),
    Rule(
      "request.defaults", .differs("Some of the defaults are ignored."),
      """
      A request without options uses the defaults set for its entity. If there are none, it uses the defaults of
      its record type, or else those of the nearest ancestor. Every option can have a default: key paths, merging,
      paging, headers and all others. The headers, timeout and domain of the request itself take precedence over
      the defaults.
      """),
    Rule(
      "request.body", .differs("A request has one set of flat parameters, and no body of its own."),
      """
      A request has a query and a body. The query is part of the address. The body is a JSON value of any shape, a
      form or bytes. Requests with different bodies are different requests. The cache neither answers a request with
      a body nor stores its response.
      """),
    Rule(
      "request.batch",
      """
      All requests of a batch run, even if some fail. The batch ends once, after the results and failures of all
      its requests, including those for further pages and fetch-first requests.
      """),
    Rule(
      "request.detail",
      .differs(
        "It returns the first record of the response, whichever it is, and does not report a missing address."
      ),
      """
      A detail request updates a record from its detail address and returns the same record. Without an address,
      it fails with `undefined-detail-urn` before anything is sent. If it saves its response but the record itself
      is unsaved, it fails with `unsaved-record`. A first item without a key counts as the requested record, and
      so does one whose key or parent's key cannot be converted, which the engine reports as `value-type`. If an
      item is of another record, or has a part of another key, the request fails with `record-mismatch`.
      """),
    Rule(
      "request.detail.change", .new,
      """
      A detail request can have any method, its own address and a body. Unless the method is safe, as `GET` is,
      the first item of the response is the given record, whatever its key. The record then receives the item's
      key, or those parts of it that the item has, and items with the old key are also this record. The request
      fails with `record-mismatch` if another record has the new key, or if the key is a parent and the item is in
      another parent.
      """),
    Rule(
      "request.page", .differs("It does not report a missing page manager."),
      """
      A page manager holds what the server says about the pages: the next address and parameters, the number of
      results, the page size and the page number. If an address in the response is relative, it is resolved
      against the address of the response, after redirects. The request for the next page has the same options. If
      a page fails, it can be requested again. If neither the server nor the request defines paging, the request
      fails with `undefined-page-manager`.
      """),
    Rule(
      "request.page.body", .new,
      """
      The request for the next page has the same body. A cursor, an offset or a page number replaces its parameter
      in the query, the address, the form or the JSON object of the request. If the request lacks the parameter,
      it is added to the form or JSON object in the body, or otherwise to the query. In a JSON object, dots in the
      parameter's name separate the keys of nested objects. If a cursor is a list or an object, a JSON object
      contains it unchanged, while in a query each member of an object becomes a parameter.
      """),
    Rule(
      "request.page.option",
      """
      The paging in a request's options replaces the server's paging for all pages of the run.
      """),
    Rule(
      "request.page.loop", .new,
      """
      If the next page has already been visited, it is not requested, and the run ends with `page-loop`. Pages
      whose parameters are only spelled differently count as the same page. If pages are computed from an offset
      or a number, the run also ends after a page whose records were all on earlier pages. A page without any
      records does not end the run.
      """),
    Rule(
      "request.page.limit", .new,
      """
      A run has at most `maxPages` pages, 10,000 by default. If there is another page, it is not requested, and
      the run ends with `page-limit`.
      """),
    Rule(
      "request.fetch-first",
      """
      The matching stored records are delivered before the request is sent, and the records of the response when
      it arrives. If the request fails, the stored records remain valid.
      """),
    Rule(
      "request.cancel",
      """
      A request that is canceled by its domain or task fails with `cancelled` and saves nothing. If it is waiting
      for its server, another request or the previous page, it ends at once. While its response is being
      populated, it can still be canceled until the save takes effect. Canceling a request that has been saved or
      has ended has no effect.
      """),
    Rule(
      "request.session-timeout",
      """
      If a server reports a session timeout, the registered handler decides whether the same request is sent once
      more. Without a handler, or after a second timeout, the request fails with `SessionTimeout`. The handler
      runs for one request at a time; its result also applies to requests that time out meanwhile.
      """),
    Rule(
      "request.failure",
      """
      An error that a server throws reaches the caller unchanged, and nothing is saved. An HTTP status of 300 or
      more fails the request with `http-status`, whatever the body. This includes 304, because it carries no
      records, unless it answers a condition that the cache has added. A 206 fails unless the request has a
      `Range` header.
      """),
    Rule(
      "request.once", .differs("In several cases a request never ends."),
      "A request ends exactly once, with a result or with a failure, whatever goes wrong."),
    Rule(
      "request.callback", provenBy: "CallbackTests",
      """
      Results and failures arrive in the caller's isolation, or on the queue that the caller specifies. The
      default is the main actor.
      """),
    Rule(
      "request.changes", .new,
      """
      A result lists the inserted, deleted, unchanged and updated records, with the old and the new value of each
      updated property. It also returns the inserted and updated records. A changed relationship counts only for
      the record whose item contains it, and not for the record at the other end. A deletion counts as an update
      of the relationships to the deleted record only if the item contains them. If the same response arrives
      again, no row is written if its items have keys or parents.
      """),
    Rule(
      "request.dry-run", .new,
      """
      A dry run reports what the request would change, and returns the records as the context would then show
      them. It writes nothing, leaves the context unchanged, and fails if the request would fail. If the request
      would leave its changes unsaved, those that violate the model are reported as diagnostics, because they
      would fail the later save.
      """),
    Rule(
      "request.fail-when", .new,
      """
      Some servers report an error in a response with status 200. If the response is an object that matches the
      predicate `failWhen` of the request's options, the request fails with `stated-error`. Nothing of the
      response is saved or cached.
      """),
  ]
}
