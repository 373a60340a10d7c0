/// The address of a record's details as a model writes it: `posts/{id}`, `users/{user.login}/posts/{id}`, or `{url}`.
///
/// What stands in braces is an attribute, or one that to-one relationships lead to. Rule: `request.detail`.
package struct DetailAddress: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text(String)
    case keyPath([PropertyName])
  }

  package let parts: [Part]

  /// Nil if braces are not in pairs, or there is nothing in them.
  package init?(_ text: String) {
    var parts: [Part] = []
    var rest = Substring(text)
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      let inside = rest[rest.index(after: open)...]
      guard rest[open] == "{", let close = inside.firstIndex(where: { $0 == "{" || $0 == "}" }),
        inside[close] == "}"
      else { return nil }
      let names = inside[..<close].split(separator: ".", omittingEmptySubsequences: false)
      guard !names.contains(where: \.isEmpty) else { return nil }
      parts.append(.keyPath(names.map { PropertyName(String($0)) }))
      rest = inside[inside.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// Whether the address is one value as it stands, and no part of a path.
  package var isWhole: Bool { parts.count == 1 }
}
