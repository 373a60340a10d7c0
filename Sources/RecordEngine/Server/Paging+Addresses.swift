public import RecordModel

extension Paging {
  /// Returns the paging of a server whose responses contain the address of the next page.
  ///
  /// ```json
  /// {"items": [], "total": 431, "links": {"next": "/items?page=3", "previous": "/items?page=1"}}
  /// ```
  ///
  /// An address can be absolute, or relative to the address of the response. After redirects, this is the address of the
  /// last request. If an address is missing, empty or not a string, there is no such page.
  ///
  /// The address must contain all parameters of the page, because the request for the page does not repeat the query of
  /// the former request. It repeats the body.
  ///
  /// - Parameters:
  ///   - next: the path of the address of the next page.
  ///   - previous: the path of the address of the previous page.
  ///   - total: the path of the number of results on all pages.
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

  /// Returns the paging of a server whose responses contain the addresses of the adjacent pages in a `Link` header, as
  /// specified by RFC 8288 and used by GitHub.
  ///
  /// ```
  /// Link: <https://api.test/items?page=3>; rel="next", <https://api.test/items?page=1>; rel="prev"
  /// ```
  ///
  /// The addresses have the same meaning as those of ``address(at:previous:total:)``. The relation type of the previous
  /// page is `prev` or `previous`.
  ///
  /// - Parameter totalHeader: the name of the header that contains the number of results on all pages, such as
  ///   `X-Total-Count`.
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

  /// Returns the paging of a server whose responses contain a cursor. The request for the next page sends the cursor as
  /// a parameter.
  ///
  /// ```json
  /// {"items": [], "meta": {"next_cursor": "b2Zmc2V0", "has_more": true}}
  /// ```
  ///
  /// A cursor is an integer, or a string, list or object that is not empty. If the response has another value, there is no next
  /// page. A JSON body contains lists and objects as they are. In an address, each member of an object is a parameter of its own.
  ///
  /// - Parameters:
  ///   - path: the path of the cursor, such as `meta.next_cursor`, or `items[-1].id` for the last item.
  ///   - parameter: the name of the parameter that sends the cursor. In a JSON body, dots separate the keys of nested objects:
  ///     `variables.after`.
  ///   - hasMore: the path of a Boolean value that indicates whether there is a next page. If the value is present and
  ///     not null, there is a next page only if it is `true`.
  ///   - total: the path of the number of results on all pages.
  public static func cursor(
    at path: MappingPath, parameter: String = "cursor", hasMore: MappingPath? = nil, total: MappingPath? = nil
  ) -> Paging {
    Paging { page in
      let statedHasMore = hasMore.flatMap { page.boolean(at: $0) }
      let hasMore = hasMore.map { statedHasMore ?? page.isAbsent($0) } ?? true
      let cursor = hasMore ? page.cursor(at: path) : nil
      // If the response announces more results or contains an invalid cursor, this is not known to be the last page.
      let isLast = cursor == nil && (statedHasMore.map { !$0 } ?? page.hasNoCursor(at: path))
      return PageManager(
        nextPage: cursor.map { page.request.setting(parameter, to: $0) },
        totalResultsCount: total.flatMap { page.count(at: $0).value },
        isFirstPage: page.request.parameter(parameter) == nil, isLastPage: isLast)
    }
  }
}
