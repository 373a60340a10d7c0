import JSONTree
import RecordEngine
import RecordModel

/// A way in which a server names the next page, as two recorded responses show it.
enum RecordedPaging: Hashable {
  case linkHeader
  /// The keys that lead to the address of the next page.
  case address([String])
  /// The keys that lead to a cursor, and the parameter that sends it.
  case cursor([String], parameter: String)

  /// Finds the way in which a response leads to the next request; nil if it does not lead there.
  init?(from page: RecordedSession.Exchange, to next: RecordedSession.Exchange) {
    guard page.method == "GET", next.method == "GET", page.status == 200, page.json != nil else { return nil }
    if let link = page.headers["Link"].flatMap({ LinkHeader($0).target("next") }) {
      guard Self.isSame(RecordedSession.resolved(link, against: page.url), next.url) else { return nil }
      self = .linkHeader
      return
    }
    let scalars = page.json.map { Self.scalars(of: $0) } ?? []
    for (path, value) in scalars {
      guard case .string(let text) = value, text.contains("/") || text.hasPrefix("?") || text.contains("?"),
        Self.isSame(RecordedSession.resolved(text, against: page.url), next.url)
      else { continue }
      self = .address(path)
      return
    }
    let (former, later) = (WebAddress(page.url), WebAddress(next.url))
    guard former.origin == later.origin, former.path == later.path else { return nil }
    for parameter in later.parameters where !parameter.value.isEmpty {
      let others = later.parameters.filter { $0.name != parameter.name }
      guard Set(others) == Set(former.parameters.filter { $0.name != parameter.name }),
        !former.parameters.contains(parameter),
        let path = scalars.first(where: { Self.text($0.value) == parameter.value && Self.isCursor($0.path) })?
          .path
      else { continue }
      self = .cursor(path, parameter: parameter.name)
      return
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether a response names another page.
  func continues(after page: RecordedSession.Exchange) -> Bool {
    switch self {
    case .linkHeader: return page.headers["Link"].flatMap { LinkHeader($0).target("next") } != nil
    case .address(let path), .cursor(let path, _):
      let value = path.reduce(page.json) { $0?[$1] }
      return value.flatMap(Self.text).map { !$0.isEmpty } ?? false
    }
  }

  /// The value of `paging` in a scenario.
  var rule: JSONValue {
    switch self {
    case .linkHeader: "linkHeader"
    case .address(let path): ["address": ["at": .string(MappingPath(keys: path).description)]]
    case .cursor(let path, let parameter):
      ["cursor": ["at": .string(MappingPath(keys: path).description), "parameter": .string(parameter)]]
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
    }
  }

  private static func isCursor(_ path: [String]) -> Bool {
    let words = path.flatMap { KeyWords.words(of: $0) }
    return words.contains { ["next", "cursor", "after", "token", "continuation", "marker"].contains($0) }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): number.int64Value.map(String.init)
    default: nil
    }
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

  /// Returns a Boolean value that indicates whether two addresses have the same path and parameters in any order.
  static func isSame(_ left: String, _ right: String) -> Bool {
    guard let left = try? RequestAddress(method: "GET", urn: left, baseURL: ""),
      let right = try? RequestAddress(method: "GET", urn: right, baseURL: "")
    else { return false }
    return left == right
  }
}
