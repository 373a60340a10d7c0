import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the page managers of the engine.
@Suite struct ReadyMadePagingTests {
  /// A page manager can be tested without a container, and a custom one can call another one.
  @Test func aResponseCanBeMadeForAPaging() throws {
    let body = try JSONDocument(parsing: Array(#"{"items": [1, 2], "total": 3}"#.utf8))
    let response = PageResponse(
      responseObject: body.root, request: ServerRequest(urn: "items"), entity: "Item", count: 2)
    let page = Paging.offset(total: "total").pageManager(response)
    #expect(page.nextPage?.query == ["offset": "2"])
    #expect(page.totalResultsCount == 3)
  }

  private func page(
    _ paging: Paging, _ urn: String = "feed", _ query: [String: String] = [:], method: String = "GET",
    sending sentBody: RequestBody? = nil, body: String = "{}", headers: [String: String] = [:],
    count: Int = 20
  ) throws -> PageManager {
    let request = ServerRequest(
      method: method, urn: urn, query: query, body: sentBody, headers: ["X": "1"], isPaged: true, domain: "a")
    let body = body.isEmpty ? nil : try JSONDocument(parsing: Array(body.utf8)).root
    let manager = paging.pageManager(
      PageResponse(responseObject: body, headers: headers, request: request, entity: "A", count: count))
    for next in [manager.nextPage, manager.previousPage].compactMap(\.self) {
      #expect(next.method == method && next.headers == ["X": "1"] && next.isPaged && next.domain == "a")
    }
    return manager
  }

  /// Returns the address and the parameters of a request.
  private func text(_ request: ServerRequest?) -> String? {
    request.map { request in
      ([request.urn] + request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        .joined(separator: " ")
    }
  }

  // MARK: Addresses

  @Test func addressesInTheBody() throws {
    let paging = Paging.address(at: "links.next", previous: "links.prev", total: "total")
    let body = #"{"total": 41, "links": {"next": "?page=3&q=a%20b", "prev": "https://api.test/feed?page=1"}}"#
    let manager = try page(paging, "v/feed?page=2", ["limit": "5"], body: body)
    #expect(text(manager.nextPage) == "v/feed?page=3&q=a%20b")
    #expect(text(manager.previousPage) == "https://api.test/feed?page=1")
    #expect(manager.totalResultsCount == 41)
    // The address contains the query, and not the body.
    let posted = try page(
      paging, "feed", ["q": "a"], method: "POST", sending: .json(["tags": ["a"]]), body: body)
    #expect(text(posted.nextPage) == "feed?page=3&q=a%20b")
    #expect(posted.nextPage?.body == .json(["tags": ["a"]]))
  }

  @Test(arguments: [
    #"{"next": ""}"#, #"{"next": null}"#, #"{"next": 7}"#, #"{"next": true}"#, #"{"next": {"href": "a"}}"#,
    #"{"next": ["a"]}"#, #"{"next": []}"#, "{}", "[]", "[{\"next\": \"a\"}]", "7", "\"next\"", "null", "",
  ])
  func noAddressInTheBody(body: String) throws {
    var manager = try page(.address(at: "next", previous: "next", total: "next.total"), body: body)
    // An empty or missing value means that there is no page. An invalid value leaves this open.
    let isBlank = [#"{"next": ""}"#, #"{"next": null}"#, "{}", "7", "\"next\"", "null", ""].contains(body)
    #expect([manager.isFirstPage, manager.isLastPage] == [isBlank, isBlank])
    (manager.isFirstPage, manager.isLastPage) = (nil, nil)
    #expect(manager == PageManager())
  }

  @Test func addressesInTheHeader() throws {
    let headers = [
      "link": #"</feed?page=3>; rel="next", <https://api.test/feed?page=1>; rel="prev", <x>; rel=last"#,
      "x-total-count": "41",
    ]
    let manager = try page(
      .linkHeader(totalHeader: "X-Total-Count"), "feed?page=2", ["limit": "5"], headers: headers)
    #expect(text(manager.nextPage) == "/feed?page=3")
    #expect(text(manager.previousPage) == "https://api.test/feed?page=1")
    #expect(manager.totalResultsCount == 41)
    #expect(try page(.linkHeader(), headers: ["Link": "<a>; rel=previous"]).previousPage?.urn == "a")
    for headers in [[:], ["Link": ""], ["Link": "a"], ["Link": "<>; rel=next"], ["X-Total-Count": "-1"]] {
      #expect(try page(.linkHeader(totalHeader: "X-Total-Count"), headers: headers) == PageManager())
    }
  }

  // MARK: Cursors

  @Test func cursors() throws {
    let paging = Paging.cursor(at: "meta.next", parameter: "after", hasMore: "meta.more", total: "meta.total")
    func next(_ meta: String, _ urn: String = "feed", _ query: [String: String] = ["limit": "5"]) throws
      -> String?
    {
      text(try page(paging, urn, query, body: #"{"meta": \#(meta)}"#).nextPage)
    }
    #expect(try next(#"{"next": "a&b=c"}"#) == "feed after=a&b=c limit=5")
    #expect(try next(#"{"next": 12345678901234567890}"#) == "feed after=12345678901234567890 limit=5")
    #expect(try next(#"{"next": "b", "more": true}"#, "feed?after=a&x=y", [:]) == "feed?x=y after=b")
    #expect(try next(#"{"next": "b", "more": null}"#, "feed", ["after": "a"]) == "feed after=b")
    for meta in [
      #"{"next": "b", "more": false}"#, #"{"next": "b", "more": "true"}"#, #"{"next": "b", "more": 1}"#,
      #"{"next": ""}"#, #"{"next": null, "more": true}"#, #"{"next": 1.5}"#, #"{"next": true}"#,
      #"{"next": []}"#, #"{"next": {}}"#, #"{"more": true}"#, "null", "7",
    ] {
      #expect(try next(meta) == nil, "\(meta)")
    }
    #expect(try next(#"{"next": ["b", 1]}"#, "feed", [:]) == #"feed after=["b",1]"#)
    #expect(
      try next(#"{"next": {"from": "b", "page": 2, "none": null, "all": true}}"#, "feed", [:])
        == "feed all=true from=b page=2")
    #expect(try page(paging, body: #"{"meta": {"total": 7}}"#).totalResultsCount == 7)
    // An empty page can have a cursor.
    #expect(try page(.cursor(at: "c"), body: #"{"c": "a"}"#, count: 0).nextPage?.query == ["cursor": "a"])
  }

  // MARK: Bodies

  /// Rule: `request.page.body`.
  @Test(arguments: [
    // A parameter is replaced where the request has it.
    (#"{"after": "a", "tags": ["x"]}"#, [:], "feed", #"{"after":"b","tags":["x"]}"#, "feed"),
    (#"{"tags": ["x"]}"#, ["after": "a"], "feed", #"{"tags":["x"]}"#, "feed after=b"),
    (#"{"after": "a"}"#, [:], "feed?after=a&x=y", #"{"after":"a"}"#, "feed?x=y after=b"),
    // A new parameter is added to an object, and to the query of a request with another body.
    ("{}", ["x": "y"], "feed", #"{"after":"b"}"#, "feed x=y"),
    (#"["x"]"#, [:], "feed", #"["x"]"#, "feed after=b"),
  ])
  func aCursorIsSentWhereTheRequestHasIt(
    sent: String, query: [String: String], urn: String, body: String, next: String
  ) throws {
    let value = try JSONDocument(parsing: Array(sent.utf8)).root.value
    let manager = try page(
      .cursor(at: "c", parameter: "after"), urn, query, method: "POST", sending: .json(value),
      body: #"{"c": "b"}"#)
    #expect(text(manager.nextPage) == next)
    #expect(manager.nextPage?.body?.encoded == Data(body.utf8))
  }

  /// A number is written as a number in JSON, unless the request writes it as a string.
  @Test(arguments: [
    (Paging.cursor(at: "c"), #"{"cursor": 7}"#, #"{"cursor":8}"#),
    (.cursor(at: "c"), #"{"cursor": "7"}"#, #"{"cursor":"8"}"#),
    (.cursor(at: "c"), "{}", #"{"cursor":8}"#),
    (.pageNumber(), #"{"page": 2}"#, #"{"page":3}"#), (.pageNumber(), #"{"page": "2"}"#, #"{"page":"3"}"#),
    (.pageNumber(), #"{"page": null, "q": 1}"#, #"{"page":2,"q":1}"#),
    (.offset(), #"{"limit": 20, "offset": 40}"#, #"{"limit":20,"offset":60}"#),
    (.offset(), #"{"limit": 20}"#, #"{"limit":20,"offset":20}"#),
  ])
  func numbersInJSON(paging: Paging, sent: String, next: String) throws {
    let value = try JSONDocument(parsing: Array(sent.utf8)).root.value
    let manager = try page(paging, method: "POST", sending: .json(value), body: #"{"c": 8}"#)
    #expect(text(manager.nextPage) == "feed")
    #expect(manager.nextPage?.body?.encoded == Data(next.utf8))
  }

  @Test func aFormHasTheParametersOfThePage() throws {
    let form = RequestBody.form(["limit": "20", "q": "a"])
    let manager = try page(.offset(), method: "POST", sending: form)
    #expect(text(manager.nextPage) == "feed")
    #expect(manager.nextPage?.body == .form(["limit": "20", "offset": "20", "q": "a"]))
    let data = RequestBody.data(Data("q".utf8), contentType: "text/plain")
    let other = try page(.offset(), method: "POST", sending: data)
    #expect(text(other.nextPage) == "feed offset=20")
    #expect(other.nextPage?.body == data)
  }

  // MARK: Numbers

  @Test func offsets() throws {
    let paging = Paging.offset(pageSize: 20, total: "total")
    func manager(_ query: [String: String], _ total: String?, count: Int, urn: String = "feed") throws
      -> PageManager
    {
      try page(paging, urn, query, body: total.map { #"{"total": \#($0)}"# } ?? "{}", count: count)
    }
    let first = try manager([:], "45", count: 20)
    #expect(text(first.nextPage) == "feed offset=20")
    #expect(first.previousPage == nil)
    #expect(first.totalResultsCount == 45 && first.resultsPerPage == 20 && first.currentPageIndex == 0)
    let last = try manager(["offset": "40"], "45", count: 5)
    #expect(last.nextPage == nil)
    #expect(text(last.previousPage) == "feed offset=20")
    #expect(last.currentPageIndex == 2)
    // A total takes precedence, even after a short page. Without a total, a short page is the last one.
    #expect(try text(manager(["offset": "20"], "45", count: 7).nextPage) == "feed offset=27")
    #expect(try manager(["offset": "20"], nil, count: 7).nextPage == nil)
    #expect(try manager(["offset": "20"], "null", count: 7).nextPage == nil)
    #expect(try text(manager(["offset": "20"], nil, count: 20).nextPage) == "feed offset=40")
    #expect(try text(manager(["limit": "5"], nil, count: 5).nextPage) == "feed limit=5 offset=5")
    #expect(
      try text(manager([:], "\"45\"", count: 20, urn: "feed?offset=20&a=b").nextPage) == "feed?a=b offset=40")
    #expect(try manager([:], "45", count: 0).nextPage == nil)
    // The page size is unknown.
    #expect(try text(page(.offset(), count: 3).nextPage) == "feed offset=3")
    #expect(try page(.offset(), count: 0).nextPage == nil)
  }

  @Test(arguments: ["-1", "\"\"", "\"many\"", "1e400", "99999999999999999999", "1.5", "true", "[]", "{}"])
  func totalsThatAreNone(total: String) throws {
    let body = #"{"total": \#(total)}"#
    let pagings: [Paging] = [
      .offset(pageSize: 20, total: "total"), .pageNumber(pageSize: 20, total: "total"),
      .pageNumber(pageSize: 20, pageCount: "total"),
    ]
    for paging in pagings {
      let manager = try page(paging, body: body)
      #expect(manager.nextPage == nil)
      #expect(manager.totalResultsCount == nil)
    }
  }

  @Test(arguments: ["-1", "", "x", "1.5", "99999999999999999999", "\(Int.max)", " 1"])
  func numbersThatAreNone(number: String) throws {
    #expect(try page(.offset(), query(number, "offset")).nextPage == nil)
    #expect(try page(.pageNumber(), query(number, "page")).nextPage == nil)
    for size in [number, "0"] {
      let manager = try page(.offset(pageSize: 20), query(size, "limit"), count: 20)
      #expect(manager.resultsPerPage == (Int(size).flatMap { $0 > 0 ? $0 : nil }))
    }
  }

  private func page(_ paging: Paging, _ query: [String: String], count: Int = 20) throws -> PageManager {
    try page(paging, "feed", query, count: count)
  }

  private func query(_ value: String, _ name: String) -> [String: String] { [name: value] }

  @Test func pageNumbers() throws {
    let paging = Paging.pageNumber(pageSize: 20, pageCount: "pages", total: "total")
    func manager(_ query: [String: String], _ body: String = "{}", count: Int = 20, urn: String = "feed")
      throws -> PageManager
    {
      try page(paging, urn, query, body: body, count: count)
    }
    let second = try manager(["page": "2"], #"{"pages": 3, "total": 45}"#)
    #expect(text(second.nextPage) == "feed page=3")
    #expect(text(second.previousPage) == "feed page=1")
    #expect(second.totalResultsCount == 45 && second.resultsPerPage == 20 && second.currentPageIndex == 2)
    #expect(try text(manager([:], #"{"pages": 3}"#, count: 3).nextPage) == "feed page=2")
    #expect(try manager([:]).previousPage == nil)
    #expect(try manager(["page": "3"], #"{"pages": 3}"#).nextPage == nil)
    #expect(try manager([:], #"{"pages": 0}"#).nextPage == nil)
    #expect(try text(manager(["page": "2"], #"{"total": 41}"#, count: 7).nextPage) == "feed page=3")
    #expect(try manager(["page": "3"], #"{"total": 60}"#).nextPage == nil)
    #expect(
      try text(manager(["page": "1", "per_page": "5"], #"{"total": 6}"#, count: 5).nextPage)
        == "feed page=2 per_page=5")
    #expect(try text(manager([:], urn: "feed?page=4&a=b").nextPage) == "feed?a=b page=5")
    #expect(try manager([:], count: 19).nextPage == nil)
    #expect(try manager([:], #"{"pages": 9}"#, count: 0).nextPage == nil)
    let fromZero = Paging.pageNumber(parameter: "p", firstPage: 0, pageCount: "pages")
    #expect(try text(page(fromZero, body: #"{"pages": 2}"#).nextPage) == "feed p=1")
    #expect(try page(fromZero, "feed", ["p": "1"], body: #"{"pages": 2}"#).nextPage == nil)
    #expect(try page(.pageNumber(firstPage: 1), "feed", ["page": "0"]).nextPage == nil)
    #expect(try text(page(.pageNumber(), count: 3).nextPage) == "feed page=2")
    #expect(try page(.pageNumber(firstPage: .min), "feed", ["page": "5"]).nextPage == nil)
  }
}
