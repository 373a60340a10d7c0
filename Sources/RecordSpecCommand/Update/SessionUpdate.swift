import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The replacement of the responses of recorded scenarios by those of a new session.
struct SessionUpdate {
  let scenarios: [RecordedScenario]
  let responses: [RecordedResponse]
  /// The exchange of each response, in which what varies has the values of the old session; nil if there is none.
  private(set) var replacements: [RecordedSession.Exchange?]
  /// The exchanges that no scenario requests.
  let unasked: [RecordedSession.Exchange]
  let normalizer: SessionNormalizer
  /// The pseudonyms of the new session; nil if secrets and personal values are kept.
  let pseudonyms: Pseudonyms?

  /// - Parameter keepsValues: a Boolean value that indicates whether secrets and personal values are kept.
  init(_ scenarios: [RecordedScenario], _ session: RecordedSession, keepsValues: Bool) {
    self.scenarios = scenarios
    let responses = scenarios.enumerated().flatMap { $1.responses(ofScenario: $0) }
    self.responses = responses
    let baseURLs = scenarios.map(\.scenario.baseURL)
    var roles = IdentifierRoles()
    for scenario in scenarios { roles.add(scenario.scenario.model.schema) }
    var session = session
    var pseudonyms: Pseudonyms?
    if !keepsValues {
      let personal = PersonalValues(of: session)
      var known: [ScalarString: String] = [:]
      if !personal.found.isEmpty {
        let matching = SessionMatching(
          responses, session, baseURLs: baseURLs, SessionAlignment(roles: roles, personal: personal.found))
        for (new, old) in matching.alignment.pseudonyms.mapping.values { known[ScalarString(new)] = old }
      }
      var replacing = Pseudonyms(
        for: personal, known: known, after: Self.lastNumber(in: scenarios, responses))
      session = replacing.replaced(session)
      pseudonyms = replacing
    }
    self.pseudonyms = pseudonyms
    let matching = SessionMatching(
      responses, session, baseURLs: baseURLs, SessionAlignment(roles: roles))
    let normalizer = SessionNormalizer(matching.alignment)
    self.normalizer = normalizer
    unasked = matching.unasked.map { session.exchanges[$0] }
    replacements = zip(responses.indices, matching.partners).map { index, partner in
      guard let partner, responses[index].obstacle == nil else { return nil }
      return Self.normalized(session.exchanges[partner], as: responses[index], index, normalizer)
    }
  }

  private static func normalized(
    _ exchange: RecordedSession.Exchange, as response: RecordedResponse, _ index: Int,
    _ normalizer: SessionNormalizer
  ) -> RecordedSession.Exchange {
    var exchange = exchange
    exchange.json = exchange.json.map {
      normalizer.normalized($0, SessionMatching.position(of: index, response)).ordered(like: response.json)
    }
    var headers = RecordedHeaders()
    for (name, value) in ImportedScenario.headers(of: exchange) {
      let position = SessionMatching.position(of: index, header: name)
      if case .string(let text) = normalizer.normalized(.string(value), position) { headers.add(name, text) }
    }
    exchange.headers = headers
    return exchange
  }

  /// Returns the greatest number of a pseudonym in the files.
  ///
  /// - Complexity: linear in the size of the files.
  private static func lastNumber(in scenarios: [RecordedScenario], _ responses: [RecordedResponse]) -> Int {
    var last = 0
    let prefixes = ["user-", "Person ", "person", "token-"].map { Array($0.utf8.reversed()) }
    func read(_ bytes: [UInt8]) {
      var start: Int?
      for offset in 0...bytes.count {
        let isDigit = offset < bytes.count && (0x30...0x39).contains(bytes[offset])
        if isDigit {
          if start == nil { start = offset }
        } else if let first = start {
          start = nil
          let before = bytes[max(0, first - 7)..<first]
          guard offset - first < 10, prefixes.contains(where: { before.reversed().starts(with: $0) }) else {
            continue
          }
          last = max(last, Int(String(decoding: bytes[first..<offset], as: UTF8.self)) ?? 0)
        }
      }
    }
    func read(_ value: JSONValue) {
      switch value {
      case .string(let text): read(Array(text.utf8))
      case .array(let elements): for element in elements { read(element) }
      case .object(let members): for member in members { read(member.value) }
      case .null, .boolean, .number: break
      }
    }
    for scenario in scenarios { read(scenario.scenario.file.bytes) }
    for response in responses { if let json = response.json { read(json) } }
    return last
  }

  // MARK: Changes

  /// A Boolean value that indicates whether the session answers at least one response.
  var answersAny: Bool { replacements.contains { $0 != nil } }

  /// The files with new contents.
  struct Files {
    var new: [(path: String, bytes: [UInt8])] = []
    /// The scenarios that cannot be changed, by their paths.
    var unchangeable: [String] = []
    /// The bodies that no response of the scenarios names anymore.
    var unused: [String] = []
  }

  /// Returns the files whose contents change.
  func files() -> Files {
    var files = Files()
    var bodies = UpdatedBodies()
    // A response that stays keeps its file.
    for (response, exchange) in zip(responses, replacements) where exchange == nil {
      if let json = response.json { bodies.claim(response, json) }
      bodies.keep(response)
    }
    for (response, exchange) in zip(responses, replacements) {
      if let json = exchange?.json { bodies.claim(response, json) }
    }
    var values: [Int: [Int: JSONValue]] = [:]
    var position = 0
    for (index, response) in responses.enumerated() {
      if index > 0, responses[index - 1].scenario != response.scenario { position = 0 }
      defer { position += 1 }
      guard let exchange = replacements[index] else { continue }
      let value = value(of: response, exchange, &bodies)
      var problems: [AuthorDiagnostic] = []
      if response.node.jsonValue(&problems) != value {
        values[response.scenario, default: [:]][position] = value
      }
    }
    files.new = bodies.files
    files.unused = bodies.unused
    for (index, scenario) in scenarios.enumerated() {
      guard let changed = values[index] else { continue }
      if let bytes = scenario.bytes(with: changed) {
        files.new.append((scenario.path, bytes))
      } else {
        files.unchangeable.append(scenario.path)
      }
    }
    return files
  }

  /// Returns the value of a response in its scenario file.
  private func value(
    of response: RecordedResponse, _ exchange: RecordedSession.Exchange, _ bodies: inout UpdatedBodies
  ) -> JSONValue {
    var problems: [AuthorDiagnostic] = []
    guard case .object(var members)? = response.node.jsonValue(&problems) else { return .null }
    if let failure = exchange.failure {
      for key in FormatMapping.responseBodies + ["status", "headers"] { members[key] = nil }
      members["error"] = .string(failure.rawValue)
      return .object(members)
    }
    members["error"] = nil
    if let json = exchange.json {
      if members["body"] != nil {
        members["body"] = json
      } else {
        members["bodyFile"] = .string(
          bodies.name(
            of: json, for: response, url: exchange.url, scenario: scenarios[response.scenario].path))
      }
    } else {
      for key in FormatMapping.responseBodies where response.json != nil { members[key] = nil }
    }
    let status = exchange.status ?? 200
    // A response without a body needs a status.
    let needsStatus =
      members["status"] == nil && FormatMapping.responseBodies.allSatisfy { members[$0] == nil }
    if status != response.status || needsStatus {
      members["status"] = .number(JSONNumber(Int64(status)))
    }
    let headers = headers(of: response, members["headers"], exchange)
    if headers != members["headers"] ?? .object(JSONObject()) {
      members["headers"] = headers == .object(JSONObject()) ? nil : headers
    }
    return .object(members)
  }

  /// Returns the headers of a response. Those that import does not write stay.
  private func headers(
    of response: RecordedResponse, _ former: JSONValue?, _ exchange: RecordedSession.Exchange
  ) -> JSONValue {
    var headers = JSONObject()
    if case .object(let members)? = former {
      for member in members {
        guard ImportedScenario.keeps(header: member.key) else {
          headers[member.key] = member.value
          continue
        }
        guard let value = exchange.headers[member.key] else { continue }
        let isSame = response.headers[member.key].map { haveSameScalars($0, value) } ?? false
        headers[member.key] = isSame ? member.value : .string(value)
      }
    }
    for (name, value) in exchange.headers.fields
    where !headers.contains(where: { areOneHeader($0.key, name) }) {
      headers[name] = .string(value)
    }
    return .object(headers)
  }
}
