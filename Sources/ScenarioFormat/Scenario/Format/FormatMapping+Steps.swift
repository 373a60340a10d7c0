import JSONTree
import RecordModel

/// The steps of a scenario.
extension FormatMapping {
  /// The steps, in the order of the documentation. The first key of each is its action.
  package static let steps = StepKind.allCases.map(step)

  /// The action of a step, which is its first key.
  package var action: String { keyNames.first ?? "" }

  /// The steps that a batch may contain.
  static let batchSteps = [
    step(.request).named("batchRequest", of: "a request of a batch", without: ["as"]),
    step(.page).named("batchPage", of: "a page of a batch", without: ["run"]),
    step(.fetchFirst).named("batchFetchFirst", of: "a fetchFirst of a batch"),
  ]

  /// Returns the mapping of a kind of steps.
  static func step(_ kind: StepKind) -> FormatMapping {
    switch kind {
    case .request:
      let name = FormatKey.optional(
        "as", .string, "A name for the request. The step only sends it; a later `await` step completes it.")
      return step(
        kind, .string, "The entity of the items.",
        details: requestKeys(
          urn: "The address, with or without a query. It is relative to `baseURL`, or a complete URL.") + [
            name
          ],
        expect: .expectationOfResponse, conditions: [.atMostOne(sentBodies)])
    case .page:
      let run = FormatKey.optional(
        "run", .string, default: "no name",
        "The name of the run, which a `nextPage` step uses. Names allow several runs at the same time.")
      return step(
        kind, .string, "The entity of the items.",
        details: requestKeys(
          urn: "The address of the first page.", options: options("The options of all pages."))
          + [run, upTo], expect: .expectationOfResponse, conditions: [.atMostOne(sentBodies)])
    case .nextPage:
      return step(
        kind, .either([.yes, .string, .null]),
        "The run to continue. Without a name, the run that a `page` step without `run` began.",
        details: [upTo], expect: .expectationOfResponse)
    case .detail:
      return step(
        kind, .label, "The record to update.",
        details: [
          method,
          .optional(
            "urn", .string(.urn), default: "the record's `detailURN`",
            "The address, such as that of the list to which a `POST` adds the record."),
          query, json, form, options(),
        ], expect: .expectationOfResponse, conditions: [.atMostOne(sentBodies)])
    case .fetchFirst:
      return step(
        kind, .string, "The entity of the stored records and of the items.",
        details: fetchKeys + requestKeys(urn: "The address of the request."), expect: .expectation,
        expectMeaning:
          "The expectations after the step. `stored` lists the stored records, `records` those of the response.",
        conditions: [.atMostOne(sentBodies)])
    case .batch:
      return step(
        kind, .list(.chosen(batchSteps), isEmptyAllowed: false),
        "`request`, `page` and `fetchFirst` steps, without `as` and `run`. Each can have its own `expect`.",
        details: [options("The options of all requests. Options of a single request take precedence.")],
        expectMeaning: "The expectations after all requests.")
    case .await: return step(kind, .string, "The request to complete.", expect: .expectationOfResponse)
    case .cancel:
      let optional = FormatKey.optional(
        "optional", .boolean, default: "`false`",
        "If `false`, the scenario fails if no request of the domain is in flight.")
      return step(kind, .string, "The domain whose requests are canceled.", details: [optional])
    case .fetch:
      return step(
        kind, .string, "The entity. Records of its sub-entities are included.", details: fetchKeys,
        expect: .expectationOfFetch)
    case .change: return step(kind, .mapping(.changes), "The changes.")
    case .save: return step(kind, .either([.null, .yes]), "Saves.")
    case .rollback: return step(kind, .either([.null, .yes]), "Discards the unsaved changes.")
    case .reopen: return step(kind, .either([.null, .yes]), "Reopens the store.")
    case .tweak:
      return step(
        kind, .either([.string(.anything), .entries(.mapping(.entityTweak), of: .any)]),
        "The content of the file. `none` removes the file.")
    case .serialize:
      return step(
        kind, .entries(.string, of: .any), "The entity for each fragment.",
        details: [
          .required("url", .string, "The URL of the response."), .optional("body", .json, "The body."),
          .optional("bodyText", .string(.anything), "The body as text."),
          options("The options, as for a request."),
        ], expect: .expectationOfAnyResponse,
        expectMeaning: "The expectations after the step. `records` is a list of labels.",
        conditions: [.exactlyOne(["body", "bodyText"])])
    case .advance:
      return step(
        kind, .string(.changeOfTime), "The time that passes. A negative duration sets the clock back.")
    case .clearCache: return step(kind, .either([.null, .yes]), "Removes all cached responses.")
    case .call:
      return step(
        kind, .string, "The action, as the adapter of the app names it.",
        details: [.optional("with", .json, default: "no arguments", "The arguments of the action.")],
        expect: .expectationOfCall)
    }
  }
}

extension FormatMapping {
  /// Returns the mapping of a step: its action, the details, and `expect`.
  private static func step(
    _ kind: StepKind, _ value: FormatValue, _ meaning: String, details: [FormatKey] = [],
    expect: FormatMapping = .expectationWithoutResult,
    expectMeaning: String = "The expectations after the step.", conditions: [Condition] = []
  ) -> FormatMapping {
    FormatMapping(
      "\(kind)Step", of: "\(kind == .await || kind == .advance ? "an" : "a") \(kind) step",
      [.optional(kind.rawValue, value, meaning)] + details
        + [.optional("expect", .mapping(expect), expectMeaning)], conditions: conditions)
  }

  private static let method = FormatKey.optional(
    "method", .string(.method), default: "`GET`", "The method, in upper case.")
  private static let query = FormatKey.optional(
    "query", .texts,
    "The parameters that are added to the address. Their values are strings, numbers or Booleans.")
  private static let json = FormatKey.optional(
    "json", .json, default: "no body", "The body as JSON. A `GET` or `HEAD` request has no body.")
  private static let form = FormatKey.optional(
    "form", .texts, default: "no body", "The body as the fields of a form, in place of `json`.")
  private static let upTo = FormatKey.optional(
    "upTo", .pageCount, default: "`1`", "The number of pages to request in this step.")

  private static func options(_ meaning: String = "The options of this request.") -> FormatKey {
    .optional("options", .mapping(.options), meaning)
  }

  private static func requestKeys(urn: String, options: FormatKey = options()) -> [FormatKey] {
    [.required("urn", .string(.urn), urn), method, query, json, form, options]
  }

  private static let fetchKeys: [FormatKey] = [
    .optional("where", .predicate, default: "all records", "The predicate."),
    .optional(
      "sort", .sort, default: "oldest first",
      "The order. `author.name` sorts by an attribute of a to-one, and `-pages` in descending order."),
    .optional("offset", .count, default: "`0`", "The number of records to skip."),
    .optional("limit", .atLeastOne, default: "no limit", "The maximum number of records."),
  ]

  package static let changes = FormatMapping(
    "changes", of: "a change",
    [
      .optional("update", .entries(.properties, of: .any), "The new values of properties."),
      .optional("insert", .seeds, "New records, written as in `store`."),
      .optional("delete", .labels, "Records to delete. Their delete rules apply."),
    ], conditions: [.atLeastOne(["update", "insert", "delete"])])
}
