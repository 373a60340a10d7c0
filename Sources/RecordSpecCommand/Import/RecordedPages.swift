import JSONTree
import RecordEngine
import RecordModel
import ScenarioFormat

/// A way in which a server names the next page, as two recorded responses show it.
enum RecordedPaging: Hashable {
  case linkHeader
  /// The keys that lead to the address of the next page.
  case address([String])
  /// The keys that lead to a cursor, and the parameter that sends it.
  case cursor([String], parameter: String)
  /// The parameter that sends the number of a page, or the number of results before it.
  case number(RecordedPageNumber)

  /// Finds the way in which a response leads to the next request; nil if it does not lead there.
  ///
  /// - Complexity: linear in the size of the response and of the addresses.
  init?(from page: RecordedSession.Exchange, to next: RecordedSession.Exchange) {
    guard page.method == "GET", next.method == "GET", page.status == 200, page.json != nil else { return nil }
    guard let target = Self.address(next.url) else { return nil }
    if let link = page.headers["Link"].flatMap({ LinkHeader($0).target("next") }) {
      guard Self.address(RecordedSession.resolved(link, against: page.url)) == target else { return nil }
      self = .linkHeader
      return
    }
    let scalars = page.json.map { Self.scalars(of: $0) } ?? []
    let references = scalars.lazy.compactMap { scalar -> (path: [String], text: String)? in
      guard case .string(let text) = scalar.value, text.contains("/") || text.contains("?") else {
        return nil
      }
      return (scalar.path, text)
    }
    let base = WebAddress(page.url)
    for reference in references.prefix(Self.comparedReferences)
    where Self.address(base.resolving(WebAddress(reference.text)).text) == target {
      self = .address(reference.path)
      return
    }
    let (former, later) = (WebAddress(page.url), WebAddress(next.url))
    guard former.origin == later.origin, former.path == later.path else { return nil }
    let parameters = (former: former.parameters, later: later.parameters)
    let known = Set(parameters.former)
    let changed = parameters.later.filter { !known.contains($0) }
    guard changed.count == 1, !changed[0].value.isEmpty,
      Set(parameters.later.filter { $0.name != changed[0].name })
        == known.filter({ $0.name != changed[0].name })
    else { return nil }
    if let path = scalars.first(where: { Self.isCursor($0.path) && $0.value.identifier == changed[0].value })?
      .path
    {
      self = .cursor(path, parameter: changed[0].name)
    } else if let number = RecordedPageNumber(from: page, to: next, parameter: changed[0].name, scalars) {
      self = .number(number)
    } else {
      return nil
    }
  }

  /// The number of texts of a response that are compared with the next address.
  private static let comparedReferences = 200

  /// Returns a Boolean value that indicates whether a response names another page.
  func continues(after page: RecordedSession.Exchange) -> Bool {
    switch self {
    case .linkHeader: return page.headers["Link"].flatMap { LinkHeader($0).target("next") } != nil
    case .address(let path), .cursor(let path, _):
      return path.reduce(page.json) { $0?[$1] }?.identifier != nil
    case .number(let number): return number.continues(after: page)
    }
  }

  /// The value of `paging` in a scenario.
  var rule: JSONValue {
    switch self {
    case .linkHeader: "linkHeader"
    case .address(let path): ["address": ["at": .string(MappingPath(keys: path).description)]]
    case .cursor(let path, let parameter):
      ["cursor": ["at": .string(MappingPath(keys: path).description), "parameter": .string(parameter)]]
    case .number(let number): number.rule
    }
  }

  /// The reason for the rule in words.
  var reason: String {
    switch self {
    case .linkHeader: "guessed: the 'Link' header of a response names the next request"
    case .address(let path):
      "guessed: '\(MappingPath(keys: path))' of a response is the address of the next request"
    case .cursor(let path, let parameter):
      "guessed: the parameter '\(parameter)' of a request is '\(MappingPath(keys: path))' of the response before it"
    case .number(let number): number.reason
    }
  }

  private static func isCursor(_ path: [String]) -> Bool {
    let words = path.flatMap { KeyWords.words(of: $0) }
    return words.contains { ["next", "cursor", "after", "token", "continuation", "marker"].contains($0) }
  }

  /// Returns the scalars of the upper levels of an object, with their paths.
  private static func scalars(of value: JSONValue) -> [(path: [String], value: JSONValue)] {
    var found: [(path: [String], value: JSONValue)] = []
    func visit(_ value: JSONValue, _ path: [String]) {
      if case .object(let members) = value, path.count < 3 {
        for member in members { visit(member.value, path + [member.key]) }
      } else if value.isScalar, !path.isEmpty {
        found.append((path, value))
      }
    }
    visit(value, [])
    return found
  }

  /// Returns an address for comparisons, in which the order of the parameters does not matter.
  private static func address(_ url: String) -> RequestAddress? {
    try? RequestAddress(method: "GET", urn: url, baseURL: "")
  }
}
