package import JSONTree
package import RecordModel

/// The way of one response into records, step by step. Rules: `population.*`.
///
/// Each step goes over all protos before the next begins, so that a step may rely on what the one before has settled
/// for every record, and the store is asked per group and never per record.
package struct Population {
  let schema: Schema
  let entity: EntityIndex
  let options: PopulationOptions
  /// The address of the response, for diagnostics.
  let response: String

  let entityChoice: EntityChoice
  /// Whether some entity of the model has a marshaler: if not, nobody is asked for one.
  let hasMarshalers: Bool

  var graph: WorkingGraph
  var diagnostics: [Diagnostic] = []
  /// What diagnostics are about, by their index, until all pointers are found in one walk over the response.
  var places: [Int: DiagnosticPlaces] = [:]
  /// The values of other documents that diagnostics may be about.
  var otherNodes: [JSONNode] = []
  /// In the order in which they were met, depth first.
  var protos: [ProtoRecord] = []
  var identities = ProtoIdentities()
  /// What has been met, to know it again when it stands there again.
  var repeatedItems = RepeatedItems()
  var metItems = 0
  /// One for each item of the response, in its order.
  var roots: [Int] = []
  /// The entities that items were declared to be of which could be no record.
  var leftOut: Set<EntityIndex> = []
  /// Whether the response has a list of items, be it an empty one.
  var hasList = false
  /// What the pages so far have brought, where orphans are looked for page by page.
  var brought: BroughtRecords?
  /// The response object. Until there is one, a null.
  private(set) var document = Self.noDocument
  private static let noDocument = JSONDocument(.null)
  /// Room for looking up keys.
  var foundKeys: [Int32] = []
  /// The protos that the pre-population hook has been asked about.
  var prepopulated: Set<Int> = []
  /// Whether some item is keyed by a parent.
  var hasParents = false
  /// The parents that items name and cannot have, once all items have been met.
  var problematicParents: [NamedParent: ParentProblem] = [:]
  /// Whether the items being met stand in a dictionary that duplicates were merged into.
  var isMeetingMerged = false
  /// What marshalers change records through; nil as long as none has been asked to.
  var graphAccess: GraphAccess?

  package init(
    schema: Schema, reader: any StoreReader, entity: EntityIndex, response: String, options: PopulationOptions
  ) {
    self.schema = schema
    self.entity = entity
    self.options = options
    self.response = response
    entityChoice = EntityChoice(schema: schema, options.customisation)
    hasMarshalers = !options.customisation.hasNoMarshalers
    graph = WorkingGraph(schema: schema, reader: reader)
  }

  /// Populates a document and answers what a save has to do. Nothing is written.
  package mutating func populate(_ document: JSONDocument?) throws(RequestFailure) -> PopulationResult {
    if let document { self.document = document }
    if case .records(let scope)? = options.orphans?.scope { try checkScope(scope) }
    let items = try items(of: document)
    do {
      try meet(items)
      settleDuplicates()
      dropUnreachable()
      try fetchStored()
      try tieDetailRecord()
      reportMissingKeys()
      try associateChildren()
      createRecords()
      runPrePopulation()
      try setAttributes()
      try setRelationships()
      try deleteTombstones()
      if hasMarshalers { try tellPopulated() }
    } catch {
      throw failure(.fetchError, error.message)
    }
    if let deletion = options.orphans { try deleteOrphans(deletion) }
    try checkDetailRecord()
    resolvePlaces()
    let noticed = diagnostics
    try judge()
    var result = result()
    result.noticed = noticed
    return result
  }
}

extension Population {
  /// Populates a document and saves what comes of it, all or nothing. To be called by whoever holds the turn to write.
  /// Rule: `population.save`.
  package mutating func populateAndSave(
    _ document: JSONDocument?, to store: any Store
  ) throws(RequestFailure) -> PopulationResult {
    let result = try populate(document)
    try save(result, to: store)
    return result
  }

  /// Saves what a document came to, if ``Store/commit(_:confirming:)`` finds it confirmed.
  mutating func save(
    _ result: PopulationResult, to store: any Store, confirming isWanted: () -> Bool = { true }
  ) throws(RequestFailure) {
    do throws(SaveProblem) {
      try graph.commit(to: store, result.changes, confirming: isWanted)
    } catch {
      throw saveFailure(error, result)
    }
  }

  /// Fails where a save would. Nothing is written. Rule: `request.dry-run`.
  mutating func check(_ result: PopulationResult) throws(RequestFailure) {
    do throws(SaveProblem) {
      try graph.check(result.changes)
    } catch {
      throw saveFailure(error, result)
    }
  }

  /// The records that the items have here, over unsaved changes, and in a population of the same document that is saved.
  func pairs(with saved: Population) -> [RecordPair] {
    var savedRecords: [Int32: RecordID] = [:]
    for proto in saved.protos {
      if let record = proto.record, let index = saved.index(of: proto) { savedRecords[index] = record }
    }
    return protos.compactMap { proto in
      guard let unsaved = proto.record, let saved = index(of: proto).flatMap({ savedRecords[$0] }) else {
        return nil
      }
      return RecordPair(unsaved: unsaved, saved: saved)
    }
  }

  /// Where the item that counts for a record stands in the document; nil if a hook has made it.
  private func index(of proto: ProtoRecord) -> Int32? {
    let node = proto.effective.item.node
    return node.document === document ? node.index : nil
  }

  private func saveFailure(_ problem: SaveProblem, _ result: PopulationResult) -> RequestFailure {
    var failure = RequestFailure(problem)
    for index in failure.diagnostics.indices { failure.diagnostics[index].response = response }
    if case .invalid(let problems) = problem {
      let places = itemsByRecord()
      for (index, problem) in problems.enumerated() {
        failure.diagnostics[index].pointer = places[problem.record]?.pointer
      }
    }
    // What was noticed before has been judged, and what fails a save is not to be judged.
    return described(RequestFailure(failure.diagnostics, before: result.diagnostics))
  }

  /// For each record, the item that counts for it.
  private func itemsByRecord() -> [RecordID: JSONNode] {
    var nodes: [RecordID: JSONNode] = [:]
    for proto in protos {
      if let record = proto.record { nodes[record] = proto.effective.item.node }
    }
    return nodes
  }
}

/// What one response comes to.
package struct PopulationResult: Sendable {
  /// One for each item, in the order of the response.
  package var records: [RecordID]
  /// The records that the response speaks of and that were there before, changed or not.
  package var known: [RecordID]
  package var changes: ChangeSet
  package var summary: ImportChanges
  package var diagnostics: [Diagnostic]
  /// What they were before the debugger judged them.
  package var noticed: [Diagnostic] = []
  /// What the pages so far have brought, for the next one; nil unless ``PopulationOptions/orphanPage`` was given.
  package var brought: BroughtRecords?
  /// The rows of `records`, where they have been saved and the store is known to have them as they were here.
  var rows: StoredRows?
  /// What is unsaved of responses then, level by level; nil where nothing was.
  var unsaved: [RestatedChanges]?
}

extension PopulationResult {
  /// What an answer comes to whose records are stored already.
  package init(stored records: [RecordID]) {
    self.init(
      records: records, known: [], changes: ChangeSet(), summary: ImportChanges(), diagnostics: [])
  }
}

// MARK: - Diagnostics

extension Population {
  mutating func report(
    _ code: DiagnosticCode, entity: EntityIndex? = nil, property: PropertyName? = nil,
    at node: JSONNode? = nil,
    other: JSONNode? = nil, _ message: String
  ) {
    if node != nil || other != nil { places[diagnostics.count] = DiagnosticPlaces(node: node, other: other) }
    diagnostics.append(
      Diagnostic(
        code, entity: entity.map { schema.entities[$0].name }, property: property, response: response,
        message: message))
  }

  /// Where a value stands, for a diagnostic that nearly never comes: what keeps no document alive costs nothing to hand
  /// on.
  struct NodePlace {
    /// A place in the response; below 0, counted backwards from -1, one among the other nodes.
    fileprivate let index: Int32
  }

  /// The nodes that a diagnostic is about.
  struct DiagnosticPlaces {
    var node: JSONNode?
    var other: JSONNode?
  }

  /// Turns nodes into pointers, all in one walk for each document.
  mutating func resolvePlaces() {
    let nodes = places.values.flatMap { [$0.node, $0.other].compactMap(\.self) }
    let documents = Dictionary(grouping: nodes) { ObjectIdentifier($0.document) }
    let pointers = documents.mapValues { $0[0].document.pointers(of: $0) }
    func pointer(_ node: JSONNode?) -> JSONPointer? {
      node.flatMap { pointers[ObjectIdentifier($0.document)]?[$0.index] }
    }
    for (index, place) in places {
      diagnostics[index].pointer = pointer(place.node)
      diagnostics[index].otherPointer = pointer(place.other)
    }
    places = [:]
  }

  /// Notes where a value stands that a diagnostic may be about.
  mutating func place(of node: JSONNode) -> NodePlace {
    if node.document === document { return NodePlace(index: node.index) }
    otherNodes.append(node)
    return NodePlace(index: -Int32(otherNodes.count))
  }

  func node(at place: NodePlace?) -> JSONNode? {
    guard let place else { return nil }
    return place.index >= 0 ? document.node(at: place.index) : otherNodes[Int(-1 - place.index)]
  }

  /// Where in the response a finding stands: what a path has gathered from several places stands in none.
  func place(of finding: PathFinding) -> JSONNode? {
    if case .node(let node) = finding { node } else { nil }
  }

  mutating func failure(
    _ code: DiagnosticCode, at node: JSONNode? = nil, _ message: String
  ) -> RequestFailure {
    resolvePlaces()
    return judged(
      RequestFailure(
        Diagnostic(
          code, entity: schema.entities[entity].name, pointer: node?.pointer, response: response,
          message: message),
        diagnostics: diagnostics))
  }
}
