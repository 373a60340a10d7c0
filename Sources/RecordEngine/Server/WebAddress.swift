import RecordModel

/// An address, whole or relative, in the parts of RFC 3986, as they are written. A fragment is never sent, and left out.
///
/// Any text is one: what an address may not have in it is escaped by ``text``. A scheme counts only in front of `//`, so
/// that `documents:search` is a path.
package struct WebAddress: Hashable, Sendable {
  package var scheme: String?
  /// The host, with a user before it and a port behind it.
  package var authority: String?
  package var path: String
  package var query: String?

  package init(_ text: String) {
    var rest = text[...]
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<mark] }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let match = rest.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):(?=\/\/)/) {
      scheme = match.1.lowercased()
      rest = rest[match.range.upperBound...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Whether it says where the server is.
  package var isAbsolute: Bool { authority != nil }

  /// The address as it is sent: what may not stand in an address is percent-encoded, and what is encoded stays so.
  package var text: String {
    var text = scheme.map { $0 + ":" } ?? ""
    if let authority {
      text += "//" + authority
    } else if path.hasPrefix("//") {
      // It would be read as a host.
      text += "/."
    }
    text += PercentEncoding.address(path)
    if let query { text += "?" + PercentEncoding.address(query) }
    return text
  }

  /// What a reference means that was found at this address. Both may be relative.
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

  /// `a/b/../c` is `a/c`. Nothing is above the root; of a relative path, what leads above its start stays.
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
    // The last segment named a folder.
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

  /// One `name=value` of a query, as it is written.
  package struct Parameter: Hashable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }

    package init(name: String, value: String) {
      text = PercentEncoding.parameter(name) + "=" + PercentEncoding.parameter(value)
    }

    /// The name, decoded.
    package var name: String {
      PercentEncoding.decoded(text.prefix { $0 != "=" })
    }

    /// The value, decoded; empty if there is none.
    package var value: String {
      guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return "" }
      return PercentEncoding.decoded(text[text.utf8.index(after: mark)...])
    }
  }
}
