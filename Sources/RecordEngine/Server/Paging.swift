public import JSONTree
public import RecordModel

/// How a server divides long answers into pages: from a response to what is known of its page.
///
/// Rule: `request.page`.
public struct Paging: Sendable {
  /// What is known of the page that a response is.
  public let pageManager: @Sendable (PageResponse) -> PageManager

  public init(pageManager: @escaping @Sendable (PageResponse) -> PageManager) {
    self.pageManager = pageManager
  }
}

/// A response of which a page manager is made.
public struct PageResponse: Sendable {
  /// The response object; nil for an empty body.
  public let responseObject: JSONNode?
  /// The response's headers. The names are as the server has written them, or in lower case where the answer comes from
  /// the cache; ``header(_:)`` finds them in any case.
  public let headers: [String: String]
  /// What was asked.
  public let request: ServerRequest
  /// Where the response comes from: the address of the request, or that to which a redirect has led. What the response names is
  /// relative to it.
  public let address: String
  /// The entity whose records are asked for.
  public let entity: EntityName
  /// How many items the page has.
  public let count: Int

  /// A response as a container hands it to a ``Paging``: for its tests, and for one that asks another.
  ///
  /// - Parameters:
  ///   - responseObject: the response object; nil for an empty body.
  ///   - headers: the response's headers.
  ///   - request: what was asked.
  ///   - address: where the response comes from; nil: from the address of the request.
  ///   - entity: the entity whose records are asked for.
  ///   - count: how many items the page has.
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

  /// The value of a header of the response, whose name may be written in any case.
  public func header(_ name: String) -> String? { headers.header(name) }
}

/// What is known of one page of an answer: MMServerPageManager's place.
public struct PageManager: Hashable, Sendable {
  /// What to ask for the next page; nil if this is the last one.
  public var nextPage: ServerRequest?
  /// What to ask for the page before; nil if this is the first one, or nobody knows.
  public var previousPage: ServerRequest?
  /// Whether no page comes before. Nil: so it is if there is no ``previousPage``. False also where nobody can tell.
  public var isFirstPage: Bool?
  /// Whether no page comes behind. Nil: so it is if there is no ``nextPage``. False also where nobody can tell: orphans are
  /// looked for behind a page that is known to be the last one. Rule: `orphans.pages`.
  public var isLastPage: Bool?
  /// How many results there are on all pages together, if the server says so.
  public var totalResultsCount: Int?
  /// How many results a page has; the last one may have fewer.
  public var resultsPerPage: Int?
  /// Which page this is. Whether the first is 0 or 1 is the server's choice.
  public var currentPageIndex: Int?

  /// Whether the next page follows from a number, so that the server has not named it: such a run ends behind a page that
  /// brings nothing new. Rule: `request.page.loop`.
  var isNextPageComputed = false

  /// Whether there is a next page.
  public var canRequestNextPage: Bool { nextPage != nil }

  /// What is known of a page; nil for all else, and no page before or behind if nothing is said.
  ///
  /// - Parameters:
  ///   - nextPage: what to ask for the next page.
  ///   - previousPage: what to ask for the page before.
  ///   - totalResultsCount: how many results there are on all pages together.
  ///   - resultsPerPage: how many results a page has.
  ///   - currentPageIndex: which page this is.
  ///   - isFirstPage: whether no page comes before; nil: if there is no `previousPage`.
  ///   - isLastPage: whether no page comes behind; nil: if there is no `nextPage`.
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
