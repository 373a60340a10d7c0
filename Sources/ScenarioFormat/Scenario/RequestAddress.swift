import JSONTree

/// The method, path and parameters of a request. The parameters of its address and its query form one set.
package struct RequestAddress: Hashable, Sendable {
  /// The HTTP method, in uppercase.
  package var method: String
  /// The path without the query and without leading slashes, which is empty for the root. It is relative to the scenario's
  /// base URL if the address begins with that URL.
  package var path: String
  /// The decoded parameters. Most have a single value; the values of a repeated one are in the order of the address.
  package var parameters: [String: [String]]

  /// Creates an address.
  ///
  /// - Parameters:
  ///   - urn: an address, relative to `baseURL` or absolute.
  ///   - query: additional parameters, which take precedence over those of the address.
  package init(
    method: String, urn: some StringProtocol, query: [String: String] = [:], baseURL: String
  ) throws(QueryParameters.SyntaxError) {
    self.method = method
    let whole = Self.normalized(Substring(urn))
    let base = Self.normalized(Substring(baseURL))
    let address = whole.hasPrefix(base) ? whole.dropFirst(base.count) : whole
    // By scalars, because a name or value may begin with a combining accent.
    let scalars = address.unicodeScalars
    path = String(scalars.prefix { $0 != "?" }.drop { $0 == "/" })
    parameters = try QueryParameters.parse(Substring(scalars.drop { $0 != "?" }.dropFirst()))
    parameters.merge(query.mapValues { [$0] }) { _, query in query }
  }

  /// Returns an address in the normalized form of its URL (RFC 3986, section 6.2): with a host in lower case, without the
  /// default port of the scheme, and with the path `/` if it has none. Other addresses are unchanged.
  private static func normalized(_ address: Substring) -> Substring {
    guard
      let scheme = [("https://", ":443"), ("http://", ":80")].first(where: {
        address.prefix($0.0.count).lowercased() == $0.0
      })
    else { return address }
    let rest = address.unicodeScalars.dropFirst(scheme.0.unicodeScalars.count)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = rest[..<end]
    let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
    var host = String(authority[start...]).lowercased()
    for port in [scheme.1, ":"] where host.hasSuffix(port) { host.removeLast(port.count) }
    let hasPath = end < rest.endIndex && rest[end] == "/"
    return Substring(scheme.0 + String(authority[..<start]) + host + (hasPath ? "" : "/")) + address[end...]
  }

  package static func == (left: RequestAddress, right: RequestAddress) -> Bool {
    left.method == right.method && haveSameScalars(left.path, right.path)
      && left.parameters.count == right.parameters.count
      && left.hasParameters(of: right)
  }

  /// Returns a Boolean value that indicates whether all parameters of another address have the same values in this one.
  private func hasParameters(of other: RequestAddress) -> Bool {
    other.parameters.allSatisfy { name, values in
      guard let index = parameters.index(forKey: name) else { return false }
      let own = parameters[index]
      return haveSameScalars(own.key, name) && own.value.count == values.count
        && zip(own.value, values).allSatisfy { haveSameScalars($0, $1) }
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(scalarsOf: path)
    hasher.combine(parameters)
  }

  /// The address as an author would write it, with its parameters sorted by name: `POST posts?draft=1&text=a%20b`. That of
  /// the root is `/`.
  package var text: String {
    let query = parameters.sorted { scalarsPrecede($0.key, $1.key) }.flatMap { name, values in
      values.map { Self.escaped(name, besides: "=") + "=" + Self.escaped($0) }
    }
    return (method == "GET" ? "" : method + " ") + (path.isEmpty ? "/" : path)
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Returns the absolute URL as it would be sent.
  package func url(relativeTo baseURL: String) -> String {
    var address = self
    address.method = "GET"
    let isWhole = path.hasPrefix("https://") || path.hasPrefix("http://")
    return isWhole ? address.text : baseURL + address.text.drop { $0 == "/" }
  }

  /// Returns a Boolean value that indicates whether a canned address matches a request. The canned address may have
  /// fewer parameters.
  package func answers(_ asked: RequestAddress) -> Bool {
    method == asked.method && haveSameScalars(path, asked.path)
      && asked.hasParameters(of: self)
  }

  /// Percent-encodes characters that would have another meaning.
  private static func escaped(_ text: String, besides more: String = "") -> String {
    let digits = Array("0123456789ABCDEF")
    return text.unicodeScalars.map { scalar in
      guard scalar.value <= 0x20 || scalar.value == 0x7F || ("%&+#" + more).unicodeScalars.contains(scalar)
      else { return String(scalar) }
      return "%\(digits[Int(scalar.value) / 16])\(digits[Int(scalar.value) % 16])"
    }.joined()
  }
}
