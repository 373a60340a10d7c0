import JSONTree
import RecordEngine
import RecordModel
import ScenarioFormat

/// The numbering of pages, or of the results on them, as two recorded requests show it: `page=1` and `page=2`, or
/// `offset=0` and `offset=20`.
struct RecordedPageNumber: Hashable {
  private let parameter: String
  private let isOffset: Bool
  /// The number of the first page.
  private let first: Int
  /// The parameter that sends the number of results per page; nil if the requests do not send it.
  private let sizeParameter: String?
  private let size: Int?
  private let pageCount: [String]?
  private let total: [String]?

  private static let maximumNumber = 1_000_000_000

  /// Finds the numbering; nil if the second request is not the one for the next page.
  ///
  /// - Parameters:
  ///   - parameter: the only parameter that differs.
  ///   - scalars: the scalars of the first response, with their paths.
  init?(
    from page: RecordedSession.Exchange, to next: RecordedSession.Exchange, parameter: String,
    _ scalars: [(path: [String], value: JSONValue)]
  ) {
    let parameters = WebAddress(page.url).parameters
    guard let later = Self.number(of: parameter, in: next),
      page.json.flatMap({ ItemLocation(in: $0, url: page.url) })?.isList ?? false
    else { return nil }
    let former = Self.number(of: parameter, in: page)
    let words = Set(KeyWords.words(of: parameter))
    self.parameter = parameter
    let sizes = parameters.filter {
      Self.sizeWords.contains(KeyWords.joined($0.name)) && $0.name != parameter
    }
    sizeParameter = sizes.first?.name
    size = sizes.first.flatMap { Int($0.value) }
    isOffset = !words.isDisjoint(with: Self.offsetWords)
    if isOffset {
      let step = later - (former ?? 0)
      guard step > 0, step == size ?? Self.count(of: page) else { return nil }
      first = 0
    } else {
      guard words.contains("page") || words.contains("p") || KeyWords.joined(parameter).hasPrefix("page"),
        later == (former ?? later - 1) + 1, former != nil || later == 1 || later == 2
      else { return nil }
      first = (former ?? later - 1) == 0 ? 0 : 1
    }
    // There is a next page, so that a smaller number counts something else.
    func path(_ names: Set<String>, above least: Int) -> [String]? {
      scalars.first { scalar in
        guard let name = scalar.path.last, names.contains(KeyWords.joined(name)) else { return false }
        return scalar.value.identifier.flatMap { Int($0) }.map { $0 > least } ?? false
      }?.path
    }
    pageCount = isOffset ? nil : path(Self.pageCountNames, above: later - first)
    total = path(Self.totalNames, above: Self.count(of: page) ?? 0)
  }

  /// Two numberings are the same if their parameters are. A later page does not tell the number of the first one.
  static func == (left: RecordedPageNumber, right: RecordedPageNumber) -> Bool {
    left.parameter == right.parameter && left.isOffset == right.isOffset
      && left.sizeParameter == right.sizeParameter
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(parameter)
    hasher.combine(isOffset)
    hasher.combine(sizeParameter)
  }

  private static let offsetWords: Set<String> = ["offset", "skip", "start", "from"]
  private static let sizeWords: Set<String> = [
    "limit", "perpage", "pagesize", "size", "count", "pagelimit", "maxresults", "top", "take", "rows", "num",
  ]
  private static let pageCountNames: Set<String> = [
    "totalpages", "pagecount", "lastpage", "pages", "numpages", "pagestotal", "totalpage",
  ]
  private static let totalNames: Set<String> = [
    "total", "totalcount", "totalresults", "totalitems", "totalelements", "count", "found", "numfound",
  ]

  private static func number(of parameter: String, in exchange: RecordedSession.Exchange) -> Int? {
    let values = WebAddress(exchange.url).parameters.filter { $0.name == parameter }
    guard values.count == 1, let number = Int(values[0].value), (0...maximumNumber).contains(number) else {
      return nil
    }
    return number
  }

  private static func count(of page: RecordedSession.Exchange) -> Int? {
    page.json.flatMap { ItemLocation(in: $0, url: page.url)?.items.count }
  }

  /// Returns a Boolean value that indicates whether there may be another page.
  func continues(after page: RecordedSession.Exchange) -> Bool {
    let number = Self.number(of: parameter, in: page) ?? first
    func value(_ path: [String]?) -> Int? {
      path.flatMap { $0.reduce(page.json) { $0?[$1] }?.identifier }.flatMap { Int($0) }
    }
    let count = Self.count(of: page) ?? 0
    if count == 0 { return false }
    if isOffset { return value(total).map { number + count < $0 } ?? (count >= size ?? 1) }
    if let pages = value(pageCount) { return number - first + 1 < pages }
    if let total = value(total), let size, size > 0 { return number - first + 1 < (total - 1) / size + 1 }
    return count >= size ?? 1
  }

  /// The value of `paging` in a scenario.
  var rule: JSONValue {
    var details = JSONObject()
    if parameter != (isOffset ? "offset" : "page") { details["parameter"] = .string(parameter) }
    if first == 0, !isOffset { details["firstPage"] = 0 }
    if let sizeParameter, sizeParameter != (isOffset ? "limit" : "per_page") {
      details["sizeParameter"] = .string(sizeParameter)
    }
    if let pageCount { details["pageCount"] = .string(MappingPath(keys: pageCount).description) }
    if let total { details["total"] = .string(MappingPath(keys: total).description) }
    let kind = isOffset ? "offset" : "pageNumber"
    return details.isEmpty ? .string(kind) : .object([kind: .object(details)])
  }

  /// The reason for the rule in words.
  var reason: String {
    isOffset
      ? "guessed: the parameter '\(parameter)' of a request is the number of results before it"
      : "guessed: the parameter '\(parameter)' of a request is the number of its page"
  }
}
