import JSONTree

/// The method, path and parameters of a request. The parameters of its address and its query form one set.
package struct RequestAddress: Hashable, Sendable {
  /// The HTTP method, in uppercase.
  package var method: String
  /// The path without the query and without leading slashes. It is relative to the scenario's base URL if the address
  /// begins with that URL.
  package var path: String
  /// The decoded parameters.
  package var parameters: [String: String]

  /// Creates an address.
  ///
  /// - Parameters:
  ///   - urn: an address, relative to `baseURL` or absolute.
  ///   - query: additional parameters, which take precedence over those of the address.
  package init(
    method: String, urn: some StringProtocol, query: [String: String] = [:], baseURL: String
  ) throws(QueryParameters.SyntaxError) {
    self.method = method
    let address = urn.hasPrefix(baseURL) ? Substring(urn.dropFirst(baseURL.count)) : Substring(urn)
    // By scalars, because a name or value may begin with a combining accent.
    let scalars = address.unicodeScalars
    path = String(scalars.prefix { $0 != "?" }.drop { $0 == "/" })
    parameters = try QueryParameters.parse(Substring(scalars.drop { $0 != "?" }.dropFirst()))
    parameters.merge(query) { _, query in query }
  }

  package static func == (left: RequestAddress, right: RequestAddress) -> Bool {
    left.method == right.method && haveSameScalars(left.path, right.path)
      && haveSameScalars(left.parameters, right.parameters)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(scalarsOf: path)
    hasher.combine(parameters)
  }

  /// The address as an author would write it, with its parameters sorted by name: `POST posts?draft=1&text=a%20b`.
  package var text: String {
    let query = parameters.sorted { scalarsPrecede($0.key, $1.key) }.map {
      Self.escaped($0.key, besides: "=") + "=" + Self.escaped($0.value)
    }
    return (method == "GET" ? "" : method + " ") + path
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Returns the absolute URL as it would be sent.
  package func url(relativeTo baseURL: String) -> String {
    var address = self
    address.method = "GET"
    let isWhole = path.hasPrefix("https://") || path.hasPrefix("http://")
    return (isWhole ? "" : baseURL) + address.text
  }

  /// Returns a Boolean value that indicates whether a canned address matches a request. The canned address may have
  /// fewer parameters.
  package func answers(_ asked: RequestAddress) -> Bool {
    method == asked.method && haveSameScalars(path, asked.path)
      && haveSameScalars(parameters, asked.parameters.filter { parameters.keys.contains($0.key) })
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
