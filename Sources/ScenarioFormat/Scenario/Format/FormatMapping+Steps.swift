import JSONTree
import RecordModel

/// The steps of a scenario.
extension FormatMapping {
  static let requestStep = FormatMapping(
    "requestStep", of: "a request step",
    [
      .optional(
        "request", .string,
        "The entity of the items."),
      .required(
        "urn", .string(.urn),
        "The address, with or without a query. It is relative to `baseURL`, or a complete URL."),
      .optional(
        "method", .string(.method), default: "`GET`",
        "The method, in upper case."),
      .optional(
        "query", .texts,
        "The parameters that are added to the address. Their values are strings, numbers or Booleans."),
      .optional(
        "json", .json, default: "no body",
        "The body as JSON. A `GET` or `HEAD` request has no body."),
      .optional(
        "form", .texts, default: "no body",
        "The body as the fields of a form, in place of `json`."),
      .optional(
        "options", .mapping(.options),
        "The options of this request."),
      .optional(
        "as", .string,
        "A name for the request. The step only sends it; a later `await` step completes it."),
      .optional(
        "expect", .mapping(.expectationOfResponse),
        "The expectations after the step."),
    ], conditions: [.atMostOne(requestBodies)])

  static let pageStep = FormatMapping(
    "pageStep", of: "a page step",
    [
      .optional(
        "page", .string,
        "The entity of the items."),
      .required(
        "urn", .string(.urn),
        "The address of the first page."),
      .optional(
        "method", .string(.method), default: "`GET`",
        "The method."),
      .optional(
        "query", .texts,
        "The parameters that are added to the address."),
      .optional(
        "json", .json, default: "no body",
        "The body as JSON."),
      .optional(
        "form", .texts, default: "no body",
        "The body as the fields of a form, in place of `json`."),
      .optional(
        "options", .mapping(.options),
        "The options of all pages."),
      .optional(
        "run", .string, default: "no name",
        "The name of the run, which a `nextPage` step uses. Names allow several runs at the same time."),
      .optional(
        "upTo", .pageCount, default: "`1`",
        "The number of pages to request in this step."),
      .optional(
        "expect", .mapping(.expectationOfResponse),
        "The expectations after the step."),
    ], conditions: [.atMostOne(requestBodies)])

  static let nextPageStep = FormatMapping(
    "nextPageStep", of: "a nextPage step",
    [
      .optional(
        "nextPage", .either([.yes, .string, .null]),
        "The run to continue. Without a name, the run that a `page` step without `run` began."),
      .optional(
        "upTo", .pageCount, default: "`1`",
        "The number of pages to request in this step."),
      .optional(
        "expect", .mapping(.expectationOfResponse),
        "The expectations after the step."),
    ])

  static let detailStep = FormatMapping(
    "detailStep", of: "a detail step",
    [
      .optional(
        "detail", .label,
        "The record to update."),
      .optional(
        "query", .texts,
        "The parameters that are added to the address."),
      .optional(
        "options", .mapping(.options),
        "The options of this request."),
      .optional(
        "expect", .mapping(.expectationOfResponse),
        "The expectations after the step."),
    ])

  static let fetchFirstStep = FormatMapping(
    "fetchFirstStep", of: "a fetchFirst step",
    [
      .optional(
        "fetchFirst", .string,
        "The entity of the stored records and of the items."),
      .optional(
        "where", .predicate, default: "all records",
        "The predicate for the stored records."),
      .optional(
        "sort", .sort, default: "oldest first",
        "The order of the stored records, as in a `fetch` step."),
      .optional(
        "offset", .count, default: "`0`",
        "The number of stored records to skip."),
      .optional(
        "limit", .atLeastOne, default: "no limit",
        "The maximum number of stored records."),
      .required(
        "urn", .string(.urn),
        "The address of the request."),
      .optional(
        "method", .string(.method), default: "`GET`",
        "The method."),
      .optional(
        "query", .texts,
        "The parameters that are added to the address."),
      .optional(
        "json", .json, default: "no body",
        "The body as JSON."),
      .optional(
        "form", .texts, default: "no body",
        "The body as the fields of a form, in place of `json`."),
      .optional(
        "options", .mapping(.options),
        "The options of this request."),
      .optional(
        "expect", .mapping(.expectation),
        """
        The expectations after the step. `stored` lists the stored records, `records` those of the \
        response.
        """),
    ], conditions: [.atMostOne(requestBodies)])

  static let batchStep = FormatMapping(
    "batchStep", of: "a batch step",
    [
      .optional(
        "batch", .list(.chosen(batchSteps), isEmptyAllowed: false),
        "`request`, `page` and `fetchFirst` steps, without `as` and `run`. Each can have its own `expect`."),
      .optional(
        "options", .mapping(.options),
        "The options of all requests. Options of a single request take precedence."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after all requests."),
    ])

  static let awaitStep = FormatMapping(
    "awaitStep", of: "an await step",
    [
      .optional(
        "await", .string,
        "The request to complete."),
      .optional(
        "expect", .mapping(.expectationOfResponse),
        "The expectations after the step."),
    ])

  static let cancelStep = FormatMapping(
    "cancelStep", of: "a cancel step",
    [
      .optional(
        "cancel", .string,
        "The domain whose requests are canceled."),
      .optional(
        "optional", .boolean, default: "`false`",
        "If `false`, the scenario fails if no request of the domain is in flight."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])

  static let fetchStep = FormatMapping(
    "fetchStep", of: "a fetch step",
    [
      .optional(
        "fetch", .string,
        "The entity. Records of its sub-entities are included."),
      .optional(
        "where", .predicate, default: "all records",
        "The predicate."),
      .optional(
        "sort", .sort, default: "oldest first",
        "The order. `author.name` sorts by an attribute of a to-one, and `-pages` in descending order."),
      .optional(
        "offset", .count, default: "`0`",
        "The number of records to skip."),
      .optional(
        "limit", .atLeastOne, default: "no limit",
        "The maximum number of records."),
      .optional(
        "expect", .mapping(.expectationOfFetch),
        "The expectations after the step."),
    ])

  static let changeStep = FormatMapping(
    "changeStep", of: "a change step",
    [
      .optional(
        "change", .mapping(.changes),
        "The changes."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])

  package static let changes = FormatMapping(
    "changes", of: "a change",
    [
      .optional(
        "update", .entries(.properties, of: .any),
        "The new values of properties."),
      .optional(
        "insert", .seeds,
        "New records, written as in `store`."),
      .optional(
        "delete", .labels,
        "Records to delete. Their delete rules apply."),
    ], conditions: [.atLeastOne(["update", "insert", "delete"])])

  static let saveStep = FormatMapping(
    "saveStep", of: "a save step",
    [
      .optional(
        "save", .either([.null, .yes]),
        "Saves."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])

  static let rollbackStep = FormatMapping(
    "rollbackStep", of: "a rollback step",
    [
      .optional(
        "rollback", .either([.null, .yes]),
        "Discards the unsaved changes."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])

  static let reopenStep = FormatMapping(
    "reopenStep", of: "a reopen step",
    [
      .optional(
        "reopen", .either([.null, .yes]),
        "Reopens the store."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])

  static let tweakStep = FormatMapping(
    "tweakStep", of: "a tweak step",
    [
      .optional(
        "tweak", .either([.string(.anything), .entries(.mapping(.entityTweak), of: .any)]),
        "The content of the file. `none` removes the file."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])

  static let serializeStep = FormatMapping(
    "serializeStep", of: "a serialize step",
    [
      .optional(
        "serialize", .entries(.string, of: .any),
        "The entity for each fragment."),
      .required(
        "url", .string,
        "The URL of the response."),
      .optional(
        "body", .json,
        "The body."),
      .optional(
        "bodyText", .string(.anything),
        "The body as text."),
      .optional(
        "options", .mapping(.options),
        "The options, as for a request."),
      .optional(
        "expect", .mapping(.expectationOfAnyResponse),
        "The expectations after the step. `records` is a list of labels."),
    ], conditions: [.exactlyOne(["body", "bodyText"])])

  static let advanceStep = FormatMapping(
    "advanceStep", of: "an advance step",
    [
      .optional(
        "advance", .string(.changeOfTime),
        "The time that passes. A negative duration sets the clock back."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])

  static let clearCacheStep = FormatMapping(
    "clearCacheStep", of: "a clearCache step",
    [
      .optional(
        "clearCache", .either([.null, .yes]),
        "Removes all cached responses."),
      .optional(
        "expect", .mapping(.expectationWithoutResult),
        "The expectations after the step."),
    ])
}
