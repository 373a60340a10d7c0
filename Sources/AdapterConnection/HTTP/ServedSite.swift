import RecordEngine
package import ScenarioFormat

/// A server of a scenario that is served on this machine.
package struct ServedSite: Sendable {
  /// The scheme and host, such as `https://api.test`.
  package let origin: String
  /// The base URL that the scenario states; nil for an origin that only an address of `responses` names.
  package let baseURL: String?

  /// The path of the base URL: `/` for `https://api.test/`.
  package var path: String {
    let path = WebAddress(baseURL ?? origin).path
    return path.isEmpty ? "/" : path
  }

  /// Returns the servers of a scenario. The first one has the scenario's base URL.
  package static func all(of scenario: Scenario) -> [ServedSite] {
    var seen: Set<String> = []
    let bases = [scenario.baseURL] + scenario.servers.compactMap(\.baseURL)
    let others = scenario.responses.map(\.address.path).filter { WebAddress($0).scheme != nil }
    return (bases.map { ($0, true) } + others.map { ($0, false) }).compactMap { url, isBase in
      let origin = WebAddress(url).origin
      return seen.insert(origin).inserted ? ServedSite(origin: origin, baseURL: isBase ? url : nil) : nil
    }
  }
}
