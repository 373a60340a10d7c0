import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// A scenario of a recorded session, and the files that it needs.
struct ImportedScenario {
  /// The names of the files below the folder of the scenario, and their contents. The first one is the scenario.
  var files: [(name: String, bytes: [UInt8])] { [(name + ending, Array(draft.text.utf8))] + otherFiles }
  private var otherFiles: [(name: String, bytes: [UInt8])] = []
  var draft: ScenarioDraft
  /// The entities of an inferred model; nil for the user's model.
  private(set) var inferred: [EntityDescription]?
  /// The guesses of an inferred model that little supports.
  private(set) var weakGuesses: [WeakGuess] = []

  /// The reason why a session has no scenario.
  enum Problem: Error {
    /// All exchanges of the recording are left out.
    case noExchanges
    /// There are no objects to infer a model from.
    case noItems
    /// The user's model has no entities.
    case noEntities
    case model(ModelError)
  }

  /// The model of the scenario.
  enum Model {
    case inferred
    /// The user's model, and its path relative to the scenario.
    case user(ManagedObjectModel, path: String)
    /// No model, for a scenario that runs an app. It has responses, and no steps.
    case ofApp
  }

  private let session: RecordedSession
  private var exchanges: [RecordedSession.Exchange] { session.exchanges }
  private let name: String
  private let ending: String
  private let baseURL: String
  /// The items of each exchange; nil for one without any.
  private let locations: [ItemLocation?]
  private var choices: [EntityFit.Choice] = []
  /// The base URLs of entities with a server of their own.
  private var servers: [EntityName: String] = [:]
  /// A Boolean value that indicates whether the user's model fits all responses.
  var fits: Bool { choices.allSatisfy { $0.problem == nil && $0.isCertain } }
  /// The entities that do not fit the items of responses, in words.
  private(set) var warnings: [String] = []
  private var isUsersModel = false

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - name: the name of the scenario's file, without folder and extension.
  ///   - ending: the extension of the scenario's file.
  ///   - entity: the entity of all responses; nil to choose the entity of each response.
  init(
    _ session: RecordedSession, name: String, ending: String = ".yaml", model: Model,
    entity: EntityName? = nil
  ) throws(Problem) {
    guard !session.exchanges.isEmpty else { throw .noExchanges }
    self.session = session
    self.name = name
    self.ending = ending
    baseURL = Self.baseURL(of: session.exchanges)
    locations = session.exchanges.map { exchange in
      guard let status = exchange.status, (200..<300).contains(status), let json = exchange.json else {
        return nil
      }
      return ItemLocation(in: json, url: exchange.url)
    }
    let host = String(baseURL.dropLast().drop { $0 != "/" }.dropFirst(2))
    let title = "A recorded session with \(host)"
    switch model {
    case .user(let model, let path):
      draft = ScenarioDraft(title: title, model: path)
      isUsersModel = true
      guard let fit = EntityFit(model) else { throw .noEntities }
      choices = zip(session.exchanges, locations).map { exchange, location in
        if let entity, let location, let choice = fit.choice(of: entity, for: location) { return choice }
        return location.map(fit.choice) ?? fit.choice(forURL: exchange.url)
      }
    case .inferred:
      draft = ScenarioDraft(title: title, model: "\(name).model.yaml")
      let groups = locations.compactMap(\.self)
      guard groups.contains(where: { !$0.items.isEmpty }) else { throw .noItems }
      let inferred: InferredModel
      do throws(ModelError) { inferred = try InferredModel(groups) } catch { throw .model(error) }
      self.inferred = inferred.model.entities
      weakGuesses = inferred.weakGuesses
      var roots = inferred.roots[...]
      guard let fit = EntityFit(inferred.model) else { throw .noItems }
      choices = zip(session.exchanges, locations).map { exchange, location in
        if let location, let root = roots.popFirst() {
          guard let root else { return fit.choice(for: location) }
          let entity = inferred.model.entities.first { $0.name == root }
          return EntityFit.Choice(entity: root, reason: "", responseKeyPath: entity?.responseKeyPath)
        }
        return fit.choice(forURL: exchange.url)
      }
      otherFiles.append((draft.model, Array(inferred.text.utf8)))
    case .ofApp: draft = ScenarioDraft(title: title, model: "")
    }
    draft.baseURL = baseURL
    addResponses()
    if case .ofApp = model { return }
    if isUsersModel { addWarnings() }
    addSteps()
  }

  /// Writes comments at the start of the scenario, and of an inferred model.
  mutating func addComments(scenario: [String], model: [String]) {
    draft.header = scenario
    guard inferred != nil, !model.isEmpty,
      let index = otherFiles.firstIndex(where: { $0.name == draft.model })
    else { return }
    let lines = model.map { YAMLComments.line($0) + "\n" }.joined() + "\n"
    otherFiles[index].bytes = Array(lines.utf8) + otherFiles[index].bytes
  }

  /// Returns the origin of most requests; of the first one if several have as many.
  private static func baseURL(of exchanges: [RecordedSession.Exchange]) -> String {
    var counts: [String: Int] = [:]
    let origins = exchanges.map { WebAddress($0.url).origin }
    for origin in origins { counts[origin, default: 0] += 1 }
    let most = counts.values.max()
    return (origins.first { counts[$0] == most } ?? "https://api.test") + "/"
  }

  /// Adds a warning for each entity that does not fit, with the first address whose items it does not fit.
  private mutating func addWarnings() {
    var known: Set<String> = []
    for (exchange, choice) in zip(exchanges, choices) {
      guard let problem = choice.problem, known.insert("\(choice.entity) \(problem)").inserted else {
        continue
      }
      let address = address(of: exchange)?.text ?? exchange.url
      warnings.append("'\(choice.entity)' does not fit the items of '\(address)': \(problem)")
    }
  }

  // MARK: Responses

  private func address(of exchange: RecordedSession.Exchange) -> RequestAddress? {
    exchange.address(relativeTo: baseURL)
  }

  private mutating func addResponses() {
    var positions: [RequestAddress: Int] = [:]
    var fileNames: [[UInt8]: String] = [:]
    for exchange in exchanges {
      guard let address = address(of: exchange) else { continue }
      var bodyFile = exchange.bodyFile
      if bodyFile == nil, let json = exchange.json {
        let bytes = Array(json.indentedText().utf8)
        if let known = fileNames[bytes] {
          bodyFile = known
        } else {
          let file = "_recordings/\(name)/\(Self.fileName(of: exchange.url, number: fileNames.count + 1))"
          fileNames[bytes] = file
          otherFiles.append((file, bytes))
          bodyFile = file
        }
      }
      let response: ScenarioDraft.Response =
        if let failure = exchange.failure {
          .failure(failure)
        } else {
          .answer(
            body: bodyFile.map { .file($0) }, status: exchange.status ?? 200,
            headers: Self.headers(of: exchange))
        }
      if let position = positions[address] {
        draft.addresses[position].responses.append(response)
      } else {
        positions[address] = draft.addresses.count
        let comments =
          exchange.hasGuessedURL ? ["guessed: the address is made up from the name of the file"] : []
        draft.addresses.append(.init(text: address.text, responses: [response], comments: comments))
      }
    }
  }

  /// Returns the name of a body's file, such as `01-issues.json`.
  static func fileName(of url: String, number: Int) -> String {
    let segments = WebAddress(url).path.split(separator: "/").map { PercentEncoding.decoded($0) }
    let part = segments.last { !ItemLocation.isIdentifier($0) } ?? "body"
    let stem = KeyWords.words(of: part.hasSuffix(".json") ? String(part.dropLast(5)) : part)
      .map { String($0.unicodeScalars.filter(\.isASCII).map(Character.init)) }.filter { !$0.isEmpty }
      .joined(separator: "-")
    return (number < 10 ? "0" : "") + "\(number)-\(stem.isEmpty ? "body" : String(stem.prefix(40))).json"
  }

  /// Returns a Boolean value that indicates whether a header is imported.
  static func keeps(header name: String) -> Bool { keptHeaders.contains { areOneHeader($0, name) } }

  /// The headers that are kept, because clients and caches act on them.
  private static let keptHeaders = [
    "Cache-Control", "Content-Location", "Content-Type", "ETag", "Last-Modified", "Link", "Location",
    "Retry-After", "Vary", "X-Total", "X-Total-Count",
  ]

  static func headers(of exchange: RecordedSession.Exchange) -> [(name: String, value: String)] {
    keptHeaders.compactMap { name in
      guard let value = exchange.headers[name] else { return nil }
      // Bodies in scenarios are served as JSON.
      if name == "Content-Type" {
        let type = value.prefix { $0 != ";" }.lowercased()
        if type == "application/json" || exchange.json == nil { return nil }
      }
      let isPrintable = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      return isPrintable ? (name, value) : nil
    }
  }

  // MARK: Steps

  private mutating func addSteps() {
    let targets = Set(exchanges.compactMap(\.redirect))
    let firsts = exchanges.indices.filter { !targets.contains($0) }
    servers = servers(firsts)
    draft.servers = servers.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    let paging = firstPaging(firsts)
    if let paging { draft.paging = (paging.rule, paging.reason) }
    var position = 0
    while position < firsts.count {
      let first = firsts[position]
      var pages = 1
      var last = first
      while let paging, position + pages < firsts.count,
        RecordedPaging(from: exchanges[last], to: exchanges[firsts[position + pages]]) == paging,
        exchanges[firsts[position + pages]].redirect == nil, exchanges[first].redirect == nil,
        choices[firsts[position + pages]].entity == choices[first].entity
      {
        last = firsts[position + pages]
        pages += 1
      }
      let isComplete = paging.map { !$0.continues(after: exchanges[last]) } ?? false
      draft.steps.append(step(first, pages: pages, isComplete: isComplete))
      position += pages
    }
  }

  private func firstPaging(_ firsts: [Int]) -> RecordedPaging? {
    for (first, next) in zip(firsts, firsts.dropFirst()) where exchanges[first].redirect == nil {
      if let paging = RecordedPaging(from: exchanges[first], to: exchanges[next]) { return paging }
    }
    return nil
  }

  private func step(_ first: Int, pages: Int, isComplete: Bool) -> ScenarioDraft.Step {
    let exchange = exchanges[first]
    let last = lastExchange(from: first)
    let choice = choices[last]
    var members = JSONObject()
    var options = JSONObject()
    members[pages > 1 ? "page" : "request"] = .string(choice.entity.rawValue)
    members["urn"] = .string(urn(of: exchange, choice.entity))
    if exchange.method != "GET" { members["method"] = .string(exchange.method) }
    if let range = exchange.requestHeaders["Range"], exchanges[last].status == 206 {
      options["headers"] = ["Range": .string(range)]
    }
    var comments: [String] = []
    if isUsersModel, !choice.reason.isEmpty { comments.append("guessed: \(choice.reason)") }
    if let body = exchange.requestBody, !body.bytes.isEmpty {
      add(body, of: exchange, to: &members, &comments)
    }
    if let location = locations[last], let path = location.path,
      MappingPath(keys: path) != choice.responseKeyPath ?? MappingPath(keys: [])
    {
      let value: JSONValue = path.isEmpty ? .array([]) : .string(MappingPath(keys: path).description)
      options["responseKeyPath"] = value
    }
    if !options.isEmpty { members["options"] = .object(options) }
    if pages > 1 { members["upTo"] = isComplete ? "all" : .number(JSONNumber(Int64(pages))) }
    if let expectation = expectation(exchanges[last], locations[last], pages, &comments) {
      members["expect"] = expectation
    }
    return ScenarioDraft.Step(members: members, comments: comments)
  }

  /// Returns what a step must expect so that it passes: a failure, or no records.
  private func expectation(
    _ exchange: RecordedSession.Exchange, _ location: ItemLocation?, _ pages: Int, _ comments: inout [String]
  ) -> JSONValue? {
    if let failure = exchange.failure { return ["failure": .string(failure.rawValue)] }
    guard let status = exchange.status else { return nil }
    if exchange.isConfirmed {
      comments.append("recorded with status 304, and with the body in the cache of the client")
    }
    if status == 304 {
      comments.append("304 is a success only with 'cache: true' in the entity, for a stored response")
    }
    if status >= 300 || status == 206 && exchange.requestHeaders["Range"] == nil {
      return ["failure": ["status": .number(JSONNumber(Int64(status)))]]
    }
    guard exchange.method == "GET", pages == 1, ![204, 205].contains(status) else { return nil }
    if exchange.json == nil || exchange.json == .null { return ["records": []] }
    guard let location else { return ["failure": "invalid-response-format"] }
    return location.items.isEmpty ? ["records": []] : nil
  }

  private func add(
    _ body: RecordedExchange.Body, of exchange: RecordedSession.Exchange, to members: inout JSONObject,
    _ comments: inout [String]
  ) {
    guard allowsBody(method: exchange.method) else { return }
    let type = body.mediaType.prefix { $0 != ";" }.lowercased()
    if let document = try? JSONDocument(parsing: body.bytes), document.depth < YAMLParser.maximumDepth - 4 {
      members["json"] = document.root.value
      return
    }
    let parameters = WebAddress("?" + String(decoding: body.bytes, as: UTF8.self)).parameters
    let isForm = type == "application/x-www-form-urlencoded" || type.isEmpty && parameters.count > 0
    if isForm, Set(parameters.map(\.name)).count == parameters.count {
      members["form"] = .object(JSONObject(parameters.map { ($0.name, .string($0.value)) }))
    } else {
      comments.append("the body of the request (\(type.isEmpty ? "unknown type" : type)) is not imported")
    }
  }

  // MARK: Servers

  /// Returns the base URLs of the entities whose requests go to another origin.
  ///
  /// A body is sent only to the server of its entity, so the origin of the requests with a body decides. Requests to another
  /// origin than that of their entity have a complete URL.
  ///
  /// - Parameter firsts: the indices of the exchanges that are no targets of redirects.
  private func servers(_ firsts: [Int]) -> [EntityName: String] {
    var origins: [EntityName: (all: Set<String>, ofBodies: Set<String>)] = [:]
    for first in firsts {
      let origin = WebAddress(exchanges[first].url).origin + "/"
      let entity = choices[lastExchange(from: first)].entity
      origins[entity, default: ([], [])].all.insert(origin)
      if sendsBody(exchanges[first]) { origins[entity, default: ([], [])].ofBodies.insert(origin) }
    }
    return origins.compactMapValues { found in
      let deciding = found.ofBodies.isEmpty ? found.all : found.ofBodies
      guard deciding.count == 1, let origin = deciding.first, origin != baseURL else { return nil }
      return origin
    }
  }

  private func sendsBody(_ exchange: RecordedSession.Exchange) -> Bool {
    allowsBody(method: exchange.method) && exchange.requestBody.map { !$0.bytes.isEmpty } ?? false
  }

  /// Returns the index of the exchange in which the redirects from an exchange end.
  private func lastExchange(from first: Int) -> Int {
    var last = first
    while let next = exchanges[last].redirect { last = next }
    return last
  }

  /// Returns the address of a step's request. Addresses are relative to the server of the entity.
  private func urn(of exchange: RecordedSession.Exchange, _ entity: EntityName) -> String {
    guard var address = address(of: exchange) else { return "" }
    address.method = "GET"
    return servers[entity] == nil ? address.text : address.url(relativeTo: baseURL)
  }
}
