import JSONTree
import RecordModel

/// The diagnostics of one population, with their codes, subjects and positions in the response. All phases share one
/// report. Rules: `diagnostics.all`, `diagnostics.replace`.
final class PopulationReport {
  let population: Population
  /// The response object; null for an empty body.
  let document: JSONDocument
  private(set) var diagnostics: [Diagnostic] = []
  /// The nodes of diagnostics, by index. Their pointers are determined later, in one traversal of the response.
  private var nodes: [Int: (node: JSONNode, other: JSONNode?)] = [:]
  /// The values of other documents that diagnostics may refer to.
  private var otherNodes: [JSONNode] = []

  /// The recorder of provenance; nil unless the options ask for it.
  let provenance: ProvenanceRecorder?

  private static let noDocument = JSONDocument(.null)

  init(_ population: Population, _ document: JSONDocument?) {
    self.population = population
    self.document = document ?? Self.noDocument
    provenance = population.options.recordsProvenance ? ProvenanceRecorder() : nil
  }

  /// Runs a phase on the result of the previous one, unless the request has been canceled.
  func run<Input: ~Copyable, Output: ~Copyable>(
    _ phase: (consuming Input, PopulationReport) throws(StoreError) -> Output, _ input: consuming Input
  ) throws(RequestFailure) -> Output {
    try population.options.checkCancellation()
    do throws(StoreError) {
      return try phase(input, self)
    } catch {
      throw failure(error)
    }
  }

  /// Adds a diagnostic.
  ///
  /// - Parameter other: the second of two values that the diagnostic is about. Requires `node`.
  func add(
    _ code: DiagnosticCode, entity: EntityIndex? = nil, property: PropertyName? = nil,
    at node: JSONNode? = nil, other: JSONNode? = nil, pointer: JSONPointer? = nil, _ message: String
  ) {
    if let node { nodes[diagnostics.count] = (node, other) }
    diagnostics.append(
      Diagnostic(
        code, entity: entity.map { population.schema.entities[$0].name }, property: property,
        pointer: pointer,
        response: population.response, message: message))
  }

  /// Removes all diagnostics from an index on.
  func removeAll(from index: Int) {
    for removed in index..<diagnostics.count { nodes[removed] = nil }
    diagnostics.removeSubrange(index...)
  }

  // MARK: Positions

  /// The position of a value for a diagnostic that may never be added. It retains no document and is cheap to copy.
  struct Position {
    /// The index of a value in the response. Negative values count backwards from -1, and refer to ``otherNodes``.
    fileprivate let index: Int32
  }

  /// Returns the position of a value to which a diagnostic may refer.
  func position(of node: JSONNode) -> Position {
    if node.document === document { return Position(index: node.index) }
    otherNodes.append(node)
    return Position(index: -Int32(otherNodes.count))
  }

  func node(at position: Position?) -> JSONNode? {
    guard let position else { return nil }
    return position.index >= 0 ? document.node(at: position.index) : otherNodes[Int(-1 - position.index)]
  }

  /// Determines the pointers of nodes, in one traversal of each document.
  ///
  /// - Returns: a function that returns the pointer of one of these nodes.
  func pointers(of nodes: [JSONNode]) -> (JSONNode) -> JSONPointer? {
    let pointers = Dictionary(grouping: nodes) { ObjectIdentifier($0.document) }
      .mapValues { $0[0].document.pointers(of: $0) }
    return { pointers[ObjectIdentifier($0.document)]?[$0.index] }
  }

  private func resolveNodes() {
    let pointer = pointers(of: nodes.values.flatMap { [$0.node, $0.other].compactMap(\.self) })
    for (index, (node, other)) in nodes {
      diagnostics[index].pointer = pointer(node)
      diagnostics[index].otherPointer = other.flatMap(pointer)
    }
    nodes = [:]
  }

  // MARK: Judging

  /// Returns the diagnostics before and after the judgment of the debugger. Throws if the debugger treats one of them
  /// as a failure.
  ///
  /// - Parameter items: the effective items, which a failure can refer to.
  func judge(
    among items: [Item]
  ) throws(RequestFailure) -> (noticed: [Diagnostic], reported: [Diagnostic]) {
    resolveNodes()
    guard let debugger = population.options.debugger, !diagnostics.isEmpty else {
      return (diagnostics, diagnostics)
    }
    let (reported, failing) = debugger.judge(diagnostics)
    if let failing { throw described(RequestFailure(failing, among: reported), among: items) }
    return (diagnostics, reported)
  }

  /// Returns a failure of the request with the diagnostics so far, as the debugger judges it.
  ///
  /// - Parameter items: the effective items, which the failure can refer to.
  func failure(
    _ code: DiagnosticCode, at node: JSONNode? = nil, among items: [Item] = [], _ message: String
  ) -> RequestFailure {
    failure(
      Diagnostic(
        code, entity: population.schema.entities[population.entity].name, pointer: node?.pointer,
        response: population.response, message: message), among: items)
  }

  func failure(_ error: StoreError) -> RequestFailure { failure(.fetchError, error.message) }

  func failure(_ primary: Diagnostic, among items: [Item] = []) -> RequestFailure {
    resolveNodes()
    var primary = primary
    primary.response = population.response
    let failure = RequestFailure(primary, diagnostics: diagnostics)
    guard let debugger = population.options.debugger else {
      return described(failure, among: items)
    }
    let (reported, failing) = debugger.judge(failure.diagnostics)
    return described(RequestFailure(failing ?? failure.primary, among: reported), among: items)
  }

  /// Returns the failure with the dictionary that it refers to: the innermost item that contains the value of its
  /// pointer.
  func described(_ failure: RequestFailure, among items: [Item]) -> RequestFailure {
    var failure = failure
    guard let pointer = failure.primary.pointer, let range = document.root.value(at: pointer)?.byteRange
    else { return failure }
    for item in items where item.isDictionary && item.node.document === document {
      let bytes = item.node.byteRange
      guard bytes.lowerBound <= range.lowerBound, range.upperBound <= bytes.upperBound else { continue }
      if failure.recordDictionary.map({ bytes.count < $0.byteRange.count }) ?? true {
        failure.recordDictionary = item.node
      }
    }
    return failure
  }
}

extension RequestFailure {
  /// Creates a failure for one of the reported diagnostics.
  fileprivate init(_ primary: Diagnostic, among diagnostics: [Diagnostic]) {
    self.init([primary])
    self.diagnostics = diagnostics
  }
}

extension PathFinding {
  /// The node of the finding in the response; nil if a path has gathered it from several positions.
  var standingNode: JSONNode? { if case .node(let node) = self { node } else { nil } }
}

extension PopulationReport {
  /// Reports an item that no sub-entity of an abstract entity claims. Rule: `subentity.abstract`.
  func addNoEntity(_ entity: EntityIndex, at node: JSONNode) {
    add(
      .noEntity, entity: entity, at: node,
      "'\(population.schema.entities[entity].name)' is abstract, and none of its sub-entities claims the item"
    )
  }

  /// Reports a reference to a record of an abstract entity that does not exist. Rule: `subentity.abstract`.
  ///
  /// - Parameter owner: the entity and the relationship that contain the reference; nil for the list of items.
  func addNoRecord(
    _ entity: EntityIndex, of owner: (entity: EntityIndex, property: PropertyName)? = nil, at node: JSONNode?
  ) {
    add(
      .noEntity, entity: owner?.entity ?? entity, property: owner?.property, at: node,
      "no record has this key, and '\(population.schema.entities[entity].name)' is abstract")
  }

  /// Reports the key, or the part of a key, that cannot be converted, although its item counts as the requested record.
  /// Reports nothing if every part in the item can be converted. Rule: `request.detail`.
  ///
  /// - Parameters:
  ///   - appearance: the item of the record, or that of its parent.
  ///   - reason: the reason why the item has no key.
  func addUnconvertibleKey(of appearance: Appearance, _ reason: MissingKey?) {
    let entity = population.schema.entities[appearance.entity]
    guard case .attributes(let positions) = entity.key else { return }
    let part = AttributeKey.unconvertiblePart(of: appearance, positions, population)
    // A hook or a representation can return a key that cannot be converted.
    guard part != nil || reason == .unconvertible else { return }
    let attribute = part?.attribute ?? entity.attributes[positions[0]]
    add(
      .valueType, entity: entity.index, property: attribute.name,
      at: part?.finding.standingNode ?? appearance.item.node,
      "cannot convert \(part?.finding.excerpt ?? "the key of the item") to \(attribute.type.rawValue), so the item counts as the requested record"
    )
  }

  /// Reports the reasons why records that were to be deleted are kept.
  ///
  /// - Parameter node: a function that returns the item that was to delete a record.
  func add(
    _ kept: [(row: Row, hold: WorkingGraph.Hold)], in graph: inout WorkingGraph,
    at node: (RecordID) -> JSONNode?
  ) throws(StoreError) {
    for ((row, hold), quotedTitle) in zip(kept, try graph.quotedTitles(of: kept.map(\.row))) {
      add(hold, of: quotedTitle, at: node(row.id))
    }
  }

  private func add(_ hold: WorkingGraph.Hold, of quotedTitle: String, at node: JSONNode?) {
    let schema = population.schema
    let relationship = schema.relationships[hold.relationship]
    switch hold.reason {
    case .denied:
      add(
        .deniedDeletion, entity: relationship.entity, property: relationship.name, at: node,
        "\(quotedTitle) was not deleted, because the delete rule of '\(relationship.name)' denies it")
    case .required:
      let owner = schema.entities[relationship.entity].name
      add(
        .requiredOwner, entity: relationship.entity, property: relationship.name, at: node,
        relationship.inverse == nil
          ? "\(quotedTitle) was not deleted, because the '\(relationship.name)' of a '\(owner)' requires it"
          : "\(quotedTitle) was not deleted, because \(relationship.isToMany ? "one of its" : "its") '\(relationship.name)' requires it"
      )
    }
  }
}
