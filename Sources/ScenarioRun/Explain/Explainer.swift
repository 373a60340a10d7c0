package import JSONTree
package import RecordEngine
package import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// An explainer of the records of a scenario that was executed with provenance.
// A class, because it caches what many explanations need.
package final class Explainer {
  /// The maximum number of equal facts in an explanation, such as the members of a to-many.
  package static let limit = 10

  package let scenario: Scenario
  package let schema: Schema
  package let graphs: [GraphSnapshot]
  private let provenance: ScenarioProvenance
  /// The canned responses with the addresses as the author wrote them, by the mark of the response.
  private let canned: [(address: String, response: CannedResponse)]
  /// For each step, the responses that mention each record.
  private let mentions: [[RecordID: [Mention]]]
  /// For each cache entry, the steps that stored a response in it, in order.
  private let fillings: [CacheEntryID: [Int]]
  private let positions = BodyPositions()
  private var ids: [Int: [RecordLabel: RecordID]] = [:]
  private var pointers: [ObjectIdentifier: [Int32: JSONPointer]] = [:]
  /// The deletions by the responses of a step.
  private var deletions: [Int: [RecordID: (ResponseProvenance, DeletionProvenance)]] = [:]
  private var lastHistory: (label: RecordLabel, step: Int, states: [State])?

  /// A response that mentions a record.
  package struct Mention {
    /// The step, from 1.
    package let step: Int
    package let response: ResponseProvenance
    /// The provenance of the record; nil if a cached response mentions it, which populates nothing.
    package let record: RecordProvenance?
  }

  /// The state of a record after a step. Step 0 is the state before the first step.
  package struct State {
    package let step: Int
    package let id: RecordID
    package let record: RecordSnapshot
  }

  /// Creates an explainer; nil if the provenance was not recorded, or not to the end.
  package init?(_ scenario: Scenario, _ executed: ExecutedScenario) {
    guard let provenance = executed.provenance, !executed.graphs.isEmpty,
      provenance.labels.count == executed.graphs.count, provenance.steps.count + 1 == executed.graphs.count
    else { return nil }
    self.scenario = scenario
    self.provenance = provenance
    schema = scenario.model.schema
    graphs = executed.graphs
    canned = scenario.responses.flatMap { address in address.responses.map { (address.text, $0) } }
    var fillings: [CacheEntryID: [Int]] = [:]
    for (index, responses) in provenance.steps.enumerated() {
      for response in responses where response.population != nil {
        if let entry = response.cacheEntry { fillings[entry, default: []].append(index + 1) }
      }
    }
    self.fillings = fillings
    mentions = provenance.steps.enumerated().map { index, responses in
      var mentions: [RecordID: [Mention]] = [:]
      for response in responses {
        guard let population = response.population else {
          for id in Set(response.results) {
            mentions[id, default: []].append(Mention(step: index + 1, response: response, record: nil))
          }
          continue
        }
        for record in population.records {
          mentions[record.record, default: []].append(
            Mention(step: index + 1, response: response, record: record))
        }
      }
      return mentions
    }
  }

  /// The number of steps that were executed.
  package var stepCount: Int { graphs.count - 1 }

  /// The labels of all records after the last step, followed by those of records that earlier steps had.
  package var labels: (current: [RecordLabel], former: [RecordLabel]) {
    let current = graphs[stepCount].readableLabels
    var known = Set(current)
    var former: [RecordLabel] = []
    for step in graphs.indices.reversed() {
      for label in graphs[step].records.keys where !known.contains(label) {
        guard let id = id(of: label, after: step), !isRelabeled(id) else { continue }
        known.insert(label)
        former.append(label)
      }
    }
    return (current, former.sortedForReading())
  }

  private func isRelabeled(_ id: RecordID) -> Bool { provenance.labels[stepCount][id] != nil }

  // MARK: States

  /// Returns the last step after which a record has a label; nil if no record ever has it.
  func lastStep(of label: RecordLabel) -> Int? { lastStep(of: label, until: stepCount) }

  /// Returns the last step up to another one after which a record has a label.
  func lastStep(of label: RecordLabel, until end: Int) -> Int? {
    graphs.indices.prefix(end + 1).last { graphs[$0][label] != nil }
  }

  /// Returns the step that created a record; 0 if it existed before the first step, and nil if no step has it.
  func firstStep(of id: RecordID) -> Int? { provenance.labels.firstIndex { $0[id] != nil } }

  package func id(of label: RecordLabel, after step: Int) -> RecordID? {
    if ids[step] == nil {
      ids[step] = Dictionary(
        provenance.labels[step].map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return ids[step]?[label]
  }

  package func label(of id: RecordID, after step: Int) -> RecordLabel? { provenance.labels[step][id] }

  /// Returns the states of a record up to a step, the latest first.
  func history(of label: RecordLabel, after step: Int) -> [State] {
    // The properties of a record are explained one after the other.
    if let last = lastHistory, last.label == label, last.step == step { return last.states }
    let states = states(of: label, after: step)
    lastHistory = (label, step, states)
    return states
  }

  private func states(of label: RecordLabel, after step: Int) -> [State] {
    guard graphs.indices.contains(step), let id = id(of: label, after: step), let record = graphs[step][label]
    else { return [] }
    var states = [State(step: step, id: id, record: record)]
    for step in (0..<step).reversed() {
      guard let state = state(before: states[states.count - 1], after: step) else { break }
      states.append(state)
    }
    return states
  }

  private func state(before later: State, after step: Int) -> State? {
    if let label = provenance.labels[step][later.id], let record = graphs[step][label] {
      return State(step: step, id: later.id, record: record)
    }
    // The save of an unsaved record can replace it by a stored record with the same key.
    let label = later.record.label
    guard !label.isNumbered, let id = id(of: label, after: step),
      provenance.labels[later.step][id] == nil, let record = graphs[step][label]
    else { return nil }
    return State(step: step, id: id, record: record)
  }

  /// Returns the index of the state in which a property got its value; the last index if it has had it from the
  /// beginning.
  package func change(of name: PropertyName, in states: [State]) -> Int {
    for index in states.indices.dropLast()
    where !isSame(states[index], states[index + 1], name) { return index }
    return states.count - 1
  }

  private func isSame(_ later: State, _ earlier: State, _ name: PropertyName) -> Bool {
    let (now, then) = (later.record.properties[name], earlier.record.properties[name])
    if now == then { return true }
    // Links are the same if they lead to the same records, whatever the labels of these are.
    guard let now, let then, !now.links.isEmpty, now.links.count == then.links.count else { return false }
    let ids = Set(now.links.compactMap { id(of: $0, after: later.step) })
    return ids.count == now.links.count
      && ids == Set(then.links.compactMap { id(of: $0, after: earlier.step) })
  }

  /// Returns the responses of a step that mention a record, in the order of their delivery.
  package func mentions(of id: RecordID, in step: Int) -> [Mention] {
    step == 0 ? [] : mentions[step - 1][id] ?? []
  }

  func firstResponse(of step: Int) -> ResponseProvenance? {
    step == 0 ? nil : provenance.steps[step - 1].first
  }

  func isResponse(_ step: Int) -> Bool { firstResponse(of: step) != nil }

  package func seed(_ id: RecordID) -> SeedRecord? { provenance.seeds[id] }

  /// Returns the deletion of a record by a response of a step.
  func deletion(of id: RecordID, in step: Int) -> (
    response: ResponseProvenance, deletion: DeletionProvenance
  )? {
    if deletions[step] == nil {
      var found: [RecordID: (ResponseProvenance, DeletionProvenance)] = [:]
      for response in provenance.steps[step - 1] {
        for deletion in response.population?.deletions ?? [] where found[deletion.record] == nil {
          found[deletion.record] = (response, deletion)
        }
      }
      deletions[step] = found
    }
    return deletions[step]?[id]
  }

  /// Returns the step whose response a cached response is; nil if it is unknown.
  func filling(of mention: Mention) -> Int? {
    guard let entry = mention.response.cacheEntry, let steps = fillings[entry] else { return nil }
    // A cache in memory begins again when the store is opened again, with the same entries.
    return steps.last { $0 <= mention.step }
  }

  // MARK: Texts

  /// The text of a response: `step 2, posts?page=2`, and the address that a redirect led to.
  package func text(of mention: Mention) -> String { text(of: mention.response, in: mention.step) }

  package func text(of response: ResponseProvenance, in step: Int) -> String {
    let request = response.request
    let text = "step \(step), \(address(method: request.method, request.urn, request.query))"
    // The method is stated only once: it is known only of the request that was made.
    return response.redirection.map { "\(text), redirected to \(address(method: "GET", $0, [:]))" } ?? text
  }

  /// Returns a fact about the response that set a value, and one about its redirect.
  func settingFacts(_ mention: Mention, name: String = "set by") -> [Explanation.Fact] {
    [Explanation.Fact(name: name, text: text(of: mention), step: mention.step)] + redirectFacts(mention)
  }

  /// Returns a fact about the canned response that redirected a request; empty if there is none.
  func redirectFacts(_ mention: Mention) -> [Explanation.Fact] {
    guard let target = mention.response.redirection, let mark = mention.response.redirectMark,
      canned.indices.contains(mark)
    else { return [] }
    let (source, response) = canned[mark]
    var fact = Explanation.Fact(
      name: "redirect",
      text: "\(response.status) of '\(source)' leads to '\(address(method: "GET", target, [:]))'",
      step: mention.step)
    fact.position = SourcePosition(response.span)
    return [fact]
  }

  private func address(method: String, _ urn: String, _ query: [String: String]) -> String {
    let address = try? RequestAddress(method: method, urn: urn, query: query, baseURL: scenario.baseURL)
    return address?.text ?? urn
  }

  /// Returns the position of a node of a response in the files of the author.
  package func position(of node: JSONNode, at pointer: JSONPointer? = nil, in mention: Mention)
    -> SourcePosition?
  {
    source(of: mention).map {
      positions.position(of: node, at: pointer ?? self.pointer(of: node, in: mention), in: $0)
    }
  }

  private func source(of mention: Mention) -> BodySource? {
    if let mark = mention.response.mark {
      return canned.indices.contains(mark) ? canned[mark].response.bodySource : nil
    }
    if case .serialize(let step) = scenario.steps[mention.step - 1].action { return step.bodySource }
    return nil
  }

  /// Returns the pointer of a node of a response. The pointers of all nodes that the provenance of the response names
  /// are found in one pass.
  package func pointer(of node: JSONNode, in mention: Mention) -> JSONPointer {
    let key = ObjectIdentifier(node.document)
    if pointers[key] == nil {
      let nodes = mention.response.population?.positions ?? []
      pointers[key] = node.document.pointers(of: nodes.filter { $0.document === node.document })
    }
    return pointers[key]?[node.index] ?? node.pointer
  }

  /// Returns a fact about a value of a response.
  ///
  /// - Parameter pointer: the pointer of the node; nil to find it.
  package func fact(
    _ name: String, at node: JSONNode?, _ pointer: JSONPointer? = nil, in mention: Mention, _ text: String,
    _ rules: [String] = []
  ) -> Explanation.Fact {
    var fact = Explanation.Fact(name: name, text: text, rules: rules, step: mention.step)
    if let node {
      let pointer = pointer ?? self.pointer(of: node, in: mention)
      fact.position = position(of: node, at: pointer, in: mention)
      fact.pointer = pointer
    }
    return fact
  }
}

extension PopulationProvenance {
  /// The nodes that facts can name.
  fileprivate var positions: [JSONNode] {
    var nodes: [JSONNode] = []
    for record in records {
      nodes += record.items.map(\.node)
      for attribute in record.attributes {
        let values = [attribute.value].compactMap(\.self) + attribute.superseded.prefix(Explainer.limit)
        nodes += values.compactMap(\.position)
      }
      for relationship in record.relationships {
        nodes += relationship.links.prefix(Explainer.limit).compactMap(\.position)
        nodes += relationship.inverses.prefix(Explainer.limit).compactMap(\.position)
        if let position = relationship.position { nodes.append(position) }
      }
      for relationship in schema.entity(record.entity)?.relationships ?? [] {
        nodes += record.supersededValues(at: schema.relationships[relationship].paths).compactMap(\.position)
      }
    }
    for deletion in deletions {
      if case .tombstone(let node) = deletion.cause { nodes.append(node) }
    }
    return nodes
  }
}
