internal import JSONTree

/// What a request asks for: a method, a path and parameters. A query and the data of a request are one set.
public struct RequestAddress: Hashable, Sendable {
  public var method: String
  /// Without query; relative to the scenario's base URL if it is there, and without a slash before it.
  public var path: String
  /// The parameters, decoded.
  public var parameters: [String: String]

  /// - Parameters:
  ///   - urn: an address, relative to `baseURL` or in full.
  ///   - data: parameters that are to be sent beside those of the address; they count where both name one.
  package init(
    method: String, urn: some StringProtocol, data: [String: String] = [:], baseURL: String
  ) throws(QueryParameters.SyntaxError) {
    self.method = method
    let address = urn.hasPrefix(baseURL) ? Substring(urn.dropFirst(baseURL.count)) : Substring(urn)
    // By scalars: a name or value may begin with an accent.
    let scalars = address.unicodeScalars
    path = String(scalars.prefix { $0 != "?" }.drop { $0 == "/" })
    parameters = try QueryParameters.parse(Substring(scalars.drop { $0 != "?" }.dropFirst()))
    parameters.merge(data) { _, data in data }
  }

  public static func == (left: RequestAddress, right: RequestAddress) -> Bool {
    left.method == right.method && haveSameScalars(left.path, right.path)
      && haveSameScalars(left.parameters, right.parameters)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(scalarsOf: path)
    hasher.combine(parameters)
  }

  /// The address as an author would write it, parameters by name: `POST posts?draft=1&text=a%20b`.
  public var text: String {
    let query = parameters.sorted { scalarsPrecede($0.key, $1.key) }.map {
      Self.escaped($0.key, besides: "=") + "=" + Self.escaped($0.value)
    }
    return (method == "GET" ? "" : method + " ") + path
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// The whole address, as it would be sent.
  package func url(relativeTo baseURL: String) -> String {
    var address = self
    address.method = "GET"
    let isWhole = path.hasPrefix("https://") || path.hasPrefix("http://")
    return (isWhole ? "" : baseURL) + address.text
  }

  /// Escapes what would be read as something else.
  private static func escaped(_ text: String, besides more: String = "") -> String {
    let digits = Array("0123456789ABCDEF")
    return text.unicodeScalars.map { scalar in
      guard scalar.value <= 0x20 || scalar.value == 0x7F || ("%&+#" + more).unicodeScalars.contains(scalar)
      else { return String(scalar) }
      return "%\(digits[Int(scalar.value) / 16])\(digits[Int(scalar.value) % 16])"
    }.joined()
  }
}
