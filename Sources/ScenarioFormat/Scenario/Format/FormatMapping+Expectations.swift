import JSONTree
import RecordModel

/// The expectations of steps and scenarios.
extension FormatMapping {
  package static let expectation = FormatMapping(
    "expectation", of: "an expectation",
    [
      .optional(
        "graph",
        .entries(
          .either([.none, .list(.properties, isEmptyAllowed: false), .mapping(.expectedEntity)]), of: .any),
        "The records that exist, unsaved changes included."),
      .optional(
        "records", .expectedList(.member, .recordList),
        "The records that the request or fetch returns, in order."),
      .optional(
        "stored", .expectedList(.member, .recordList),
        "The stored records that a `fetchFirst` step returns, in order."),
      .optional(
        "failure", .either([.known(.failure), .mapping(.failure)]), default: "success",
        "The failure of the step."),
      .optional(
        "diagnostics", .either([.none, .list(.either([.known(.diagnostic), .mapping(.diagnostic)]))]),
        "The diagnostics, which the engine reports for problems in responses."),
      .optional("inserted", .expectedList(.label, .labelList), "The inserted records."),
      .optional(
        "updated",
        .either([
          .labels,
          .entries(
            .either([
              .strings, .entries(.either([.mapping(.valueChange), .mapping(.memberChange)]), of: .any),
            ]), of: .any),
        ]), "The updated records, and their changed properties."),
      .optional("deleted", .expectedList(.label, .labelList), "The deleted records."),
      .optional(
        "unchanged", .expectedList(.label, .labelList),
        "The records in the response that were already stored and did not change."),
      .optional(
        "drift", .either([.none, .entries(.either([.none, .mapping(.drift)]), of: .any)]),
        "The differences between response and model."),
      .optional(
        "requests", .either([.none, .list(.expectedRequest), .mapping(.requestList)]),
        "The requests that servers received."),
      .optional("more", .boolean, "`true` if there is a next page."),
      .optional("total", .count, "The number of results on all pages."),
      .optional("perPage", .count, "The number of results on a page."),
      .optional("pageIndex", .count, "The index of the page."),
      .optional("customResponse", .json, "The value at the option `customResponse`; null for no value."),
      .optional("metaData", .json, "The value at the option `keyPathForMetaData`; null for no value."),
      .optional(
        "served", .either([.choice(ServedFrom.self), .list(.choice(ServedFrom.self))]),
        """
        The source of the response. For several pages, a list with a source for each page, or one \
        source for all pages.
        """),
    ])

  static let expectedEntity = FormatMapping(
    "expectedEntity", of: "what is expected of an entity",
    [
      .optional("count", .count, "The number of records."),
      .optional(
        "absent", .labels,
        "Records that must not exist. A label also stands for a record of a sub-entity with the same key."),
      .optional("records", .list(.properties), "Records that must exist, possibly among others."),
      .optional("only", .list(.properties), "All records that must exist."),
    ], conditions: [.atMostOne(["records", "only"])])

  static let expectedMembers = FormatMapping(
    "expectedMembers", of: "what is expected of a to-many",
    [
      .optional("contains", .list(.member), "Some of the members."),
      .optional("count", .count, "The number of members."),
    ], conditions: [.atLeastOne(["contains", "count"])])

  static let recordList = FormatMapping(
    "recordList", of: "a list of records",
    [
      .optional("anyOrder", .list(.member), "Exactly these records, in any order."),
      .optional("contains", .list(.member), "Some of the records."),
      .optional("count", .count, "The number of records."),
    ], conditions: [.atLeastOne(["anyOrder", "contains", "count"])])

  static let requestList = FormatMapping(
    "requestList", of: "a list of requests",
    [
      .optional("anyOrder", .list(.expectedRequest), "Exactly these requests, in any order."),
      .optional("contains", .list(.expectedRequest), "Some of the requests."),
      .optional("count", .count, "The number of requests."),
    ], conditions: [.atLeastOne(["anyOrder", "contains", "count"])])

  static let expectedRequest = FormatMapping(
    "expectedRequest", of: "an expected request",
    [
      .required("address", .string(.address), "The address."),
      .optional(
        "headers", .entries(.optional(.text), of: .header),
        """
        The headers that must have been sent; null for a header that must not. Names are \
        case-insensitive. Other headers are not checked.
        """),
      .optional("json", .json, default: "no body", "The JSON body that must have been sent."),
      .optional("form", .texts, default: "no body", "The form that must have been sent."),
      .optional(
        "text", .string, default: "no body", "The body that must have been sent, if it is other text."),
      .optional("data", .string, default: "no body", "The body that must have been sent, in Base64."),
    ], conditions: [.atMostOne(requestBodies)])

  package static let failure = FormatMapping(
    "failure", of: "the expected failure",
    [
      .optional(
        "code", .known(.failure), default: "any failure", "The code. `failure: {}` expects any failure."),
      .optional(
        "status", .integer(100...599), "The HTTP status, if it fails the request with `http-status`."),
      .optional(
        "message", .string,
        "A part of the message of the failure, or of a text in the body of the response that failed the request."
      ),
    ])

  package static let diagnostic = FormatMapping(
    "diagnostic", of: "an expected diagnostic",
    [
      .required("code", .known(.diagnostic), "The code."), .optional("entity", .string, "The entity."),
      .optional("property", .string, "The property."),
      .optional("pointer", .string(.pointer), "The position in the response."),
      .optional(
        "otherPointer", .string(.pointer),
        "The second position, if the diagnostic reports two positions that disagree."),
      .optional("response", .string(.address), "The address of the response."),
    ])

  static let valueChange = FormatMapping(
    "valueChange", of: "a change of a value",
    [.optional("from", .json, "The former value."), .optional("to", .json, "The new value.")])

  static let memberChange = FormatMapping(
    "memberChange", of: "a change of a to-many",
    [
      .optional("added", .labels, "The new members."),
      .optional("removed", .labels, "The former members that are no longer members."),
    ])

  package static let drift = FormatMapping(
    "drift", of: "the expected drift of an entity",
    [
      .optional("items", .count, "The number of items."),
      .optional(
        "unused", .either([.list(.path), .entries(.atLeastOne, of: .any)]),
        "The keys that no property reads, as key paths."),
      .optional("missing", .strings, "The properties that no item contains."),
      .optional(
        "types",
        .entries(
          .either([.list(.word(driftKinds)), .entries(.atLeastOne, of: .words(driftKinds))]), of: .any),
        """
        The properties whose values have an unexpected kind or several kinds, each with the kinds of \
        its values.
        """),
    ])
}
