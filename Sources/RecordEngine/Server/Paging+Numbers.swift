public import RecordModel

extension Paging {
  /// Returns the paging of a server that sends results from an offset: `items?offset=40&limit=20`.
  ///
  /// The next page starts after the last result of this page. There is no next page in these cases:
  ///
  /// - The page is empty.
  /// - All results of the total are on this page and the pages before it.
  /// - The value at the path of the total is not a valid count.
  /// - The server does not send a total, and the page has fewer results than the page size. If the page size is
  ///   unknown, only an empty page is the last one.
  ///
  /// A run ends with `page-loop` after a page without new results.
  ///
  /// - Parameters:
  ///   - parameter: the name of the parameter that sends the offset. A request without it starts at offset 0.
  ///   - sizeParameter: the name of the parameter that sends the number of results per page.
  ///   - pageSize: the number of results per page if the request does not specify it.
  ///   - total: the path of the number of results on all pages.
  public static func offset(
    parameter: String = "offset", sizeParameter: String = "limit", pageSize: Int? = nil,
    total: MappingPath? = nil
  ) -> Paging {
    Paging { page in
      let total = total.map(page.count) ?? .absent
      let size = page.size(sizeParameter, default: pageSize)
      var manager = PageManager(totalResultsCount: total.value, resultsPerPage: size)
      (manager.isFirstPage, manager.isLastPage) = (false, false)
      guard let offset = page.number(parameter, default: 0) else { return manager }
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
        manager.nextPage = page.request.setting(parameter, to: ParameterValue(next))
        manager.isNextPageComputed = true
      }
      if offset > 0, let size {
        manager.previousPage = page.request.setting(parameter, to: ParameterValue(max(0, offset - size)))
      }
      return manager
    }
  }

  /// Returns the paging of a server that numbers its pages: `items?page=3&per_page=20`.
  ///
  /// The next page has the next number. There is no next page in these cases:
  ///
  /// - The page is empty.
  /// - This is the last page according to the number of pages, which the server sends, or which results from its total
  ///   and the page size.
  /// - The value at the path of the number of pages or of the total is not a valid count.
  /// - The number of pages is unknown, and the page has fewer results than the page size. If the page size is unknown
  ///   too, only an empty page is the last one.
  ///
  /// A run ends with `page-loop` after a page without new results.
  ///
  /// - Parameters:
  ///   - parameter: the name of the parameter that sends the page number. A request without it asks for the first page.
  ///   - firstPage: the number of the first page.
  ///   - sizeParameter: the name of the parameter that sends the number of results per page.
  ///   - pageSize: the number of results per page if the request does not specify it.
  ///   - pageCount: the path of the number of pages.
  ///   - total: the path of the number of results on all pages.
  public static func pageNumber(
    parameter: String = "page", firstPage: Int = 1, sizeParameter: String = "per_page", pageSize: Int? = nil,
    pageCount: MappingPath? = nil, total: MappingPath? = nil
  ) -> Paging {
    Paging { page in
      let (pageCount, total) = (pageCount.map(page.count) ?? .absent, total.map(page.count) ?? .absent)
      let size = page.size(sizeParameter, default: pageSize)
      var manager = PageManager(totalResultsCount: total.value, resultsPerPage: size)
      (manager.isFirstPage, manager.isLastPage) = (false, false)
      guard let number = page.number(parameter, default: firstPage), number >= firstPage else {
        return manager
      }
      manager.isFirstPage = number == firstPage
      manager.currentPageIndex = number
      if number > firstPage {
        manager.previousPage = page.request.setting(parameter, to: ParameterValue(number - 1))
      }
      // The index is the number of pages before this one.
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
        manager.nextPage = page.request.setting(parameter, to: ParameterValue(number + 1))
        manager.isNextPageComputed = true
      }
      return manager
    }
  }
}

extension PageResponse {
  /// Returns the number that the request sends as a parameter, or a default if it sends none. Returns nil if the value
  /// is not a number from 0.
  fileprivate func number(_ parameter: String, default fallback: Int) -> Int? {
    guard let text = request.parameter(parameter) else { return fallback }
    return Int(text).flatMap { $0 < 0 ? nil : $0 }
  }

  /// Returns the number of results per page, or nil if it is unknown.
  fileprivate func size(_ parameter: String, default fallback: Int?) -> Int? {
    let size = request.parameter(parameter).map(Int.init) ?? fallback
    return size.flatMap { $0 > 0 ? $0 : nil }
  }
}
