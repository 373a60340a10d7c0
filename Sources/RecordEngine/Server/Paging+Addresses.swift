public import RecordModel

extension Paging {
  /// A server that says the address of the next page in its answers.
  ///
  /// ```json
  /// {"items": [], "total": 431, "links": {"next": "/items?page=3", "previous": "/items?page=1"}}
  /// ```
  ///
  /// An address may be absolute, or relative to that of the answer, behind redirects. It says all parameters: those of the
  /// request's data are sent no more, unless they are its body. Without an address, with an empty one, or with anything but
  /// text there, there is no such page.
  ///
  /// - Parameters:
  ///   - next: where the address of the next page stands.
  ///   - previous: where that of the page before stands.
  ///   - total: where it stands how many results there are on all pages.
  public static func address(
    at next: MappingPath, previous: MappingPath? = nil, total: MappingPath? = nil
  ) -> Paging {
    Paging { page in
      func request(at path: MappingPath?) -> ServerRequest? {
        path.flatMap { page.address(at: $0) }.map(page.following)
      }
      return PageManager(
        nextPage: request(at: next), previousPage: request(at: previous),
        totalResultsCount: total.flatMap { page.count(at: $0).value },
        isFirstPage: previous.map(page.isBlank), isLastPage: page.isBlank(next))
    }
  }

  /// A server that says the addresses of the pages around in a `Link` header, as RFC 8288 has it and GitHub does.
  ///
  /// ```
  /// Link: <https://api.test/items?page=3>; rel="next", <https://api.test/items?page=1>; rel="prev"
  /// ```
  ///
  /// The addresses mean what those of ``address(at:previous:total:)`` do. The page before is `prev` or `previous`.
  ///
  /// - Parameter totalHeader: the header that says how many results there are on all pages, such as `X-Total-Count`.
  public static func linkHeader(totalHeader: String? = nil) -> Paging {
    Paging { page in
      let links = LinkHeader(page.header("Link") ?? "")
      let total = totalHeader.flatMap(page.header).flatMap(Int.init)
      return PageManager(
        nextPage: links.target("next").map(page.following),
        previousPage: (links.target("prev") ?? links.target("previous")).map(page.following),
        totalResultsCount: total.flatMap { $0 < 0 ? nil : $0 })
    }
  }

  /// A server whose answers have a cursor, which is sent as a parameter of the request for the next page.
  ///
  /// ```json
  /// {"items": [], "meta": {"next_cursor": "b2Zmc2V0", "has_more": true}}
  /// ```
  ///
  /// A cursor is a text that is not empty, or an integer; with anything else there is no next page.
  ///
  /// - Parameters:
  ///   - path: where the cursor stands.
  ///   - parameter: the name under which it is sent.
  ///   - hasMore: where it stands whether there is a next page. If something stands there, only `true` says so.
  ///   - total: where it stands how many results there are on all pages.
  public static func cursor(
    at path: MappingPath, parameter: String = "cursor", hasMore: MappingPath? = nil, total: MappingPath? = nil
  ) -> Paging {
    Paging { page in
      let said = hasMore.flatMap { page.boolean(at: $0) }
      let hasMore = hasMore.map { said ?? page.isAbsent($0) } ?? true
      let cursor = hasMore ? page.text(at: path) : nil
      // Who says that there is more, or says a cursor that is none, has not said that this is all.
      let isLast = cursor == nil && (said.map { !$0 } ?? page.isBlank(path))
      return PageManager(
        nextPage: cursor.map { page.request.setting(parameter, to: $0) },
        totalResultsCount: total.flatMap { page.count(at: $0).value },
        isFirstPage: page.request.parameter(parameter) == nil, isLastPage: isLast)
    }
  }
}
