import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioFormat

/// The exchanges of a new session that answer the requests of recorded scenarios.
struct SessionMatching {
  let responses: [RecordedResponse]
  let exchanges: [RecordedSession.Exchange]
  /// For each response, the index of its exchange; nil if the new session has none.
  private(set) var partners: [Int?]
  /// The indices of the exchanges that no scenario requests.
  private(set) var unasked: [Int] = []
  private(set) var alignment: SessionAlignment

  /// Matches the exchanges to the responses with their address, in order. The identifiers in addresses may differ, if they are
  /// known from bodies before them, or if only one address can be meant.
  ///
  /// - Parameter baseURLs: the URL of each scenario that its addresses are relative to.
  /// - Complexity: linear in the size of the session, for each scenario.
  init(
    _ responses: [RecordedResponse], _ session: RecordedSession, baseURLs: [String],
    _ alignment: SessionAlignment
  ) {
    self.responses = responses
    exchanges = session.exchanges
    self.alignment = alignment
    partners = Array(repeating: nil, count: responses.count)
    var isAsked = Array(repeating: false, count: exchanges.count)
    let byScenario = Dictionary(grouping: responses.indices) { responses[$0].scenario }
    for (scenario, baseURL) in baseURLs.enumerated() {
      match(byScenario[scenario] ?? [], baseURL, &isAsked)
    }
    unasked = exchanges.indices.filter { !isAsked[$0] }
  }

  /// The responses to an address, which are removed at both ends.
  private struct Queue {
    private var indices: ArraySlice<Int> = []
    private var count = 0
    /// The last of all responses.
    private(set) var last: Int?

    mutating func add(_ index: Int) {
      indices.append(index)
      count += 1
      last = index
    }

    /// Returns the response to one of several requests: the last one to the last request, however often it was repeated.
    ///
    /// - Parameters:
    ///   - requests: the number of requests.
    ///   - rest: the number of requests after this one.
    mutating func next(of requests: Int, rest: Int, where isFree: (Int) -> Bool) -> Int? {
      while let first = indices.first, !isFree(first) { indices.removeFirst() }
      while let last = indices.last, !isFree(last) { indices.removeLast() }
      if requests == 1 || count == 1 { return indices.popFirst() }
      if rest == 0 { return indices.popLast() }
      return indices.count > 1 ? indices.popFirst() : nil
    }
  }

  private mutating func match(_ indices: [Int], _ baseURL: String, _ isAsked: inout [Bool]) {
    let addresses = exchanges.map { $0.address(relativeTo: baseURL) }
    let asked = Set(addresses.compactMap(\.self))
    var queues: [RequestAddress: Queue] = [:]
    var templates: [String: Queue] = [:]
    for index in indices {
      let address = responses[index].address
      queues[address, default: Queue()].add(index)
      if !asked.contains(address) {
        templates[alignment.template(of: address), default: Queue()].add(index)
      }
    }
    let counts = addresses.compactMap(\.self).reduce(into: [RequestAddress: Int]()) {
      $0[$1, default: 0] += 1
    }
    var rests = counts
    for (position, address) in addresses.enumerated() {
      guard let address else { continue }
      rests[address, default: 1] -= 1
      let rest = rests[address] ?? 0
      // Requests with bodies are not repetitions.
      let requests = address.method == "GET" ? counts[address] ?? 1 : 1
      let translated = alignment.translated(address)
      var found: Int?
      var isKnown = false
      for candidate in translated == address ? [address] : [translated, address] where found == nil {
        guard queues[candidate] != nil else { continue }
        isKnown = true
        found = queues[candidate]?.next(of: requests, rest: rest) { partners[$0] == nil }
        if found == nil, queues[candidate]?.last.map({ responses[$0].isRepeated }) ?? false {
          isAsked[position] = true
        }
      }
      if found == nil, !isKnown {
        found = templates[alignment.template(of: address)]?.next(of: 1, rest: 0) { partners[$0] == nil }
      }
      guard let found else { continue }
      isAsked[position] = true
      partners[found] = position
      align(found, exchanges[position], address)
    }
  }

  private mutating func align(_ index: Int, _ exchange: RecordedSession.Exchange, _ address: RequestAddress) {
    let response = responses[index]
    alignment.align(old: WebAddress(response.address.path), new: WebAddress(address.path))
    for (name, values) in address.parameters.sorted(by: { scalarsPrecede($0.key, $1.key) }) {
      guard let formers = response.address.parameters[name] else { continue }
      for (former, value) in zip(formers, values) {
        alignment.note(oldPart: former, newPart: value, name, in: response.noun)
      }
    }
    if let json = exchange.json {
      alignment.align(
        old: response.json, new: json, Self.position(of: index, response))
    }
    for (name, value) in ImportedScenario.headers(of: exchange) {
      let former = response.headers.first { areOneHeader($0.key, name) }?.value
      alignment.align(
        old: former.map { .string($0) }, new: .string(value), Self.position(of: index, header: name))
    }
  }

  /// Returns the position of the body of a response.
  static func position(of index: Int, _ response: RecordedResponse) -> SessionAlignment.Position {
    SessionAlignment.Position(key: response.noun, noun: response.noun, response: index)
  }

  /// Returns the position of a header of a response.
  static func position(of index: Int, header name: String) -> SessionAlignment.Position {
    SessionAlignment.Position(key: name, noun: "", response: index)
  }
}
