/// The address of a record's details in a model: `posts/{id}`, `users/{user.login}/posts/{id}`, or `{url}`.
///
/// Braces contain the name of an attribute, or a key path through to-one relationships to one. Rule: `request.detail`.
package struct DetailAddress: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text(String)
    case keyPath([PropertyName])
  }

  package let parts: [Part]

  /// Parses an address. Returns nil if it is empty, if braces are not paired, or if a name in braces is empty.
  package init?(_ text: String) {
    var parts: [Part] = []
    var remaining = Substring(text)
    while let open = remaining.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if open > remaining.startIndex { parts.append(.text(String(remaining[..<open]))) }
      let inside = remaining[remaining.index(after: open)...]
      guard remaining[open] == "{", let close = inside.firstIndex(where: { $0 == "{" || $0 == "}" }),
        inside[close] == "}"
      else { return nil }
      let names = inside[..<close].split(separator: ".", omittingEmptySubsequences: false)
      guard !names.contains(where: \.isEmpty) else { return nil }
      parts.append(.keyPath(names.map { PropertyName(String($0)) }))
      remaining = inside[inside.index(after: close)...]
    }
    if !remaining.isEmpty { parts.append(.text(String(remaining))) }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// A Boolean value that indicates whether the address has a single part. Its value is the whole address and is not
  /// percent-encoded.
  package var isWhole: Bool { parts.count == 1 }
}
