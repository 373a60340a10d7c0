public import RecordModel

extension Paging {
  /// A server that is asked for results from an offset on: `items?offset=40&limit=20`.
  ///
  /// The next page begins behind the results that this one has. There is none once all of the total were there. If the
  /// server does not say a total, there is none behind a page with fewer results than it may have, and if nobody knows how
  /// many that are, behind an empty page. An empty page is always the last. Behind a page that brings nothing new, the run ends
  /// with `page-loop`.
  ///
  /// - Parameters:
  ///   - parameter: the name under which the offset is sent; without it, a request asks from 0 on.
  ///   - sizeParameter: the name under which a request says how many results a page has.
  ///   - pageSize: how many a page has when the request does not say.
  ///   - total: where it stands how many results there are on all pages. If what stands there is no count, there is no next
  ///     page.
  public static func offset(
    parameter: String = "offset", sizeParameter: String = "limit", pageSize: Int? = nil,
    total: MappingPath? = nil
  ) -> Paging {
    Paging { page in
      let total = total.map(page.count) ?? .absent
      let size = page.size(sizeParameter, otherwise: pageSize)
      var manager = PageManager(totalResultsCount: total.value, resultsPerPage: size)
      (manager.isFirstPage, manager.isLastPage) = (false, false)
      guard let offset = page.number(parameter, otherwise: 0) else { return manager }
      manager.isFirstPage = offset == 0
      if let size { manager.currentPageIndex = offset / size }
      let (next, overflows) = offset.addingReportingOverflow(page.count)
      let isLast =
        switch total {
        case .known(let total): next >= total
        case .unusable: true
        case .absent: page.count < size ?? 1
        }
      manager.isLastPage = isLast && total != .unusable
      if page.count > 0, !isLast, !overflows {
        manager.nextPage = page.request.setting(parameter, to: String(next))
        manager.isNextPageComputed = true
      }
      if offset > 0, let size {
        manager.previousPage = page.request.setting(parameter, to: String(max(0, offset - size)))
      }
      return manager
    }
  }

  /// A server that is asked for pages by their number: `items?page=3&per_page=20`.
  ///
  /// There is no next page once the number of pages is reached that the server says, or that follows from its total and the
  /// size of a page. If it says neither, there is none behind a page with fewer results than it may have, and if nobody knows
  /// how many that are, behind an empty page. An empty page is always the last. Behind a page that brings nothing new, the run
  /// ends with `page-loop`.
  ///
  /// - Parameters:
  ///   - parameter: the name under which the number is sent; without it, a request asks for the first page.
  ///   - firstPage: the number of the first page.
  ///   - sizeParameter: the name under which a request says how many results a page has.
  ///   - pageSize: how many a page has when the request does not say.
  ///   - pageCount: where it stands how many pages there are. If what stands there is no count, there is no next page.
  ///   - total: where it stands how many results there are on all pages. Likewise.
  public static func pageNumber(
    parameter: String = "page", firstPage: Int = 1, sizeParameter: String = "per_page", pageSize: Int? = nil,
    pageCount: MappingPath? = nil, total: MappingPath? = nil
  ) -> Paging {
    Paging { page in
      let (pageCount, total) = (pageCount.map(page.count) ?? .absent, total.map(page.count) ?? .absent)
      let size = page.size(sizeParameter, otherwise: pageSize)
      var manager = PageManager(totalResultsCount: total.value, resultsPerPage: size)
      (manager.isFirstPage, manager.isLastPage) = (false, false)
      guard let number = page.number(parameter, otherwise: firstPage), number >= firstPage else {
        return manager
      }
      manager.isFirstPage = number == firstPage
      manager.currentPageIndex = number
      if number > firstPage { manager.previousPage = page.request.setting(parameter, to: String(number - 1)) }
      // How many pages there have been with this one.
      let (index, overflows) = number.subtractingReportingOverflow(firstPage)
      guard !overflows, index < Int.max, number < Int.max else { return manager }
      let isLast =
        switch (pageCount, total, size) {
        case (.unusable, _, _), (_, .unusable, _): true
        case (.known(let pages), _, _): index + 1 >= pages
        case (.absent, .known(let total), let size?):
          index + 1 >= total / size + (total % size == 0 ? 0 : 1)
        case (.absent, _, let size): page.count < size ?? 1
        }
      manager.isLastPage = isLast && pageCount != .unusable && total != .unusable
      if page.count > 0, !isLast {
        manager.nextPage = page.request.setting(parameter, to: String(number + 1))
        manager.isNextPageComputed = true
      }
      return manager
    }
  }
}

extension PageResponse {
  /// A number from 0 that the request was sent with. Nil if what was sent is none.
  fileprivate func number(_ parameter: String, otherwise: Int) -> Int? {
    guard let text = request.parameter(parameter) else { return otherwise }
    return Int(text).flatMap { $0 < 0 ? nil : $0 }
  }

  /// How many results a page has. Nil if nobody knows.
  fileprivate func size(_ parameter: String, otherwise: Int?) -> Int? {
    let size = request.parameter(parameter).map(Int.init) ?? otherwise
    return size.flatMap { $0 > 0 ? $0 : nil }
  }
}
