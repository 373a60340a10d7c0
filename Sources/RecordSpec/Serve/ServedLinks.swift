internal import JSONTree
import RecordEngine

/// The links of a scenario's responses to its servers, which become links to the local servers.
struct ServedLinks: Sendable {
  /// The origins of the scenario's servers, such as `https://api.test`, each with the local one.
  private let localOrigins: [(origin: String, local: String)]

  /// The headers whose values are addresses, or contain some.
  private static let headers = ["location", "content-location", "link"]

  init(_ localOrigins: [(origin: String, local: String)]) { self.localOrigins = localOrigins }

  /// Returns headers whose addresses lead to the local servers.
  func localized(_ headers: [String: String]) -> [String: String] {
    var result = headers
    for (name, value) in headers where Self.headers.contains(name.lowercased()) {
      result[name] = localized(value)
    }
    return result
  }

  /// Returns the bytes of a body. If the body is JSON, addresses at the start of its strings lead to the local servers.
  /// A body without them is returned unchanged. Linear in the number of bytes.
  func localized(_ body: [UInt8]) -> [UInt8] {
    guard let root = try? JSONDocument(parsing: body).root.value, let value = localized(root) else {
      return body
    }
    return Array(value.compactText().utf8)
  }

  /// Returns a value with other addresses; nil if it contains none.
  private func localized(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .string(let text):
      return localOrigins.contains { Self.leads(text[...], to: $0.origin) } ? .string(localized(text)) : nil
    case .array(let elements):
      let changed = elements.map(localized)
      guard changed.contains(where: { $0 != nil }) else { return nil }
      return .array(zip(elements, changed).map { $1 ?? $0 })
    case .object(let members):
      var result = members
      var isChanged = false
      for (name, value) in members {
        guard let changed = localized(value) else { continue }
        result[name] = changed
        isChanged = true
      }
      return isChanged ? .object(result) : nil
    case .null, .boolean, .number: return nil
    }
  }

  /// Replaces the origins in a text, such as the value of a `Link` header.
  private func localized(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while !rest.isEmpty {
      if let found = localOrigins.first(where: { Self.leads(rest, to: $0.origin) }) {
        result += found.local
        rest = rest.dropFirst(found.origin.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }

  /// Returns a Boolean value that indicates whether a text begins with an origin. `https://api.test.org` does not begin
  /// with `https://api.test`.
  private static func leads(_ text: Substring, to origin: String) -> Bool {
    guard text.hasPrefix(origin) else { return false }
    return text.dropFirst(origin.count).first.map { "/?#>\"".contains($0) } ?? true
  }
}
