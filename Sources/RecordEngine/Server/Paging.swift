public import JSONTree
public import RecordModel

/// The way in which a server divides long lists into pages, as a function from a response to its page manager.
///
/// Rule: `request.page`.
public struct Paging: Sendable {
  /// A closure that returns the page manager of a response.
  public let pageManager: @Sendable (PageResponse) -> PageManager

  /// Creates a paging.
  ///
  /// - Parameter pageManager: a closure that returns the page manager of a response.
  public init(pageManager: @escaping @Sendable (PageResponse) -> PageManager) {
    self.pageManager = pageManager
  }
}

/// A response for which a ``Paging`` creates a page manager.
public struct PageResponse: Sendable {
  /// The response object, or nil if the body is empty.
  public let responseObject: JSONNode?
  /// The headers of the response. Their names are written as the server has sent them, or in lower case if the response
  /// comes from the cache. ``header(_:)`` ignores case.
  public let headers: [String: String]
  /// The request for the page.
  public let request: ServerRequest
  /// The address that the response comes from: the address of the request, or the address of the last redirect.
  /// Addresses in the response are relative to it.
  public let address: String
  /// The entity of the requested records.
  public let entity: EntityName
  /// The number of items on the page.
  public let count: Int

  /// Creates a response like those that a container passes to a ``Paging``. Use it to test a paging, or to call another
  /// paging.
  ///
  /// - Parameters:
  ///   - responseObject: the response object, or nil if the body is empty.
  ///   - headers: the headers of the response.
  ///   - request: the request for the page.
  ///   - address: the address that the response comes from, or nil for the address of the request.
  ///   - entity: the entity of the requested records.
  ///   - count: the number of items on the page.
  public init(
    responseObject: JSONNode?, headers: [String: String] = [:], request: ServerRequest,
    address: String? = nil, entity: EntityName, count: Int
  ) {
    self.responseObject = responseObject
    self.headers = headers
    self.request = request
    self.address = address ?? request.urn
    self.entity = entity
    self.count = count
  }

  /// Returns the value of a header of the response. The case of the name is ignored.
  public func header(_ name: String) -> String? { headers.header(name) }
}

/// The description of one page of a list, which replaces MMServerPageManager.
public struct PageManager: Hashable, Sendable {
  /// The request for the next page, or nil if this is the last page.
  public var nextPage: ServerRequest?
  /// The request for the previous page, or nil if this is the first page or the previous page is unknown.
  public var previousPage: ServerRequest?
  /// A Boolean value that indicates whether this is the first page. If it is nil, this is the first page if there is no
  /// ``previousPage``. It is also false if the server does not make it known.
  public var isFirstPage: Bool?
  /// A Boolean value that indicates whether this is the last page. If it is nil, this is the last page if there is no
  /// ``nextPage``. It is also false if the server does not make it known. Orphans are searched for only after a page that
  /// is known to be the last one. Rule: `orphans.pages`.
  public var isLastPage: Bool?
  /// The number of results on all pages, or nil if the server does not send it.
  public var totalResultsCount: Int?
  /// The number of results per page. The last page may have fewer.
  public var resultsPerPage: Int?
  /// The index of this page. The server determines whether the index of the first page is 0 or 1.
  public var currentPageIndex: Int?

  /// A Boolean value that indicates whether the next page is computed from a number and not named by the server. Such a
  /// run ends after a page without new results. Rule: `request.page.loop`.
  var isNextPageComputed = false

  /// A Boolean value that indicates whether there is a next page.
  public var canRequestNextPage: Bool { nextPage != nil }

  /// Creates the description of a page. By default, there is no page before or after it, and its other properties are
  /// unknown.
  ///
  /// - Parameters:
  ///   - nextPage: the request for the next page.
  ///   - previousPage: the request for the previous page.
  ///   - totalResultsCount: the number of results on all pages.
  ///   - resultsPerPage: the number of results per page.
  ///   - currentPageIndex: the index of this page.
  ///   - isFirstPage: a Boolean value that indicates whether this is the first page. If it is nil, this is the first
  ///     page if there is no `previousPage`.
  ///   - isLastPage: a Boolean value that indicates whether this is the last page. If it is nil, this is the last page
  ///     if there is no `nextPage`.
  public init(
    nextPage: ServerRequest? = nil, previousPage: ServerRequest? = nil, totalResultsCount: Int? = nil,
    resultsPerPage: Int? = nil, currentPageIndex: Int? = nil, isFirstPage: Bool? = nil,
    isLastPage: Bool? = nil
  ) {
    self.nextPage = nextPage
    self.previousPage = previousPage
    self.totalResultsCount = totalResultsCount
    self.resultsPerPage = resultsPerPage
    self.currentPageIndex = currentPageIndex
    self.isFirstPage = isFirstPage
    self.isLastPage = isLastPage
  }
}
