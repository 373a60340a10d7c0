import JSONTree
import OrderedCollections
import RecordModel

/// A response whose records have been populated and whose diagnostics have been judged by the debugger.
/// Rules: `population.results`, `request.changes`.
struct PopulatedResponse {
  let result: PopulationResult
  private let report: PopulationReport
  /// The address of the response.
  private let response: String
  private let protos: [ProtoRecord]
  private let marshaledEnds: Set<RelationshipEnd>
  private let areKeysMarshaled: Bool
  private(set) var graph: WorkingGraph

  init(
    _ populated: consuming PopulatedGraph, _ mentioned: MentionedRecords?, _ report: PopulationReport
  ) throws(RequestFailure) {
    let population = report.population
    if let record = population.options.detailRecord,
      let root = populated.summary.roots.first(where: { populated.protos[$0].record != record })
    {
      let items = populated.protos.map(\.effective.item)
      let found = populated.protos[root].record.flatMap { populated.graph.knownRow($0) }
      let message: String
      do throws(StoreError) {
        let requested = try population.reader.rows([record]).first ?? nil
        let isFirst = root == populated.summary.roots.first
        if let taken = try population.takenKey(of: populated.protos[root], isFirst: isFirst, requested) {
          message = taken
        } else {
          message = try population.mismatch(
            of: populated.protos[root], among: populated.protos, found, requested)
        }
      } catch {
        throw report.failure(error)
      }
      throw report.failure(
        .recordMismatch, at: populated.protos[root].effective.item.node, among: items, message)
    }
    // Only a debugger can select a diagnostic that refers to an item.
    let items = population.options.debugger == nil ? [] : populated.protos.map(\.effective.item)
    let (noticed, reported) = try report.judge(among: items)
    var result = PopulationResult(
      &populated, diagnostics: reported, noticed: noticed, mentioned: mentioned)
    result.provenance = report.provenance?.provenance(of: populated, result.changes, report)
    self.result = result
    self.report = report
    response = population.response
    protos = populated.protos
    marshaledEnds = populated.marshaledEnds
    areKeysMarshaled = populated.areKeysMarshaled
    graph = populated.graph
  }

  /// Returns the result of a response that stays unsaved.
  mutating func unsavedResult() -> PopulationResult {
    var result = result
    result.changes.namedEnds += namedEnds()
    return result
  }

  /// Returns the result of a dry run of a response that would stay unsaved, with a diagnostic for each violation of the model
  /// by its changes that would fail a later save. Rule: `request.dry-run`.
  ///
  /// - Parameter context: the records of the context, without the response.
  mutating func unsavedResult(checkedIn context: WorkingGraph) throws(RequestFailure) -> PopulationResult {
    var result = unsavedResult()
    do throws(StoreError) {
      var changed = WorkingGraph(schema: context.schema, reader: context.currentReader)
      let violations = try changed.problems(applying: result.changes)
      if violations.isEmpty { return result }
      var context = context
      let remaining = Set(try context.problems(applying: result.changes))
      let failing = violations.filter(remaining.contains)
      if !failing.isEmpty { result.diagnostics += diagnostics(of: .invalid(failing)) }
    } catch {
      throw report.failure(error)
    }
    return result
  }

  /// Returns the relationships that items and marshalers have named and changed.
  private mutating func namedEnds() -> [RelationshipEnd] {
    var ends: [RelationshipEnd] = []
    for proto in protos {
      guard let id = proto.record, let row = graph.knownRow(id).map(graph.withoutDeletedTargets) else {
        continue
      }
      let stored = graph.storedRow(id)
      for index in proto.namedRelationships(of: id, marshaledEnds, graph.schema) {
        let isChanged =
          graph.schema.relationships[index].slot.map { row.toOnes[$0] != stored?.toOnes[$0] }
          ?? graph.hasMemberChange(of: index, owner: id)
        if isChanged { ends.append(RelationshipEnd(relationship: index, owner: id)) }
      }
    }
    return ends
  }

  /// Saves the changes of the response, unless `isWanted` returns false: see ``Store/commit(_:confirming:)``.
  mutating func save(
    to store: any Store, confirming isWanted: () -> Bool = { true }
  ) throws(RequestFailure) {
    do throws(SaveProblem) {
      try graph.commit(to: store, checksKeys: areKeysMarshaled, result.changes, confirming: isWanted)
    } catch {
      throw failure(error)
    }
  }

  /// Throws the errors that a save of the response would throw. Writes nothing. Rule: `request.dry-run`.
  mutating func check() throws(RequestFailure) {
    do throws(SaveProblem) {
      try graph.check(result.changes, checksKeys: areKeysMarshaled)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ problem: SaveProblem) -> RequestFailure {
    // Earlier diagnostics have been judged. Violations that fail a save are not judged.
    report.described(
      RequestFailure(diagnostics(of: problem), before: result.diagnostics),
      among: protos.map(\.effective.item))
  }

  /// Returns a diagnostic for each violation, with the position of the record's item.
  private func diagnostics(of problem: SaveProblem) -> [Diagnostic] {
    var diagnostics = RequestFailure(problem).diagnostics
    for index in diagnostics.indices { diagnostics[index].response = response }
    if case .invalid(let problems) = problem {
      // The effective item of each record.
      var nodes: [RecordID: JSONNode] = [:]
      for proto in protos { proto.record.map { nodes[$0] = proto.effective.item.node } }
      let pointer = report.pointers(of: problems.compactMap { nodes[$0.record] })
      for (index, problem) in problems.enumerated() {
        diagnostics[index].pointer = nodes[problem.record].flatMap(pointer)
      }
    }
    return diagnostics
  }

  /// Returns the saved rows of the result; nil if records were deleted, because the store then also empties to-one
  /// relationships without inverse.
  func savedRows(saves: Int64, before: Int64) -> StoredRows? {
    guard result.changes.deleted.isEmpty else { return nil }
    return StoredRows(
      rows: result.records.compactMap { graph.knownRow($0) }, saves: saves, savesBefore: before)
  }
}

extension Population {
  /// Returns the message about the key that the item of the requested record gives it, and that another record has; nil if
  /// the record keeps its key.
  fileprivate func takenKey(of proto: ProtoRecord, isFirst: Bool, _ requested: Row?) throws(StoreError)
    -> String?
  {
    guard options.detailRecordReceivesKey, isFirst, let requested, proto.record != nil,
      case .key(_, let key)? = proto.identity
    else { return nil }
    let parent = try schema.identifyingParent(of: requested).flatMap { (id) throws(StoreError) in
      try reader.rows([id]).first ?? nil
    }
    let entity = schema.entities[requested.entity]
    let title = schema.title(of: requested, parent: parent) ?? "\(entity.name) without a key"
    return "the response gives '\(title)' the key of another record, "
      + "'\(schema.entities[proto.entity].title(of: key))'; another response has probably brought this record before, so "
      + "delete '\(title)'"
  }

  /// Returns the message about an item of another record than the requested one: `the response contains 'Post/2' instead
  /// of 'Post/1'`.
  fileprivate func mismatch(
    of proto: ProtoRecord, among protos: [ProtoRecord], _ found: Row?, _ requested: Row?
  ) throws(StoreError) -> String {
    guard let requested else { return "the response contains another record than the requested one" }
    let expectedEntity = schema.entities[requested.entity]
    let expectedKey = requested.key(in: schema)
    let parent = try schema.identifyingParent(of: requested).flatMap { (id) throws(StoreError) in
      try reader.rows([id]).first ?? nil
    }
    let expectedTitle = schema.title(of: requested, parent: parent) ?? expectedEntity.name.rawValue
    if let expectedKey, proto.identity == nil, case .attributes(let positions) = expectedEntity.key,
      AttributeKey.contradicts(expectedKey, in: proto.effective, positions, self)
    {
      return "the response contains a part of another key than that of '\(expectedTitle)'"
    }
    let expected =
      expectedEntity.key.isOfAttributes && expectedKey == nil
      ? "the requested '\(expectedTitle)', which has no key" : "'\(expectedTitle)'"
    let entity = schema.entities[found?.entity ?? proto.entity]
    let title: String
    if case .key(_, let key)? = proto.identity {
      title = entity.title(of: key)
    } else if let parent = proto.parent, case .key(_, let key)? = protos[parent].identity {
      // The stored parent can be of a sub-entity that the item does not name.
      let stored = try protos[parent].record.flatMap { (id) throws(StoreError) in
        try reader.rows([id]).first ?? nil
      }
      let parentEntity = schema.entities[stored?.entity ?? protos[parent].entity]
      title = entity.title(ofChildOf: parentEntity.title(of: key))
    } else {
      let other =
        entity.key.isOfAttributes ? "a '\(entity.name)' without a key" : "another '\(entity.name)'"
      return "the response contains \(other) instead of \(expected)"
    }
    return title == expectedTitle
      ? "the response contains another '\(title)' than the requested one"
      : "the response contains '\(title)' instead of \(expected)"
  }
}
