import JSONTree
import RecordEngine
import RecordModel

/// The links of a scenario's responses to its servers, which become links to the local servers, and are restored in what an
/// app sends and stores.
package struct ServedLinks: Sendable {
  /// The local URLs by the origin that they replace, such as `https://api.test`.
  private let localURLs: [String: String]
  /// The local URLs with the origins that they replaced: as they are, as JSON may escape them, and as URLs encode them.
  private let origins: [(local: String, origin: String)]

  /// The headers whose values are addresses, or contain some.
  private static let headers = ["location", "content-location", "link"]

  package init(_ localOrigins: [(origin: String, local: String)]) {
    localURLs = Dictionary(
      localOrigins.map { ($0.origin, $0.local) }, uniquingKeysWith: { first, _ in first })
    let forms: [(String) -> String] = [
      { $0 }, { $0.replacing("/", with: #"\/"#) }, PercentEncoding.parameter,
    ]
    // The port of one server can be the beginning of another's.
    let longestFirst = localOrigins.sorted {
      ($1.local.utf8.count, $0.local) < ($0.local.utf8.count, $1.local)
    }
    origins = forms.flatMap { form in longestFirst.map { (form($0.local), form($0.origin)) } }
  }

  /// Returns a text with the scenario's origins in place of the local URLs.
  package func restored(_ text: String) -> String {
    guard text.contains("127.0.0.1") else { return text }
    return origins.reduce(text) { $0.replacing($1.local, with: $1.origin) }
  }

  /// Returns the bytes of a body with the scenario's origins in place of the local URLs. Bytes that are not UTF-8 are returned
  /// unchanged.
  package func restored(_ body: [UInt8]) -> [UInt8] {
    guard let text = String(validating: body, as: UTF8.self) else { return body }
    return Array(restored(text).utf8)
  }

  /// Returns headers whose addresses lead to the local servers.
  package func localized(_ headers: [String: String]) -> [String: String] {
    var result = headers
    for (name, value) in headers where Self.headers.contains(name.lowercased()) {
      result[name] = localized(value)
    }
    return result
  }

  /// Returns the bytes of a body. If the body is JSON, addresses at the start of its strings lead to the local servers.
  /// A body without them is returned unchanged. Linear in the number of bytes.
  package func localized(_ body: [UInt8]) -> [UInt8] {
    guard let root = try? JSONDocument(parsing: body).root.value, let value = localized(root) else {
      return body
    }
    return Array(value.compactText().utf8)
  }

  /// Returns a value with other addresses; nil if it contains none.
  private func localized(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .string(let text):
      return localURL(at: text.startIndex, of: text) == nil ? nil : .string(localized(text))
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
  ///
  /// - Complexity: linear in the length of the text.
  private func localized(_ text: String) -> String {
    var result = ""
    var copied = text.startIndex
    var index = copied
    var former: Character?
    while index < text.endIndex {
      if former.map({ !$0.isLetter && !$0.isNumber && $0 != ":" && $0 != "/" }) ?? true,
        let (local, end) = localURL(at: index, of: text)
      {
        result += text[copied..<index] + local
        (copied, index) = (end, end)
        former = "/"
      } else {
        former = text[index]
        index = text.index(after: index)
      }
    }
    return result + text[copied...]
  }

  /// Returns the local URL of the origin that begins at an index, and the end of the origin; nil if there is no origin of
  /// the scenario. The origin is compared in its normalized form. Without a scheme, as in `//api.test/`, it can have any.
  private func localURL(at start: String.Index, of text: String) -> (local: String, end: String.Index)? {
    var rest = text[start...]
    var schemes = ["https", "http"]
    if let scheme = rest.prefix(5).lowercased().split(separator: ":").first.map(String.init),
      schemes.contains(scheme), rest.dropFirst(scheme.count).first == ":"
    {
      schemes = [scheme]
      rest = rest.dropFirst(scheme.count + 1)
    }
    guard rest.hasPrefix("//") else { return nil }
    rest = rest.dropFirst(2)
    let authority = rest.prefix { !"/?#<>\"', ".contains($0) }
    for scheme in schemes {
      if let local = localURLs[WebAddress("\(scheme)://\(authority)").origin] {
        return (local, authority.endIndex)
      }
    }
    return nil
  }
}
