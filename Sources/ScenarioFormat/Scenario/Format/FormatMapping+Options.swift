import JSONTree
import RecordModel

/// The options of requests, and the ways of paging.
extension FormatMapping {
  package static let options = FormatMapping(
    "options", of: "the options of a request", later: ["dateFormat", "provenance"],
    [
      .optional(
        "responseKeyPath", .responsePath, default: "the entity's",
        """
        The position of the items. With `[]`, the response object is the item, as in the response of a \
        detail address.
        """),
      .optional(
        "merge", .choice(MergeStrategy.self), default: "the entity's",
        "The way in which several full items of one record in a response are merged."),
      .optional(
        "mergeHook", .choice(DeclaredMerge.self),
        """
        The way in which two full items of one record are merged. The words mean the same as for `merge` in \
        `customize`. It takes precedence over `merge` and marshalers.
        """),
      .optional(
        "inject",
        .entries(
          .either([.mapping(.keySource), .entries(.mapping(.keySource), of: .any)]), of: .any),
        """
        The source of the primary key for items without one. If the key has several parts, give a source for each \
        part that the items lack.
        """
      ),
      .optional(
        "prepopulate", .entries(.entries(.mapping(.keySource), of: .any), of: .any),
        "The keys to set in an item before its attributes are read, each with a source."),
      .optional(
        "failWhen", .predicate,
        """
        A predicate for the response object: a response that matches fails the request with `stated-error`, whatever \
        its status.
        """),
      .optional(
        "failOn", .list(.known(.diagnosticText)),
        "The diagnostics that fail the request before anything is saved."),
      .optional(
        "ignore", .list(.known(.diagnosticText)),
        "The diagnostics that are not reported. A code that always fails a request is not allowed."),
      .optional(
        "automaticallyPersistsRecords", .boolean, default: "`true`",
        "If `false`, the changes are not saved, but left in the context for a later `save` or `rollback`."),
      .optional("headers", .headers, "The headers of the request."),
      .optional(
        "timeout", .duration,
        "The time after which the request fails with `timeout`, on the scenario's clock."),
      .optional("hooks", .strings, "Swift hooks that a test target registers."),
      .optional(
        "dryRun", .boolean, default: "`false`",
        "If `true`, the step only reports the changes that it would make."),
      .optional(
        "drift", .boolean, default: "`false`",
        "If `true`, differences between response and model are reported."),
      .optional(
        "domain", .string,
        "The name of the group to which the request belongs. A `cancel` step cancels a group."),
      .optional("paging", .paging, default: "the server's", "The way of paging."),
      .optional(
        "maxPages", .atLeastOne, default: "`10000`",
        "The maximum number of pages of a run. A further page fails with `page-limit`."),
      .optional(
        "customResponse", .responsePath,
        """
        The part of the response that is returned in addition to the records. Expect it with \
        `customResponse`.
        """),
      .optional(
        "keyPathForMetaData", .responsePath,
        "The position of metadata in the response, such as a total. Expect it with `metaData`."),
      .optional(
        "orphans", .either([.word(["delete", "keep"]), .mapping(.orphans)]), default: "`keep`",
        "The treatment of stored records that the response does not contain."),
      .optional("cache", .boolean, default: "the entity's", "If `true`, the request uses the record cache."),
    ])

  static let keySource = FormatMapping(
    "keySource", of: "the source of a key",
    [
      .optional("path", .path, "The value at this path in the item."),
      .optional("parentKey", .yes, "The key of the record in which the item is nested."),
      .optional("value", .json, "This value."),
    ], conditions: [.exactlyOne(["path", "parentKey", "value"])])

  package static let orphans = FormatMapping(
    "orphans", of: "the deletion of orphans",
    [
      .optional(
        "scope", .either([.predicate, .mapping(.responseScope)]), default: "all records of the entity",
        "The stored records that the response should contain. Records outside the scope are kept."),
      .optional("keep", .predicate, "The orphans that are kept."),
      .optional(
        "limit", .either([.count, .string(.percentage)]), default: "no limit",
        """
        The maximum number of deletions, or their maximum percentage of the stored records in the \
        scope. If there would be more, nothing is deleted. Orphans that a delete rule or a required relationship \
        protects count, too.
        """),
      .optional(
        "stopAfter", .atLeastOne, default: "no limit",
        "The number of orphans to examine, in the order of their keys. Further orphans are kept."),
    ], conditions: [.atLeastOne(["scope", "keep", "limit", "stopAfter"])])

  static let responseScope = FormatMapping(
    "responseScope", of: "a scope of the response",
    [
      .required("where", .predicate, "The predicate, in which each `%@` is a placeholder for a value."),
      .required("values", .list(.path), "The positions of these values in the response, in order."),
    ])

  static let pagingRule = FormatMapping(
    "paging", of: "the paging",
    [
      .optional("address", .mapping(.addressPaging), "The body contains the address of the next page."),
      .optional(
        "linkHeader", .mapping(.linkHeaderPaging), "The `Link` header contains the address of the next page."),
      .optional(
        "cursor", .mapping(.cursorPaging),
        "The body contains a cursor, which is a parameter of the next request."),
      .optional("offset", .mapping(.offsetPaging), "A parameter contains the number of results to skip."),
      .optional("pageNumber", .mapping(.pageNumberPaging), "A parameter contains the number of the page."),
    ], conditions: [.exactlyOne(["address", "linkHeader", "cursor", "offset", "pageNumber"])])

  static let addressPaging = FormatMapping(
    "addressPaging", of: "'address'",
    [
      .required("at", .path, "The address of the next page."),
      .optional("previous", .path, "The address of the previous page."),
      .optional("total", .path, "The number of results on all pages."),
    ])

  static let linkHeaderPaging = FormatMapping(
    "linkHeaderPaging", of: "'linkHeader'",
    [.optional("totalHeader", .string, "The number of results on all pages.")])

  static let cursorPaging = FormatMapping(
    "cursorPaging", of: "'cursor'",
    [
      .required("at", .path, "The cursor; `items[-1].id` is the key of the last item."),
      .optional(
        "parameter", .string, default: "`cursor`",
        "The parameter that carries the cursor; in a JSON body, dots lead to nested objects: `variables.after`."
      ),
      .optional("hasMore", .path, "A Boolean: `true` if there is a next page."),
      .optional("total", .path, "The number of results on all pages."),
    ])

  static let offsetPaging = FormatMapping(
    "offsetPaging", of: "'offset'",
    [
      .optional("parameter", .string, default: "`offset`", "The parameter that carries the offset."),
      .optional("sizeParameter", .string, default: "`limit`", "The parameter that carries the page size."),
      .optional(
        "pageSize", .atLeastOne, default: "unknown", "The page size if the request does not name one."),
      .optional("total", .path, "The number of results on all pages."),
    ])

  static let pageNumberPaging = FormatMapping(
    "pageNumberPaging", of: "'pageNumber'",
    [
      .optional("parameter", .string, default: "`page`", "The parameter that carries the number."),
      .optional("firstPage", .count, default: "`1`", "The number of the first page."),
      .optional("sizeParameter", .string, default: "`per_page`", "The parameter that carries the page size."),
      .optional(
        "pageSize", .atLeastOne, default: "unknown", "The page size if the request does not name one."),
      .optional("pageCount", .path, "The number of pages."),
      .optional("total", .path, "The number of results on all pages."),
    ])
}
