import RecordModel

/// An absolute or relative address, divided into the parts of RFC 3986 without decoding them. The fragment is left out,
/// because it is never sent.
///
/// Every text is a valid address: ``text`` escapes the characters that an address must not contain. A scheme is
/// recognized only before `//`, so that `documents:search` is a path.
package struct WebAddress: Hashable, Sendable {
  package var scheme: String?
  /// The host, with the user before it and the port after it.
  package var authority: String?
  package var path: String
  package var query: String?

  package init(_ text: String) {
    var remaining = text[...]
    if let mark = remaining.utf8.firstIndex(of: UInt8(ascii: "#")) { remaining = remaining[..<mark] }
    if let mark = remaining.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = String(remaining[remaining.utf8.index(after: mark)...])
      remaining = remaining[..<mark]
    }
    if let end = Self.endOfScheme(in: remaining.utf8) {
      scheme = remaining[..<end].lowercased()
      remaining = remaining[remaining.utf8.index(after: end)...]
    }
    if remaining.utf8.starts(with: "//".utf8) {
      remaining = remaining.dropFirst(2)
      let end = remaining.utf8.firstIndex(of: UInt8(ascii: "/")) ?? remaining.endIndex
      authority = String(remaining[..<end])
      remaining = remaining[end...]
    }
    path = String(remaining)
  }

  /// Returns the index of the colon after the scheme; nil if there is none. A regular expression would be compiled again
  /// for each address, which takes longer than all other work for a small response.
  private static func endOfScheme(in text: Substring.UTF8View) -> Substring.Index? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, isLetter(first),
      text[..<colon].allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+.-".utf8.contains($0) }),
      text[colon...].dropFirst().starts(with: "//".utf8)
    else { return nil }
    return colon
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// A Boolean value that indicates whether the address contains a host.
  package var isAbsolute: Bool { authority != nil }

  /// The address as it is sent. Characters that an address must not contain are percent-encoded. Existing
  /// percent-encoding is unchanged.
  package var text: String {
    var text = scheme.map { $0 + ":" } ?? ""
    if let authority {
      text += "//" + authority
    } else if path.hasPrefix("//") {
      // Without `/.`, the path would be read as a host.
      text += "/."
    }
    text += PercentEncoding.address(path)
    if let query { text += "?" + PercentEncoding.address(query) }
    return text
  }

  /// Resolves a reference against this address. Both can be relative.
  package func resolving(_ reference: WebAddress) -> WebAddress {
    var result = reference
    guard reference.scheme == nil else { return result.withoutDotSegments() }
    result.scheme = scheme
    guard reference.authority == nil else { return result.withoutDotSegments() }
    result.authority = authority
    if reference.path.isEmpty {
      result.path = path
      result.query = reference.query ?? query
    } else if !reference.path.hasPrefix("/") {
      if authority != nil, path.isEmpty {
        result.path = "/" + reference.path
      } else {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
        result.path = path[..<(end ?? path.startIndex)] + reference.path
      }
    }
    return result.withoutDotSegments()
  }

  /// Returns the address without dot segments: `a/b/../c` becomes `a/c`. A segment `..` has no effect at the root. In a
  /// relative path, it is kept if it leads above the start.
  private func withoutDotSegments() -> WebAddress {
    let isRooted = path.hasPrefix("/")
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.contains(".") || segments.contains("..") else { return self }
    var kept: [Substring] = []
    for segment in isRooted ? segments.dropFirst() : segments[...] {
      switch segment {
      case ".": break
      case "..":
        if let last = kept.last, last != ".." {
          kept.removeLast()
        } else if !isRooted {
          kept.append(segment)
        }
      default: kept.append(segment)
      }
    }
    // A last segment `.` or `..` refers to a folder.
    if segments.last == "." || segments.last == "..", !kept.isEmpty { kept.append("") }
    var result = self
    result.path = (isRooted ? "/" : "") + kept.joined(separator: "/")
    return result
  }
}

extension WebAddress {
  /// The parameters of the query, in their order.
  package var parameters: [Parameter] {
    get {
      guard let query else { return [] }
      return query.split(separator: "&").map { Parameter(text: String($0)) }
    }
    set { query = newValue.isEmpty ? nil : newValue.map(\.text).joined(separator: "&") }
  }

  /// A parameter `name=value` of a query, in its encoded form.
  package struct Parameter: Hashable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }

    package init(name: String, value: String) {
      text = PercentEncoding.parameter(name) + "=" + PercentEncoding.parameter(value)
    }

    /// The decoded name.
    package var name: String {
      PercentEncoding.decoded(text.prefix { $0 != "=" })
    }

    /// The decoded value, or an empty string if the parameter has no value.
    package var value: String {
      guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return "" }
      return PercentEncoding.decoded(text[text.utf8.index(after: mark)...])
    }
  }
}

extension WebAddress {
  /// The scheme, host and port in a normalized form.
  package var origin: String {
    let scheme = (scheme ?? "").lowercased()
    var host = (authority ?? "").lowercased()
    if let user = host.lastIndex(of: "@") { host = String(host[host.index(after: user)...]) }
    let defaultPort = [("http", ":80"), ("https", ":443")].first { $0.0 == scheme }?.1
    for port in [":", defaultPort].compactMap({ $0 }) where host.hasSuffix(port) {
      host.removeLast(port.count)
    }
    return scheme + "://" + host
  }
}
